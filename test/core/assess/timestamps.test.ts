/** Timestamps: every accepted spelling names one moment, and what the calendar does not have names none. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { parseTimestamp, readTransaction } from '../../../src/core/assess/transaction.ts'
import { check } from '../../helpers/check.ts'

/** The moment as it is written in UTC; null for none. */
const moment = (text: string): string | null => {
  const atMs = parseTimestamp(text)
  return atMs === null ? null : new Date(atMs).toISOString()
}

test('a date is its first moment in UTC, and a time without a zone is in UTC', () => {
  check(
    [
      ['2026-03-01', '2026-03-01T00:00:00.000Z'],
      ['2026-03-01T09:30', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01T09:30:15', '2026-03-01T09:30:15.000Z'],
      ['2026-03-01T09:30:15.5', '2026-03-01T09:30:15.500Z'],
      ['0001-01-01', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ],
    moment,
  )
})

test('zones count: with a colon, without one, hours alone, both ways and over midnight', () => {
  check(
    [
      ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01T09:30:00+00:00', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01T09:30:00-00:00', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01T09:30:00+01:00', '2026-03-01T08:30:00.000Z'],
      ['2026-03-01T09:30:00+0100', '2026-03-01T08:30:00.000Z'],
      ['2026-03-01T09:30:00+01', '2026-03-01T08:30:00.000Z'],
      ['2026-03-01T09:30+05:45', '2026-03-01T03:45:00.000Z'],
      ['2026-03-01T00:15:00+01:00', '2026-02-28T23:15:00.000Z'],
      ['2026-12-31T23:30:00-0330', '2027-01-01T03:00:00.000Z'],
      ['2026-03-01T12:00:00+23:59', '2026-02-28T12:01:00.000Z'],
      ['2026-03-01T12:00:00-23:59', '2026-03-02T11:59:00.000Z'],
    ],
    moment,
  )
})

test('a space may stand for the T', () => {
  check(
    [
      ['2026-03-01 09:30', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01 09:30:15.25+01:00', '2026-03-01T08:30:15.250Z'],
      ['2026-03-01 09:30:15Z', '2026-03-01T09:30:15.000Z'],
      ['2026-03-01  09:30', null],
      ['2026-03-01 09:30 Z', null],
    ],
    moment,
  )
})

test('fractions are cut after the millisecond, never rounded into the next', () => {
  check(
    [
      ['2026-03-01T09:30:15.1Z', '2026-03-01T09:30:15.100Z'],
      ['2026-03-01T09:30:15.12Z', '2026-03-01T09:30:15.120Z'],
      ['2026-03-01T09:30:15.123Z', '2026-03-01T09:30:15.123Z'],
      ['2026-03-01T09:30:15.1239Z', '2026-03-01T09:30:15.123Z'],
      ['2026-12-31T23:59:59.999999999Z', '2026-12-31T23:59:59.999Z'],
      ['2026-03-01T09:30:15.0000000001Z', null],
      ['2026-03-01T09:30:15.Z', null],
      ['2026-03-01T09:30:15,5Z', null],
    ],
    moment,
  )
})

test('a leap second is the last of its minute', () => {
  check(
    [
      ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
      ['2016-12-31T23:59:60.5Z', '2016-12-31T23:59:59.500Z'],
      ['2017-01-01T00:59:60+01:00', '2016-12-31T23:59:59.000Z'],
      ['2016-12-31T23:59:61Z', null],
    ],
    moment,
  )
})

test('what the calendar or the clock does not have is no moment', () => {
  check(
    [
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
      ['2000-02-29', '2000-02-29T00:00:00.000Z'],
      ['2026-02-29', null],
      ['1900-02-29', null],
      ['2026-04-31', null],
      ['2026-13-01', null],
      ['2026-00-01', null],
      ['2026-01-00', null],
      ['2026-01-32', null],
      ['2026-03-01T24:00:00Z', null],
      ['2026-03-01T09:60:00Z', null],
      ['2026-03-01T09:30:00+24:00', null],
      ['2026-03-01T09:30:00+01:60', null],
    ],
    moment,
  )
})

test('other spellings are no moment', () => {
  check(
    [
      ['', null],
      ['2026', null],
      ['2026-03', null],
      ['2026-3-1', null],
      ['01/03/2026', null],
      ['20260301T093000Z', null],
      ['2026-03-01T09', null],
      ['2026-03-01t09:30:00z', null],
      ['2026-03-01Z', null],
      ['2026-03-01+01:00', null],
      ['+002026-03-01', null],
      ['-2026-03-01', null],
      [' 2026-03-01', null],
      ['2026-03-01\n', null],
      ['1772357400', null],
      ['March 1, 2026', null],
    ],
    moment,
  )
})

test('what a moment is written as is that moment again', () => {
  const anyMoment = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(anyMoment, (date) => assert.equal(parseTimestamp(date.toISOString()), date.getTime())),
  )
})

test('a timestamp is a moment exactly where a row of a batch takes it', () => {
  const digits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'))
  const zone = fc.constantFrom('', 'Z', '+01:00', '-0330', '+14', 'z', '+1')
  const anyText = fc
    .tuple(digits, digits, digits, digits, digits, fc.constantFrom('T', ' ', '_'), zone)
    .map(([month, day, hour, minute, second, between, end]) => {
      return `2024-${month}-${day}${between}${hour}:${minute}:${second}${end}`
    })
  const anyNearly = fc
    .tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
    .map(([month, day]) => `2023-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)
  fc.assert(
    fc.property(fc.oneof(anyText, anyNearly), (timestamp) => {
      const row = readTransaction({ corridor: 'GB-NG', timestamp })
      assert.equal(parseTimestamp(timestamp) !== null, row.ok)
    }),
    { numRuns: 500 },
  )
})
