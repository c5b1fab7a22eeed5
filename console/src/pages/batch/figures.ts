/** The sums of a report's rows that its answer does not carry, in the order in which `fairway assess` has them. */

import type { Assessment, Decision, PaymentOutcome, ReasonCode } from '@fairway/client'

export type Counts = Readonly<Record<Decision, number>>

export const verdicts = ['GO', 'DEGRADED', 'NO-GO'] as const satisfies readonly Decision[]

export function countsOf(rows: readonly Assessment[]): Counts {
  const counts = { GO: 0, DEGRADED: 0, 'NO-GO': 0 }
  for (const { svc_decision: verdict } of rows) counts[verdict] += 1
  return counts
}

export interface ScoreBin {
  readonly from: number
  readonly to: number
  readonly count: number
}

const binCount = 25
const binHundredths = 4

/** Twenty-five bins of 0.04, so that the bands begin where bins do; 1.00 is in the last. */
export function binsOf(scores: readonly number[]): ScoreBin[] {
  const counts = Array.from({ length: binCount }, () => 0)
  for (const score of scores) {
    // Scores are whole hundredths; as binary fractions some are a little less.
    const bin = Math.min(binCount - 1, Math.floor(Math.round(score * 100) / binHundredths))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts.map((count, place) => ({
    from: (place * binHundredths) / 100,
    to: ((place + 1) * binHundredths) / 100,
    count,
  }))
}

export interface Group {
  readonly key: string
  readonly rows: readonly Assessment[]
}

function groups(rows: readonly Assessment[], keyOf: (row: Assessment) => string): Group[] {
  const found = new Map<string, Assessment[]>()
  for (const row of rows) {
    const known = found.get(keyOf(row))
    if (known === undefined) found.set(keyOf(row), [row])
    else known.push(row)
  }
  return [...found].map(([key, members]) => ({ key, rows: members }))
}

const byKey = (left: Group, right: Group): number => (left.key < right.key ? -1 : 1)

/** Those with the most rows first. */
export function byCorridor(rows: readonly Assessment[]): Group[] {
  return groups(rows, ({ corridor }) => corridor).toSorted(
    (left, right) => right.rows.length - left.rows.length || byKey(left, right),
  )
}

/** Months of the timestamps as they are written in the file, in order; rows without one come last, under an empty key. */
export function byMonth(rows: readonly Assessment[], timestampOf: (index: number) => string): Group[] {
  const monthOf = ({ index }: Assessment): string => /^\d{4}-\d{2}/.exec(timestampOf(index))?.[0] ?? ''
  const found = groups(rows, monthOf).toSorted(byKey)
  return [...found.filter(({ key }) => key !== ''), ...found.filter(({ key }) => key === '')]
}

/** How many rows carry each reason, the most frequent first. */
export function byReason(rows: readonly Assessment[]): [code: ReasonCode, count: number][] {
  const counts = new Map<ReasonCode, number>()
  for (const code of rows.flatMap(({ flags }) => flags)) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
}

export const outcomeColumns = ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING', null] as const

/** Whether verdict and outcome agree; null where that is not counted. */
export function agrees(verdict: Decision, outcome: PaymentOutcome | null): boolean | null {
  if (outcome === null || outcome === 'PENDING') return null
  return (verdict === 'GO') === (outcome === 'COMPLETED')
}

const strictness = (verdict: Decision): number => verdicts.indexOf(verdict)

export type Order = 'worst' | 'file' | 'score' | 'amount'

const orders: Readonly<Record<Order, (left: Assessment, right: Assessment) => number>> = {
  // As in the report: the strictest first, corridors with data before those without, then the lowest score.
  worst: (left, right) =>
    strictness(right.svc_decision) - strictness(left.svc_decision) ||
    Number(right.corridor_supported) - Number(left.corridor_supported) ||
    left.svc_score - right.svc_score ||
    left.index - right.index,
  file: (left, right) => left.index - right.index,
  score: (left, right) => right.svc_score - left.svc_score || left.index - right.index,
  amount: (left, right) => (right.amount ?? -1) - (left.amount ?? -1) || left.index - right.index,
}

export const inOrder = (rows: readonly Assessment[], order: Order): Assessment[] =>
  rows.toSorted(orders[order])
