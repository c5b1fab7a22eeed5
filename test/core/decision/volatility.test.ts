/** Volatility: the standard deviation, to four decimals, against whole numbers without limits. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { volatilityOf } from '../../../src/core/decision/score.ts'
import { check } from '../../helpers/check.ts'

const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 60 })

test('known series have known deviations, in score units', () => {
  check(
    [
      [[], 0],
      [[50], 0],
      [[80, 80, 80], 0],
      [[0, 100], 0.5],
      [[90, 92], 0.01],
      [[2, 4, 4, 4, 5, 5, 7, 9], 0.02],
      [[1, 2, 3], 0.0082],
    ],
    (series: readonly number[]) => volatilityOf(series),
  )
})

test('the deviation is right to half of its last decimal', () => {
  fc.assert(
    fc.property(scores, (series) => {
      const count = BigInt(series.length)
      const values = series.map(BigInt)
      const sum = values.reduce((total, value) => total + value, 0n)
      const squares = values.reduce((total, value) => total + value * value, 0n)
      // (count × deviation)², where the deviation is in hundredths.
      const exact = squares * count - sum * sum
      const tenThousandths = BigInt(Math.round(volatilityOf(series) * 10_000))
      // 200 × count × deviation must lie within one of 2 × count × the shown number of ten-thousandths.
      const bound = (offset: bigint): bigint => count * (2n * tenThousandths + offset)
      const target = 40_000n * exact
      assert.ok(bound(1n) ** 2n >= target, 'shown too low')
      assert.ok(tenThousandths === 0n || bound(-1n) ** 2n <= target, 'shown too high')
    }),
  )
})

test('neither the order of the scores nor a shift of them all changes it', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 50 }), (series, shift) => {
      const moved = series.toReversed().map((score) => score + shift)
      assert.equal(volatilityOf(moved), volatilityOf(series))
    }),
  )
})
