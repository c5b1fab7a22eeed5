/** How payments ended, and the failure rate that follows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  actualOutcomes,
  failureRatePermilleOf,
  isFailure,
  isFinal,
  type FailureRateRule,
  type OutcomeCount,
} from '../../../src/core/live/outcome.ts'
import { check } from '../../helpers/check.ts'

test('a late payment has arrived, one that failed or was refused has not, and a pending one has not ended', () => {
  const told = actualOutcomes.map((outcome) => [outcome, isFinal(outcome), isFailure(outcome)])
  assert.deepEqual(told, [
    ['COMPLETED', true, false],
    ['FAILED', true, true],
    ['DELAYED', true, false],
    ['REJECTED', true, true],
    ['PENDING', false, false],
  ])
})

type Count = Pick<OutcomeCount, 'ended' | 'failed'>

test('the failure rate is the share of failures, rounded up, with the assumed rate for what is missing', () => {
  const rule = (outcomesMin: number, assumedRate: number): FailureRateRule => ({ outcomesMin, assumedRate })
  const count = (ended: number, failed: number): Count => ({ ended, failed })
  check<[Count, FailureRateRule], number>(
    [
      [[count(20, 0), rule(20, 0.5)], 0],
      [[count(20, 1), rule(20, 0.5)], 50],
      [[count(20, 20), rule(20, 0)], 1_000],
      [[count(30, 1), rule(20, 0)], 34],
      [[count(3, 1), rule(3, 0.9)], 334],
      [[count(25, 0), rule(20, 1)], 0],
      [[count(0, 0), rule(20, 0.02)], 20],
      [[count(0, 0), rule(20, 0.029)], 29],
      [[count(0, 0), rule(20, 0.0201)], 21],
      [[count(0, 0), rule(1, 0)], 0],
      [[count(0, 0), rule(1, 1)], 1_000],
      [[count(1, 1), rule(20, 0.02)], 69],
      [[count(10, 0), rule(20, 0.02)], 10],
      [[count(10, 5), rule(20, 0)], 250],
    ],
    ([some, given]) => failureRatePermilleOf(some, given),
  )
})

const anyCount = fc
  .tuple(fc.nat(500), fc.nat(500))
  .map(([ended, failed]): Count => ({ ended, failed: Math.min(ended, failed) }))
const anyRule = fc.record({
  outcomesMin: fc.integer({ min: 1, max: 500 }),
  assumedRate: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.02, 1)),
})

test('a rate is in whole thousandths of one, and never rises when a failure is a success instead', () => {
  fc.assert(
    fc.property(anyCount, anyRule, (count, rule) => {
      const rate = failureRatePermilleOf(count, rule)
      assert.ok(Number.isInteger(rate) && rate >= 0 && rate <= 1_000)
      if (count.failed === 0) return
      const better = failureRatePermilleOf({ ...count, failed: count.failed - 1 }, rule)
      assert.ok(better <= rate)
    }),
  )
})

test('where there is a history nothing is assumed', () => {
  fc.assert(
    fc.property(anyCount, anyRule, ({ ended, failed }, { assumedRate }) => {
      fc.pre(ended > 0)
      const rate = failureRatePermilleOf({ ended, failed }, { outcomesMin: ended, assumedRate })
      assert.equal(rate, Math.ceil((1_000 * failed) / ended))
    }),
  )
})
