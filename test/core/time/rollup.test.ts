/** What is counted of a decision: bins that line up with the bands, and sums that can be added in any order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { reasonCodes, type ReasonCode } from '../../../src/core/decision/reasons.ts'
import {
  count,
  latencyBinCount,
  latencyBinOf,
  latencyBoundsUs,
  measureNames,
  noMeasures,
  scoreBinCount,
  scoreBinOf,
  totalsOf,
  type Counted,
} from '../../../src/core/time/rollup.ts'
import { bandOf } from '../../../src/core/decision/score.ts'
import { check } from '../../helpers/check.ts'

test('a score is in the bin of its hundredths, and 1.00 in the last', () => {
  check(
    [
      [0, 0],
      [3, 0],
      [4, 1],
      [47, 11],
      [48, 12],
      [79, 19],
      [80, 20],
      [95, 23],
      [96, 24],
      [99, 24],
      [100, 24],
    ],
    scoreBinOf,
  )
})

test('no bin has scores of two bands', () => {
  const bands = Array.from({ length: scoreBinCount }, () => new Set<string>())
  for (let score = 0; score <= 100; score += 1) bands[scoreBinOf(score)]?.add(bandOf(score))
  assert.deepEqual(new Set(bands.map((band) => band.size)), new Set([1]))
})

test('a latency is in the first bin that takes it, and in the last what takes longer than all', () => {
  check(
    [
      [0, 0],
      [250, 0],
      [251, 1],
      [500, 1],
      [1_000, 2],
      [1_001, 3],
      [4_999_999, 13],
      [5_000_000, 13],
      [5_000_001, 14],
      [1e12, 14],
    ],
    latencyBinOf,
  )
  assert.deepEqual(
    latencyBoundsUs,
    latencyBoundsUs.toSorted((left, right) => left - right),
  )
  assert.equal(latencyBinCount, 15)
})

test('every measure has a name of its own', () => {
  assert.equal(new Set(measureNames).size, 6 + scoreBinCount + latencyBinCount + reasonCodes.length)
  assert.equal(noMeasures().length, measureNames.length)
})

const anyCounted: fc.Arbitrary<Counted> = fc.record({
  verdict: fc.constantFrom('GO', 'DEGRADED', 'NO-GO'),
  scoreHundredths: fc.integer({ min: 0, max: 100 }),
  confidenceHundredths: fc.integer({ min: 0, max: 100 }),
  isCooldownHit: fc.boolean(),
  reasonCodes: fc.subarray([...reasonCodes]),
  latencyUs: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

test('what was counted is what a plain look at every decision finds', () => {
  fc.assert(
    fc.property(fc.array(anyCounted, { maxLength: 40 }), (decisions) => {
      const measures = noMeasures()
      for (const decision of decisions) count(measures, decision)
      const totals = totalsOf(measures)
      const share = (verdict: string): number => decisions.filter((one) => one.verdict === verdict).length
      const hasCode = (code: ReasonCode): number =>
        decisions.filter((one) => one.reasonCodes.includes(code)).length
      assert.deepEqual(totals, {
        total: decisions.length,
        verdicts: { GO: share('GO'), DEGRADED: share('DEGRADED'), 'NO-GO': share('NO-GO') },
        scoreSum: sum(decisions.map((one) => one.scoreHundredths)),
        confidenceSum: sum(decisions.map((one) => one.confidenceHundredths)),
        cooldownHits: decisions.filter((one) => one.isCooldownHit).length,
        scores: totals.scores,
        latencies: totals.latencies,
        reasons: reasonCodes.map((code) => ({ code, count: hasCode(code) })),
      })
      for (const [bin, inBin] of totals.scores.entries()) {
        assert.equal(inBin, decisions.filter((one) => scoreBinOf(one.scoreHundredths) === bin).length)
      }
      for (const [bin, inBin] of totals.latencies.entries()) {
        const those = decisions.filter((one) => one.latencyUs !== null && latencyBinOf(one.latencyUs) === bin)
        assert.equal(inBin, those.length)
      }
    }),
  )
})
