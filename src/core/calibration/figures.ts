/** Compares scores with how payments ended. A score predicts failure with a probability of 1 − score. */

import { signalNames } from '../decision/signals.ts'
import type { CountedCell, Subject } from './cells.ts'
import { rateOf, type Counts, type Rate } from './rate.ts'

/** Ended payments and the failures among them, by score in hundredths. */
export type ByScore = readonly Readonly<Counts>[]

const binCount = 10
const binHundredths = 100 / binCount
const scoresMax = 100

export interface Bin extends Rate {
  /** Predicted probabilities from this one on. */
  readonly from: number
  /** Below this one; the last bin includes 1. */
  readonly to: number
}

/** Ten bins of equal width. */
export function reliabilityOf(byScore: ByScore): Bin[] {
  const sums = Array.from({ length: binCount }, (): Counts => ({ records: 0, failures: 0 }))
  for (const [score, { records, failures }] of byScore.entries()) {
    const sum = sums[Math.min(binCount - 1, Math.floor((scoresMax - score) / binHundredths))]
    if (sum === undefined) continue
    sum.records += records
    sum.failures += failures
  }
  return sums.map((sum, bin) => ({ from: bin / binCount, to: (bin + 1) / binCount, ...rateOf(sum) }))
}

/** The mean squared distance between prediction and outcome: 0 is perfect, and a coin has 0.25. Null without outcomes. */
function brierOf(byScore: ByScore): number | null {
  // Integers, in hundredths squared, so that one division is the only rounding.
  let squares = 0
  let total = 0
  for (const [score, { records, failures }] of byScore.entries()) {
    const predicted = scoresMax - score
    squares += failures * score * score + (records - failures) * predicted * predicted
    total += records
  }
  return total === 0 ? null : squares / (scoresMax * scoresMax * total)
}

export function noScores(): Counts[] {
  return Array.from({ length: scoresMax + 1 }, () => ({ records: 0, failures: 0 }))
}

/** The predictions of some scores beside how the payments ended. */
export function curveOf(byScore: ByScore) {
  const { records, failures } = sumOf(byScore)
  return {
    with_outcome: records,
    failures,
    brier: brierOf(byScore),
    reliability: reliabilityOf(byScore),
  }
}

export function figuresOf(cells: readonly CountedCell[]) {
  const byScore = noScores()
  for (const { subject, place, records, failures } of cells) {
    const sum = outcomeSubjects.has(subject) ? byScore[place] : undefined
    if (sum === undefined) continue
    sum.records += records
    sum.failures += failures
  }
  return {
    records: countOf(cells, 'records').records,
    ...curveOf(byScore),
    signals: signalNames.map((signal, place) => ({
      signal,
      flagged: rateOf(countOf(cells, 'flagged', place)),
      clear: rateOf(countOf(cells, 'clear', place)),
    })),
    censored: countOf(cells, 'stopped').records,
    no_data: countOf(cells, 'no_data').records,
  }
}

/** Every final outcome is counted under exactly one of these. */
export const outcomeSubjects: ReadonlySet<string> = new Set<Subject>([
  'GO',
  'DEGRADED',
  'NO-GO',
  'unsupported',
])

export function countOf(cells: readonly CountedCell[], subject: Subject, place = 0): Readonly<Counts> {
  return cells.find((cell) => cell.subject === subject && cell.place === place) ?? { records: 0, failures: 0 }
}

export function sumOf(counts: readonly Readonly<Counts>[]): Counts {
  const sum = { records: 0, failures: 0 }
  for (const { records, failures } of counts) {
    sum.records += records
    sum.failures += failures
  }
  return sum
}
