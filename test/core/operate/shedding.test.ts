/** When requests are refused since the event loop is late: by its beat alone, and with time as an argument. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  afterBeat,
  atRest,
  beatEveryMs,
  nextDebt,
  type OverloadState,
} from '../../../src/core/operate/shedding.ts'
import { check } from '../../helpers/check.ts'

const limitMs = 1_000

/** Beats that are late by so much, one after the other, from rest. */
function shareAfter(lags: readonly number[], limit = limitMs): number {
  let strain: OverloadState = atRest(5_000)
  for (const lagMs of lags) strain = afterBeat(strain, strain.beatAtMs + beatEveryMs + lagMs, limit)
  return strain.sharePercent
}

const times = (count: number, lagMs: number): number[] => Array.from({ length: count }, () => lagMs)

test('the share that is refused rises while the loop is late, stays in between, and falls when it is calm', () => {
  check<readonly number[], number>(
    [
      [[], 0],
      [times(50, 999), 0],
      [[1_000], 0],
      [[60_000], 0],
      [[1_000, 0, 1_000, 0, 1_000], 0],
      [times(2, 1_000), 25],
      [times(3, 1_000), 50],
      [times(5, 1_000), 100],
      [times(50, 9_000), 100],
      [[...times(5, 1_000), ...times(9, 500)], 100],
      [[...times(5, 1_000), ...times(9, 499)], 55],
      [[...times(5, 1_000), ...times(20, 0)], 0],
      [[...times(5, 1_000), ...times(200, 0)], 0],
    ],
    (lags) => shareAfter(lags),
  )
})

test('a limit of 0 refuses nobody, however late the loop is', () => {
  assert.equal(shareAfter(times(50, 60_000), 0), 0)
})

test('a beat that comes early, or a clock that stands still, is not late', () => {
  const strain = afterBeat(atRest(5_000), 5_000, limitMs)
  assert.deepEqual([strain.lagMs, strain.sharePercent], [0, 0])
})

test('of any number of requests the share is refused, and never two more or fewer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 2_000 }), (share, count) => {
      let debt = 0
      let refused = 0
      for (let request = 0; request < count; request += 1) {
        const next = nextDebt(debt, share)
        debt = next.debt
        if (next.isRefused) refused += 1
      }
      assert.equal(refused, Math.floor((share * count) / 100))
    }),
  )
})
