/** Totals that the API's report does not include, in the order of the `fairway assess` report. */

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

/** 25 bins of 0.04, so that bands start where bins do. The last bin includes 1.00. */
export function binsOf(scores: readonly number[]): ScoreBin[] {
  const counts = Array.from({ length: binCount }, () => 0)
  for (const score of scores) {
    // Scores are whole hundredths, but some binary fractions are slightly smaller.
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
  const members = new Map<string, Assessment[]>()
  for (const row of rows) {
    const group = members.get(keyOf(row))
    if (group === undefined) members.set(keyOf(row), [row])
    else group.push(row)
  }
  return [...members].map(([key, group]) => ({ key, rows: group }))
}

const byKey = (left: Group, right: Group): number => (left.key < right.key ? -1 : 1)

/** Largest group first. */
export function byCorridor(rows: readonly Assessment[]): Group[] {
  return groups(rows, ({ corridor }) => corridor).toSorted(
    (left, right) => right.rows.length - left.rows.length || byKey(left, right),
  )
}

/** Months as written in the file's timestamps, in order. Rows without one are last, under an empty key. */
export function byMonth(rows: readonly Assessment[], timestampOf: (index: number) => string): Group[] {
  const monthOf = ({ index }: Assessment): string => /^\d{4}-\d{2}/.exec(timestampOf(index))?.[0] ?? ''
  const months = groups(rows, monthOf).toSorted(byKey)
  return [...months.filter(({ key }) => key !== ''), ...months.filter(({ key }) => key === '')]
}

/** The number of rows with each reason, most frequent first. */
export function byReason(rows: readonly Assessment[]): [code: ReasonCode, count: number][] {
  const counts = new Map<ReasonCode, number>()
  for (const code of rows.flatMap(({ flags }) => flags)) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
}

export const outcomeColumns = ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING', null] as const

/** Whether verdict and outcome match; null if not counted. */
export function agrees(verdict: Decision, outcome: PaymentOutcome | null): boolean | null {
  if (outcome === null || outcome === 'PENDING') return null
  return (verdict === 'GO') === (outcome === 'COMPLETED')
}

const strictness = (verdict: Decision): number => verdicts.indexOf(verdict)

export type Order = 'worst' | 'file' | 'score' | 'amount'

const orders: Readonly<Record<Order, (left: Assessment, right: Assessment) => number>> = {
  // As in the `fairway assess` report: strictest verdict, then supported corridors, then lowest score.
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
