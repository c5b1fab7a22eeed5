/** Months that an operator takes away and brings back: when they may go. */

import { monthEndMs, type Month } from '../../core/time/month.ts'
import type { Attached, Detached, MonthNeeds, PartitionStore, StoredMonth } from '../ports/partitions.ts'
import type { Clock } from '../ports/system.ts'
import { dayMs } from '../../core/time/durations.ts'

/** After its end: whoever still writes in a month, with a clock that is late, has long ended. */
const quietMs = dayMs

export interface PartitionDeps {
  readonly partitions: PartitionStore
  readonly clock: Clock
}

export interface DetachRequest {
  readonly month: Month
  readonly by: string
  /** How long a `NO-GO` is repeated. */
  readonly cooldownMs: number
  /** Only says what would be done. */
  readonly isDryRun: boolean
}

export type DetachOutcome =
  | Detached
  /** It is not over, or not for long enough. */
  | { readonly kind: 'too_new'; readonly fromMs: number }
  | { readonly kind: 'needed'; readonly needs: MonthNeeds }
  | { readonly kind: 'would_detach'; readonly stored: StoredMonth }

export async function detachMonth(
  { partitions, clock }: PartitionDeps,
  { month, by, cooldownMs, isDryRun }: DetachRequest,
): Promise<DetachOutcome> {
  const nowMs = clock.nowMs()
  const needs = await partitions.needs(month, nowMs - cooldownMs)
  const fromMs = monthEndMs(month) + quietMs
  if (Math.min(nowMs, needs.databaseNowMs) < fromMs) return { kind: 'too_new', fromMs }
  const stored = (await partitions.list()).find((one) => one.month === month)
  if (stored === undefined) return { kind: 'unknown' }
  // What is half-way is past the point of return: its records are unknown already.
  const isNeeded = needs.pendingDeliveries + needs.openCooldowns > 0
  if (stored.state === 'attached' && isNeeded) return { kind: 'needed', needs }
  if (isDryRun && stored.away === null) return { kind: 'would_detach', stored }
  return partitions.detach({ month, by, nowMs })
}

export function attachMonth(
  { partitions, clock }: PartitionDeps,
  { month, by }: Pick<DetachRequest, 'month' | 'by'>,
): Promise<Attached> {
  return partitions.attach({ month, by, nowMs: clock.nowMs() })
}
