/** Auditable ids: they sort by time, reveal it, and cannot be mistaken for anything else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  firstRequestIdAt,
  formatRequestId,
  nextRequestId,
  parseRequestId,
  requestIdRandomBytes,
  type RequestId,
} from '../../../src/core/identity/request-id.ts'
import { check } from '../../helpers/check.ts'

const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const anyTime = fc.oneof(
  fc.integer({ min: 0, max: lastMs }),
  fc.constantFrom(0, Date.UTC(2026, 0) - 1, Date.UTC(2026, 0), lastMs),
)
const anyBytes = fc.uint8Array({ minLength: requestIdRandomBytes, maxLength: requestIdRandomBytes })

test('an id is the year, the time and the randomness, in the form of the contract', () => {
  assert.equal(formatRequestId(0, new Uint8Array(10)), `SVC-1970-${'0'.repeat(26)}`)
  assert.equal(formatRequestId(32, new Uint8Array(10).fill(255)), `SVC-1970-0000000010${'Z'.repeat(16)}`)
  fc.assert(
    fc.property(anyTime, anyBytes, (atMs, bytes) => {
      const year = new Date(atMs).toISOString().slice(0, 4)
      assert.match(formatRequestId(atMs, bytes), new RegExp(`^SVC-${year}-[0-9A-HJKMNP-TV-Z]{26}$`))
    }),
  )
})

test('an id tells the millisecond in which it was made', () => {
  fc.assert(
    fc.property(anyTime, anyBytes, (atMs, bytes) => {
      const id = formatRequestId(atMs, bytes)
      assert.deepEqual(parseRequestId(id), { id, atMs })
    }),
  )
})

test('text order is the order of time', () => {
  fc.assert(
    fc.property(anyTime, anyBytes, anyTime, anyBytes, (one, oneBytes, other, otherBytes) => {
      fc.pre(one !== other)
      const sorted = formatRequestId(one, oneBytes) < formatRequestId(other, otherBytes)
      assert.equal(sorted, one < other)
    }),
  )
})

test('the first id of a time parts what is earlier from what is not', () => {
  fc.assert(
    fc.property(anyTime, anyTime, anyBytes, (border, atMs, bytes) => {
      assert.equal(formatRequestId(atMs, bytes) >= firstRequestIdAt(border), atMs >= border)
    }),
  )
})

test('the next id is the one right after, and has the same time', () => {
  const at = Date.UTC(2026, 5, 1)
  const withEnd = (end: string): RequestId =>
    `${firstRequestIdAt(at).slice(0, -end.length)}${end}` as RequestId
  check(
    [
      [withEnd('0'), withEnd('1')],
      [withEnd('9'), withEnd('A')],
      [withEnd('H'), withEnd('J')],
      [withEnd('0Z'), withEnd('10')],
      [withEnd('5YZZZ'), withEnd('5Z000')],
    ],
    nextRequestId,
  )
  fc.assert(
    fc.property(anyTime, anyBytes, (atMs, bytes) => {
      fc.pre(bytes.some((byte) => byte !== 255))
      const id = formatRequestId(atMs, bytes)
      const next = nextRequestId(id)
      assert.ok(next > id)
      assert.equal(parseRequestId(next)?.atMs, atMs)
    }),
  )
})

test('the last id of a millisecond has no next one', () => {
  const last = formatRequestId(Date.UTC(2026, 5, 1), new Uint8Array(10).fill(255))
  assert.throws(() => nextRequestId(last), /no id is left/)
})

test('no text that this service cannot have issued is taken for an id', () => {
  const id = formatRequestId(Date.UTC(2026, 5, 1), new Uint8Array(10).fill(7))
  const foreign = [
    '',
    'req_abc',
    id.toLowerCase(),
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.replace('2026', '2027'),
    id.replace('2026', '026'),
    id.replace('SVC', 'XVC'),
    `${id.slice(0, -1)}U`,
    `${id.slice(0, -1)}é`,
    `${id.slice(0, 8)}_${id.slice(9)}`,
    `SVC-9999-${'Z'.repeat(26)}`,
  ]
  check(
    foreign.map((text) => [text, null]),
    parseRequestId,
  )
})
