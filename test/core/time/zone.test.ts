/** Days of a time zone in whole hours: through daylight saving, and where a day starts within an hour. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../src/core/time/durations.ts'
import { dayStartsIn } from '../../../src/core/time/zone.ts'

const starts = (zone: string, from: string, to: string): readonly string[] =>
  dayStartsIn(zone, { fromMs: Date.parse(from), toMs: Date.parse(to) }).map((atMs) =>
    new Date(atMs).toISOString().slice(5, 16),
  )

test('a day has 23 or 25 hours where the clock changes', () => {
  assert.deepEqual(starts('Europe/London', '2026-03-28T00:00Z', '2026-03-31T00:00Z'), [
    '03-28T00:00',
    '03-29T00:00',
    '03-29T23:00',
    '03-30T23:00',
  ])
  assert.deepEqual(starts('Europe/London', '2026-10-24T23:00Z', '2026-10-27T00:00Z'), [
    '10-24T23:00',
    '10-26T00:00',
  ])
})

test('a day that starts within an hour counts from the next', () => {
  assert.deepEqual(starts('Asia/Kolkata', '2026-03-01T00:00Z', '2026-03-03T00:00Z'), [
    '03-01T00:00',
    '03-01T19:00',
    '03-02T19:00',
  ])
})

test('the first step is the start of the range, and steps increase in whole hours', () => {
  for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu']) {
    const range = { fromMs: Date.parse('2026-01-05T07:00Z'), toMs: Date.parse('2026-04-05T07:00Z') }
    const all = dayStartsIn(zone, range)
    assert.equal(all[0], range.fromMs)
    assert.deepEqual(
      all,
      [...new Set(all)].toSorted((left, right) => left - right),
      zone,
    )
    assert.ok(all.every((atMs) => atMs % hourMs === 0 && atMs < range.toMs))
    assert.equal(all.length, 91)
  }
})
