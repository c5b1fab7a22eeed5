/** Months: what is one, and where it begins and ends. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthAt, monthEndMs, monthStartMs, parseMonth } from '../../../src/core/time/month.ts'

test('a month is a year from 1970, a hyphen and two digits from 01 to 12', () => {
  assert.equal(parseMonth('2026-03'), '2026-03')
  for (const text of ['2026-00', '2026-13', '2026-3', '26-03', '2026-03-01', '1969-12', ' 2026-03', '']) {
    assert.equal(parseMonth(text), null, text)
  }
})

test('a month begins where the one before it ends, over the ends of years too', () => {
  const month = parseMonth('2025-12') ?? assert.fail()
  assert.equal(new Date(monthStartMs(month)).toISOString(), '2025-12-01T00:00:00.000Z')
  assert.equal(new Date(monthEndMs(month)).toISOString(), '2026-01-01T00:00:00.000Z')
  assert.equal(monthAt(monthEndMs(month) - 1), '2025-12')
  assert.equal(monthAt(monthEndMs(month)), '2026-01')
  assert.equal(monthAt(monthStartMs(month, -12)), '2024-12')
})
