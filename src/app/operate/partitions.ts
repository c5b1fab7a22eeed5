/** Detaches and attaches months of records, and checks when a month may be detached. */

import { monthEndMs, type Month } from '../../core/time/month.ts'
import { followAll } from '../followers/catch-up.ts'
import type { JournalStore } from '../ports/journal.ts'
import type {
  Attached,
  Detached,
  MonthNeeds,
  PartitionStore,
  StoredMonth,
} from '../ports/operate/partitions.ts'
import type { Clock } from '../ports/system.ts'
import type { FollowReviews } from '../review/follow.ts'
import { dayMs } from '../../core/time/durations.ts'

/** Wait after the end of a month, so that no instance with a late clock still writes to it. */
const gracePeriodMs = dayMs

interface PartitionDeps {
  readonly partitions: PartitionStore
  readonly clock: Clock
}

interface FollowedDeps extends PartitionDeps {
  readonly journal: JournalStore
  readonly followReviews: FollowReviews
}

export interface DetachRequest {
  readonly month: Month
  readonly by: string
  /** The duration of a cooldown. */
  readonly cooldownMs: number
  /** Checks without detaching. */
  readonly isDryRun: boolean
}

export type DetachOutcome =
  | Detached
  /** The month has not ended, or not long enough ago. */
  | { readonly kind: 'too_new'; readonly fromMs: number }
  | { readonly kind: 'needed'; readonly needs: MonthNeeds }
  | { readonly kind: 'would_detach'; readonly stored: StoredMonth }

/** Entries are followed first: followers read records, and cannot read those of a detached month. */
export async function detachMonth(
  { partitions, clock, journal, followReviews }: FollowedDeps,
  { month, by, cooldownMs, isDryRun }: DetachRequest,
): Promise<DetachOutcome> {
  const nowMs = clock.nowMs()
  await followReviews(await followAll(journal), () => false)
  const needs = await partitions.needs(month, { nowMs, cooldownMs })
  const fromMs = monthEndMs(month) + gracePeriodMs
  if (Math.min(nowMs, needs.databaseNowMs) < fromMs) return { kind: 'too_new', fromMs }
  const stored = (await partitions.list()).find((candidate) => candidate.month === month)
  if (stored === undefined) return { kind: 'unknown' }
  // A half-detached month cannot be left as it is: its records are already unavailable.
  const isNeeded = needs.pendingDeliveries + needs.openCooldowns + needs.waitingReviews > 0
  if (stored.state === 'attached' && isNeeded) return { kind: 'needed', needs }
  if (isDryRun && stored.away === null) return { kind: 'would_detach', stored }
  return partitions.detach({ month, by, nowMs })
}

/** A month that was away while its entries were followed is counted now. */
export async function attachMonth(
  { partitions, clock, journal, followReviews }: FollowedDeps,
  { month, by }: Pick<DetachRequest, 'month' | 'by'>,
): Promise<Attached> {
  await followReviews(await followAll(journal), () => false)
  const attached = await partitions.attach({ month, by, nowMs: clock.nowMs() })
  if (attached.kind === 'attached' || attached.kind === 'present') await journal.countMonth(month)
  return attached
}
