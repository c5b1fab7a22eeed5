/** Tallies a batch in integers. Tallies of parts can be merged, so that workers share the rows with the same result. */

import type { Assessment } from './assessment.ts'
import type { ReasonCode } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'
import { noScores } from '../calibration/figures.ts'
import type { Counts } from '../calibration/rate.ts'
import { actualOutcomes, isFailure, isFinal, type ActualOutcome } from '../live/outcome.ts'

export const verdicts = ['GO', 'DEGRADED', 'NO-GO'] as const satisfies readonly Verdict[]

/** Counts by verdict, in the order of `verdicts`. */
export type VerdictCounts = [go: number, degraded: number, noGo: number]

export const outcomeColumns = [...actualOutcomes, 'NONE'] as const
export type OutcomeColumn = ActualOutcome | 'NONE'

export interface WorstRow {
  readonly index: number
  readonly transactionId: string
  readonly corridor: string
  readonly supported: boolean
  readonly amount: number | null
  readonly currency: string
  readonly actualOutcome: ActualOutcome | null
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly flags: readonly ReasonCode[]
}

export interface Tally {
  readonly counts: VerdictCounts
  scoreHundredthsSum: number
  confidenceHundredthsSum: number
  withOutcome: number
  aligned: number
  flaggedPreFailure: number
  improvements: number
  policyCapped: number
  unsupported: number
  /** The number of rows at each score, 0 to 100 hundredths. */
  readonly scores: number[]
  /** Of the rows with a final outcome, at each score. */
  readonly endedByScore: Counts[]
  readonly byOutcome: Record<OutcomeColumn, VerdictCounts>
  readonly byReason: Map<ReasonCode, number>
  readonly byCorridor: Map<string, VerdictCounts>
  readonly byMonth: Map<string, VerdictCounts>
  /** Worst first. */
  worst: WorstRow[]
}

/** Rows whose corridor or month is beyond `keysMax`. */
export const otherKey = 'other'
export const noMonthKey = 'no date'

/** A merged tally counts only the first corridors and months separately, to bound its memory. */
const keysMax = 1_000
export const worstRowsMax = 20

export function emptyTally(): Tally {
  const none = (): VerdictCounts => [0, 0, 0]
  return {
    counts: none(),
    scoreHundredthsSum: 0,
    confidenceHundredthsSum: 0,
    withOutcome: 0,
    aligned: 0,
    flaggedPreFailure: 0,
    improvements: 0,
    policyCapped: 0,
    unsupported: 0,
    scores: Array.from({ length: 101 }, () => 0),
    endedByScore: noScores(),
    byOutcome: {
      COMPLETED: none(),
      FAILED: none(),
      DELAYED: none(),
      REJECTED: none(),
      PENDING: none(),
      NONE: none(),
    },
    byReason: new Map(),
    byCorridor: new Map(),
    byMonth: new Map(),
    worst: [],
  }
}

const indexOf: Readonly<Record<Verdict, 0 | 1 | 2>> = { GO: 0, DEGRADED: 1, 'NO-GO': 2 }

export function add(tally: Tally, row: Assessment): void {
  const index = indexOf[row.verdict]
  const outcome = row.actualOutcome ?? 'NONE'
  tally.counts[index] += 1
  tally.scoreHundredthsSum += row.scoreHundredths
  tally.confidenceHundredthsSum += row.confidenceHundredths
  tally.scores[row.scoreHundredths] = (tally.scores[row.scoreHundredths] ?? 0) + 1
  tally.byOutcome[outcome][index] += 1
  if (row.actualOutcome !== null && isFinal(row.actualOutcome)) {
    const failures = isFailure(row.actualOutcome) ? 1 : 0
    addEnded(tally, row.scoreHundredths, { records: 1, failures })
  }
  if (row.alignment !== null) tally.withOutcome += 1
  if (row.alignment === true) tally.aligned += 1
  if (row.verdict !== 'GO' && (outcome === 'FAILED' || outcome === 'REJECTED')) tally.flaggedPreFailure += 1
  if (row.improvement) tally.improvements += 1
  if (row.policyCapped) tally.policyCapped += 1
  if (!row.supported) tally.unsupported += 1
  for (const code of row.flags) tally.byReason.set(code, (tally.byReason.get(code) ?? 0) + 1)
  countsOf(tally.byCorridor, row.corridor)[index] += 1
  countsOf(tally.byMonth, row.month ?? noMonthKey)[index] += 1
  insertWorst(tally.worst, row)
}

function addEnded({ endedByScore }: Tally, score: number, { records, failures }: Counts): void {
  const ended = endedByScore[score]
  if (ended === undefined) return
  ended.records += records
  ended.failures += failures
}

/** Keeps the list sorted and at most `worstRowsMax` long. */
function insertWorst(worst: WorstRow[], row: Assessment): void {
  const last = worst.at(-1)
  const isFull = worst.length >= worstRowsMax
  if (isFull && last !== undefined && worseFirst(row, last) > 0) return
  if (isFull) worst.pop()
  const after = worst.findIndex((other) => worseFirst(row, other) < 0)
  worst.splice(after < 0 ? worst.length : after, 0, worstRow(row))
}

/** Adds the tally of the next part. Parts must be merged in order. */
export function merge(into: Tally, later: Tally): void {
  addCounts(into.counts, later.counts)
  into.scoreHundredthsSum += later.scoreHundredthsSum
  into.confidenceHundredthsSum += later.confidenceHundredthsSum
  into.withOutcome += later.withOutcome
  into.aligned += later.aligned
  into.flaggedPreFailure += later.flaggedPreFailure
  into.improvements += later.improvements
  into.policyCapped += later.policyCapped
  into.unsupported += later.unsupported
  for (const [score, count] of later.scores.entries()) into.scores[score] = (into.scores[score] ?? 0) + count
  for (const [score, ended] of later.endedByScore.entries()) addEnded(into, score, ended)
  for (const outcome of outcomeColumns) addCounts(into.byOutcome[outcome], later.byOutcome[outcome])
  for (const [code, count] of later.byReason) into.byReason.set(code, (into.byReason.get(code) ?? 0) + count)
  for (const [key, counts] of later.byCorridor) addCounts(boundedCountsOf(into.byCorridor, key), counts)
  for (const [key, counts] of later.byMonth) addCounts(boundedCountsOf(into.byMonth, key), counts)
  into.worst = worstOf([...into.worst, ...later.worst])
}

function addCounts(into: VerdictCounts, more: VerdictCounts): void {
  for (const index of [0, 1, 2] as const) into[index] += more[index]
}

function countsOf(map: Map<string, VerdictCounts>, key: string): VerdictCounts {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const counts: VerdictCounts = [0, 0, 0]
  map.set(key, counts)
  return counts
}

/** Applies `keysMax` only when merging: parts count every key, so the result does not depend on how rows are split. */
function boundedCountsOf(map: Map<string, VerdictCounts>, key: string): VerdictCounts {
  return countsOf(map, map.size < keysMax || map.has(key) ? key : otherKey)
}

function worstRow(row: Assessment): WorstRow {
  return {
    index: row.index,
    transactionId: row.transactionId,
    corridor: row.corridor,
    supported: row.supported,
    amount: row.amount,
    currency: row.currency,
    actualOutcome: row.actualOutcome,
    verdict: row.verdict,
    scoreHundredths: row.scoreHundredths,
    flags: row.flags,
  }
}

type Standing = Pick<WorstRow, 'verdict' | 'supported' | 'scoreHundredths' | 'index'>

/** `NO-GO` before `DEGRADED`, supported before unsupported, lower score first, then earlier row. */
function worseFirst(left: Standing, right: Standing): number {
  return (
    indexOf[right.verdict] - indexOf[left.verdict] ||
    Number(right.supported) - Number(left.supported) ||
    left.scoreHundredths - right.scoreHundredths ||
    left.index - right.index
  )
}

function worstOf(rows: readonly WorstRow[]): WorstRow[] {
  return rows.toSorted(worseFirst).slice(0, worstRowsMax)
}

export interface Summary {
  readonly total: number
  readonly counts: VerdictCounts
  /** Tenths of a percent. */
  readonly permille: VerdictCounts
  /** Ten-thousandths of the score unit. */
  readonly averageScoreTenThousandths: number
  readonly averageConfidenceTenThousandths: number
  readonly alignmentPermille: number | null
  readonly flaggedPreFailure: number
  readonly improvements: number
  readonly withOutcome: number
  readonly uncertainty: number
  readonly uncertaintyBand: UncertaintyBand
}

export function summaryOf(tally: Tally): Summary {
  const { counts, withOutcome } = tally
  const total = counts[0] + counts[1] + counts[2]
  const permille = counts.map((count) => ratioHalfUp(count * 1_000, total)) as VerdictCounts
  const uncertainty = uncertaintyScore(permille[2], permille[1])
  return {
    total,
    counts,
    permille,
    averageScoreTenThousandths: ratioHalfUp(tally.scoreHundredthsSum * 100, total),
    averageConfidenceTenThousandths: ratioHalfUp(tally.confidenceHundredthsSum * 100, total),
    alignmentPermille: withOutcome === 0 ? null : ratioHalfUp(tally.aligned * 1_000, withOutcome),
    flaggedPreFailure: tally.flaggedPreFailure,
    improvements: tally.improvements,
    withOutcome,
    uncertainty,
    uncertaintyBand: uncertaintyBandOf(uncertainty),
  }
}

/** The quotient rounded half up to an integer; 0 for a zero denominator. */
export function ratioHalfUp(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** The Execution Uncertainty Score: `round(min(100, no_go_pct * 3.5 + degraded_pct))`, from tenths of a percent. */
export function uncertaintyScore(noGoPermille: number, degradedPermille: number): number {
  return Math.min(100, Math.floor((7 * noGoPermille + 2 * degradedPermille + 10) / 20))
}

export const uncertaintyBands = [
  ['Low', 0],
  ['Moderate', 21],
  ['High', 36],
  ['Critical', 61],
] as const

export type UncertaintyBand = (typeof uncertaintyBands)[number][0]

export function uncertaintyBandOf(score: number): UncertaintyBand {
  return uncertaintyBands.findLast(([, from]) => score >= from)?.[0] ?? 'Low'
}
