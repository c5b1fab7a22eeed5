/** A Retry-After that depends on the time of day. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter } from '../../client/src/retry.ts'

test('Retry-After is read as seconds and as a date', () => {
  const nowMs = Date.UTC(2026, 2, 1, 12)
  const rows: [string | null, number | null][] = [
    [null, null],
    ['120', 120],
    [' 7 ', 7],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
  ]
  for (const [text, seconds] of rows) {
    assert.equal(readRetryAfter(text, nowMs), seconds, String(text))
  }
})
