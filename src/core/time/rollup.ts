/** Rollups of decisions by hour and day: integer sums and histograms, which can be added. */

import { reasonCodes, type ReasonCode } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'

/** Bins of 0.04, so that the band limits 0.48 and 0.80 are bin edges. The last bin includes 1.00. */
export const scoreBinHundredths = 4
export const scoreBinCount = 25

/** Inclusive upper bounds of the bins; one more bin holds everything longer. */
export const latencyBoundsUs: readonly number[] = [
  250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
  5_000_000,
]
export const latencyBinCount = latencyBoundsUs.length + 1

export function scoreBinOf(scoreHundredths: number): number {
  return Math.min(scoreBinCount - 1, Math.floor(scoreHundredths / scoreBinHundredths))
}

export function latencyBinOf(latencyUs: number): number {
  let bin = 0
  while (bin < latencyBoundsUs.length && latencyUs > (latencyBoundsUs[bin] ?? 0)) bin += 1
  return bin
}

/** The counted values of one decision. */
export interface Counted {
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
  readonly isCooldownHit: boolean
  readonly reasonCodes: readonly ReasonCode[]
  /** Null if not measured. */
  readonly latencyUs: number | null
}

/** The names of the measures, in the order of `Measures`. */
export const measureNames: readonly string[] = [
  'go',
  'degraded',
  'no_go',
  'score_sum',
  'confidence_sum',
  'cooldown_hits',
  ...Array.from({ length: scoreBinCount }, (_, bin) => `score_${twoDigits(bin * scoreBinHundredths)}`),
  ...latencyBoundsUs.map((boundUs) => `latency_${boundUs}us`),
  'latency_longer',
  ...reasonCodes.map((code) => `reason_${code.toLowerCase()}`),
]

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** A list of numbers, in the stored order. */
export type Measures = number[]

const verdictIndex: Readonly<Record<Verdict, number>> = { GO: 0, DEGRADED: 1, 'NO-GO': 2 }
const scoreSumAt = 3
const confidenceSumAt = 4
const cooldownHitsAt = 5
const scoresAt = 6
const latenciesAt = scoresAt + scoreBinCount
const reasonsAt = latenciesAt + latencyBinCount
const reasonIndex = new Map<ReasonCode, number>(reasonCodes.map((code, index) => [code, reasonsAt + index]))

const zeros: Readonly<Measures> = measureNames.map(() => 0)

export function noMeasures(): Measures {
  return zeros.slice()
}

/** Adds one decision to the measures. */
export function count(measures: Measures, counted: Counted): void {
  const { scoreHundredths, latencyUs } = counted
  add(measures, verdictIndex[counted.verdict], 1)
  add(measures, scoreSumAt, scoreHundredths)
  add(measures, confidenceSumAt, counted.confidenceHundredths)
  if (counted.isCooldownHit) add(measures, cooldownHitsAt, 1)
  add(measures, scoresAt + scoreBinOf(scoreHundredths), 1)
  if (latencyUs !== null) add(measures, latenciesAt + latencyBinOf(latencyUs), 1)
  for (const code of counted.reasonCodes) {
    const index = reasonIndex.get(code)
    if (index !== undefined) add(measures, index, 1)
  }
}

function add(measures: Measures, index: number, amount: number): void {
  measures[index] = (measures[index] ?? 0) + amount
}

export function sumOf(left: readonly number[], right: readonly number[]): Measures {
  return left.map((value, index) => value + (right[index] ?? 0))
}

/** The measures by name. */
export interface Totals {
  readonly total: number
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly scoreSum: number
  readonly confidenceSum: number
  readonly cooldownHits: number
  readonly scores: readonly number[]
  readonly latencies: readonly number[]
  readonly reasons: readonly { readonly code: ReasonCode; readonly count: number }[]
}

export function totalsOf(measures: readonly number[]): Totals {
  const [go = 0, degraded = 0, noGo = 0, scoreSum = 0, confidenceSum = 0, cooldownHits = 0] = measures
  return {
    total: go + degraded + noGo,
    verdicts: { GO: go, DEGRADED: degraded, 'NO-GO': noGo },
    scoreSum,
    confidenceSum,
    cooldownHits,
    scores: measures.slice(scoresAt, latenciesAt),
    latencies: measures.slice(latenciesAt, reasonsAt),
    reasons: reasonCodes.map((code, index) => ({ code, count: measures[reasonsAt + index] ?? 0 })),
  }
}
