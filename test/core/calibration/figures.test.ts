/** The figures of calibration: exact, by ten bins, and right about failures that were planted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { createRng } from '../../../torture/random.ts'
import {
  cellsOfOutcome,
  cellsOfRecord,
  type CountedCell,
  type Predicted,
} from '../../../src/core/calibration/cells.ts'
import { curveOf, figuresOf, noScores, reliabilityOf } from '../../../src/core/calibration/figures.ts'
import { verdicts } from '../../../src/core/assess/report.ts'
import { reasonCodes } from '../../../src/core/decision/reasons.ts'
import { actualOutcomes, isFailure, isFinal, type ActualOutcome } from '../../../src/core/live/outcome.ts'
import { check } from '../../helpers/check.ts'
import {
  assertFigures,
  expectedCurve,
  expectedFigures,
  type EndedPayment,
} from '../../helpers/calibration.ts'

interface Paid extends Predicted {
  readonly outcome: ActualOutcome | null
}

const anyPaid: fc.Arbitrary<Paid> = fc.record(
  {
    mode: fc.constantFrom('shadow' as const, 'live' as const),
    verdict: fc.constantFrom(...verdicts),
    scoreHundredths: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 10, 48, 80, 90, 100)),
    amount: fc.option(fc.constantFrom(0, 0.5, 1, 1.01, 500, 50_000, 50_000.5, 1e15)),
    currency: fc.constantFrom('GBP', 'NGN'),
    reasonCodes: fc.subarray([...reasonCodes]),
    outcome: fc.option(fc.constantFrom(...actualOutcomes)),
  },
  { noNullPrototype: true },
)

/** As a follower sums them: one cell for each subject and place. */
function summed(cells: readonly CountedCell[]): CountedCell[] {
  const sums = new Map<string, CountedCell>()
  for (const cell of cells) {
    const key = `${cell.place} ${cell.subject}`
    const { records, failures } = sums.get(key) ?? { records: 0, failures: 0 }
    sums.set(key, { ...cell, records: records + cell.records, failures: failures + cell.failures })
  }
  return [...sums.values()]
}

const cellsOf = (paid: Paid): CountedCell[] => [
  ...cellsOfRecord(paid),
  ...(paid.outcome === null ? [] : cellsOfOutcome(paid, paid.outcome)),
]

const paymentOf = (paid: Paid): EndedPayment => ({ ...paid, corridor: 'GB-NG' })

/** So many payments of a score, of which so many failed. */
const ofScore = (score: number, records: number, failures: number) =>
  noScores().map((none, place) => (place === score ? { records, failures } : none))

test('Brier score, bins, signals and counts equal an exact computation, payment by payment', () => {
  const anyPayments = fc.array(anyPaid, { maxLength: 400, size: 'max' })
  fc.assert(
    fc.property(anyPayments, (payments) => {
      const figures = figuresOf(summed(payments.flatMap(cellsOf)))
      assertFigures(figures, expectedFigures(payments.map(paymentOf)))
    }),
    { numRuns: 200 },
  )
})

test('the order of decisions and outcomes does not matter, nor how they are summed', () => {
  const anyParts = fc.array(anyPaid, { maxLength: 60 }).chain((payments) => {
    const cells = payments.flatMap(cellsOf)
    return fc.tuple(fc.constant(cells), fc.shuffledSubarray(cells, { minLength: cells.length }), fc.nat(60))
  })
  fc.assert(
    fc.property(anyParts, ([cells, shuffled, cut]) => {
      const parts = [...summed(shuffled.slice(0, cut)), ...summed(shuffled.slice(cut))]
      assert.deepEqual(figuresOf(summed(parts)), figuresOf(summed(cells)))
    }),
  )
})

test('a score predicts failure with 1 − score, in ten bins that include their lower edge', () => {
  const binOf = (score: number): number =>
    reliabilityOf(ofScore(score, 1, 0)).findIndex(({ records }) => records === 1)
  check(
    [
      [100, 0],
      [91, 0],
      [90, 1],
      [89, 1],
      [81, 1],
      [80, 2],
      [50, 5],
      [48, 5],
      [11, 8],
      [10, 9],
      [1, 9],
      [0, 9],
    ],
    binOf,
  )
  const bins = reliabilityOf(noScores())
  assert.deepEqual(
    bins.map(({ from, to }) => [from, to]),
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((from, bin) => [from, (bin + 1) / 10]),
  )
  for (let score = 0; score <= 100; score += 1) {
    const inBins = reliabilityOf(ofScore(score, 3, 1)).filter(({ records }) => records > 0)
    assert.deepEqual(
      inBins.map(({ records, failures }) => [records, failures]),
      [[3, 1]],
      `a score of ${score} lies in one bin`,
    )
  }
})

test('a perfect prediction has a Brier score of 0, the opposite has 1, and a coin 0.25', () => {
  check(
    [
      [[100, 50, 0], 0],
      [[100, 50, 50], 1],
      [[0, 50, 50], 0],
      [[0, 50, 0], 1],
      [[50, 7, 3], 0.25],
      [[90, 10, 1], 0.09],
      [[80, 0, 0], null],
    ],
    ([score, records, failures]: readonly [number, number, number]) =>
      curveOf(ofScore(score, records, failures)).brier,
  )
})

test('without outcomes there is no rate and no Brier score, rather than 0', () => {
  const { brier, reliability, signals, ...counts } = figuresOf([])
  assert.deepEqual(counts, { records: 0, with_outcome: 0, failures: 0, censored: 0, no_data: 0 })
  assert.equal(brier, null)
  const rates = [...reliability, ...signals.flatMap(({ flagged, clear }) => [flagged, clear])]
  assert.equal(rates.length, 24)
  for (const { rate, low, high } of rates) assert.deepEqual([rate, low, high], [null, null, null])
})

test('a stopped payment is censored until it has ended, and a pending one has not', () => {
  const stopped: Paid = {
    mode: 'shadow',
    verdict: 'NO-GO',
    scoreHundredths: 30,
    amount: 5,
    currency: 'GBP',
    reasonCodes: ['NETWORK_DEGRADED'],
    outcome: null,
  }
  const censored = (outcome: ActualOutcome | null): number[] => {
    const {
      records,
      with_outcome: ended,
      censored: left,
    } = figuresOf(summed(cellsOf({ ...stopped, outcome })))
    return [records, ended, left]
  }
  assert.deepEqual(censored(null), [1, 0, 1])
  for (const outcome of actualOutcomes)
    assert.deepEqual(censored(outcome), isFinal(outcome) ? [1, 1, 0] : [1, 0, 1], outcome)
})

test('a live corridor without data is only counted as such, and an unsupported one in shadow mode like any other', () => {
  const unsupported = { verdict: 'NO-GO', scoreHundredths: 0, amount: 5, currency: 'GBP' } as const
  const counts = (mode: Predicted['mode']): number[] => {
    const paid: Paid = { ...unsupported, mode, reasonCodes: ['CORRIDOR_UNSUPPORTED'], outcome: 'FAILED' }
    const { records, with_outcome: ended, censored, no_data: noData } = figuresOf(summed(cellsOf(paid)))
    return [records, ended, censored, noData]
  }
  assert.deepEqual(counts('live'), [0, 0, 0, 1])
  assert.deepEqual(counts('shadow'), [1, 1, 0, 0])
})

/** The scores in the middle of the bins: predicted probabilities of 0.05, 0.15 … 0.95. */
const middles = Array.from({ length: 10 }, (_, bin) => 95 - 10 * bin)
const runs = 100
const perBin = 250

/** Payments that fail as often as their score says, and the bins whose interval contains that. */
function recoveredBins(seed: number): boolean[] {
  const rng = createRng(seed)
  const payments = middles.flatMap((scoreHundredths) =>
    Array.from({ length: perBin }, () => ({
      scoreHundredths,
      outcome: rng.next() * 100 < 100 - scoreHundredths ? ('REJECTED' as const) : ('COMPLETED' as const),
    })),
  )
  const byScore = noScores()
  for (const { scoreHundredths, outcome } of payments) {
    const sum = byScore[scoreHundredths] ?? assert.fail()
    sum.records += 1
    sum.failures += isFailure(outcome) ? 1 : 0
  }
  const curve = curveOf(byScore)
  assertFigures(curve, expectedCurve(payments))
  return curve.reliability.map(({ low, high }, bin) => {
    const planted = (100 - (middles[bin] ?? 0)) / 100
    return low !== null && high !== null && low <= planted && planted <= high
  })
}

test('planted probabilities lie in their intervals in 93 to 97 of 100 seeded runs', () => {
  const recovered = Array.from({ length: runs }, (_, run) => recoveredBins(29_000 + run))
  const count = (isWithin: readonly boolean[]): number => isWithin.filter(Boolean).length
  const all = count(recovered.flat())
  assert.ok(all >= 930 && all <= 970, `${all} of 1,000 intervals contain what was planted`)
  for (const [run, bins] of recovered.entries())
    assert.ok(count(bins) >= 7, `only ${count(bins)} of 10 intervals of run ${run}`)
  const perBinOf = middles.map((_, bin) => count(recovered.map((bins) => bins[bin] ?? false)))
  // Of 100 intervals 95 contain it on average, and two in three such counts lie within 2.2 of that.
  assert.ok(Math.min(...perBinOf) >= 88, perBinOf.join(' '))
  const average = perBinOf.reduce((sum, one) => sum + one, 0) / perBinOf.length
  assert.ok(average >= 93 && average <= 97, String(average))
})
