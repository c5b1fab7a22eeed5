/** Formats integer figures as text with separators and units. */

import { ratioHalfUp, verdicts, type VerdictCounts } from '../../../core/assess/report.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import { withThousands } from '../../../core/explain/wording.ts'

/** An integer as a decimal: 4_812 with 4 digits is `0.4812`. */
export function decimal(value: number, digits: number): string {
  const text = String(value).padStart(digits + 1, '0')
  return `${withThousands(Number(text.slice(0, -digits)))}.${text.slice(-digits)}`
}

export const percent = (permille: number): string => `${decimal(permille, 1)}%`

/** Tenths of a percent, rounded half up, in integer arithmetic. */
function permilleOf(count: number, total: number): number {
  return ratioHalfUp(1_000 * count, total)
}

/** A small share above zero is never shown as 0.0%. */
export function shareText(count: number, permille: number): string {
  return permille === 0 && count > 0 ? '<0.1%' : percent(permille)
}

export function share(count: number, total: number): string {
  return shareText(count, permilleOf(count, total))
}

/** `2026-03-01 09:30:15 UTC` */
export function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `2026-03` becomes `Mar 2026`; other text is unchanged. */
export function monthName(key: string): string {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(key) ?? []
  const name = monthNames[Number(month) - 1]
  return name === undefined || year === undefined ? key : `${name} ${year}`
}

export function rowsIn(counts: VerdictCounts): number {
  return counts[0] + counts[1] + counts[2]
}

export function sumOf(many: readonly VerdictCounts[]): VerdictCounts {
  const sum: VerdictCounts = [0, 0, 0]
  for (const counts of many) for (const place of [0, 1, 2] as const) sum[place] += counts[place]
  return sum
}

/** Each verdict with its count, in the order of `verdicts`. */
export function byVerdict(counts: VerdictCounts): { verdict: Verdict; count: number }[] {
  return verdicts.map((verdict, place) => ({ verdict, count: counts[place] ?? 0 }))
}

/** The name of a verdict in the stylesheet. */
export const toneOf: Readonly<Record<Verdict, string>> = { GO: 'go', DEGRADED: 'degraded', 'NO-GO': 'nogo' }
