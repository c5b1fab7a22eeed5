/** When the client asks again, by the rules of the contract's section 7. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../helpers/fast-check.ts'
import { mayRepeat, readRetryAfter, retryDelayMs } from '../../client/src/retry.ts'

describe('how long it waits', () => {
  const middle = (): number => 0.5

  test('1 s, doubling to 60 s', () => {
    const delays = Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, null, middle))
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  test('a tenth more or less, by chance', () => {
    assert.equal(
      retryDelayMs(1, null, () => 0),
      900,
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (attempt, chance) => {
          const steady = retryDelayMs(attempt, null, middle)
          const delay = retryDelayMs(attempt, null, () => chance)
          return delay >= steady * 0.9 - 1e-6 && delay <= steady * 1.1 + 1e-6
        },
      ),
    )
    assert.ok(retryDelayMs(3, null, () => 0.25) !== retryDelayMs(3, null, () => 0.75))
  })

  test('Retry-After goes before all that, and is never shortened', () => {
    for (const chance of [0, 0.5, 0.99])
      assert.equal(
        retryDelayMs(4, 120, () => chance),
        120_000,
      )
    assert.equal(retryDelayMs(4, 0, middle), 8000, 'zero tells nothing')
  })
})

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

test('what may be asked again: everything that passes where asking twice is harmless, else only what was refused', () => {
  const statuses = [null, 400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 431, 500, 502, 503, 504]
  assert.deepEqual(
    statuses.filter((status) => mayRepeat('always', status)),
    [null, 408, 429, 500, 502, 503, 504],
  )
  assert.deepEqual(
    statuses.filter((status) => mayRepeat('when_refused', status)),
    [429],
  )
})
