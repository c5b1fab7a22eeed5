/** Port of the service metrics. They contain no payment data. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { FeedState } from './feeds.ts'
import type { FollowerName } from './journal.ts'
import type { Attempt } from './webhooks.ts'

/** The origin of an answer: computed, repeated by a cooldown, or replayed for an idempotency key. */
type DecisionSource = 'computed' | 'cooldown' | 'replay'

interface AnsweredRequest {
  readonly method: string
  /** The route pattern, never the URL; undefined if no route matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** Label values come from fixed lists: input from callers never creates a new one. */
export interface Metrics {
  answered(request: AnsweredRequest): void
  decided(verdict: Verdict, mode: Mode, source: DecisionSource): void
  /** A live decision was computed. The corridor is null unless the operator declared it: callers may name any. */
  liveComputed(verdict: Verdict, corridor: Corridor | null): void
  /** A request to verify got no decision. The mode is unknown if the caller is; the reason is the code of the error. */
  held(mode: Mode | 'unknown', reason: string): void
  /** The named rate limit refused a request. */
  limited(limit: string): void
  /** A request was refused because the event loop is late. */
  shed(): void
  /** The lag of the event loop, and the share of requests refused because of it. */
  loopMeasured(lagSeconds: number, shedShare: number): void
  storeAnswered(operation: StoreOperation, seconds: number, isOk: boolean): void
  /** The database refused a statement for a cause that a retry cannot mend. */
  storeRefused(): void
  webhookAttempted(attempt: Attempt, delivered: boolean): void
  webhookDropped(): void
  /** A follower's run failed; it will be retried. */
  followerFailed(name: FollowerName): void
  /** Registers sources that are read when metrics are collected. */
  watch(sources: MetricSources): void
  readonly contentType: string
  text(): Promise<string>
}

export type StoreOperation = 'look' | 'commit'

export interface MetricSources {
  /** Null if the store does not answer. */
  readonly service: () => Promise<ServiceGauges | null>
  readonly feeds: () => readonly FeedState[]
}

/** How far a follower is behind the newest entry. */
export interface FollowerLag {
  readonly follower: FollowerName
  readonly entries: number
  /** The age of the oldest entry that it has not passed. */
  readonly seconds: number
  /** Whether its last run failed, in this instance. */
  readonly isFailing: boolean
}

export interface StoreGauges {
  /** Whether the database refuses to change records. */
  readonly isWriteOnce: boolean
  readonly records: number
  readonly cooldownsOpen: number
  /** Without those that wait for a failing host. Counts at most ten thousand. */
  readonly outboxPending: number
  readonly outboxOldestAtMs: number | null
  readonly endpointsSuspended: number
  readonly logSize: number
  readonly logWaiting: number
  /** Whether subjects recorded before the log existed are still unsealed. */
  readonly hasLogBacklog: boolean
  /** The newest checkpoint. */
  readonly note: string | null
  /** Of live decisions; each counts at most ten thousand. */
  readonly reviewsWaiting: number
  readonly reviewsOverdue: number
  readonly reviewsOldestDueAtMs: number | null
}

/** Figures of the database, the same for all its instances. Ages are in seconds. */
export interface ServiceGauges {
  readonly answerSeconds: number
  /** 1 or 0. */
  readonly recordsWriteOnce: number
  readonly records: number
  readonly cooldownsOpen: number
  readonly outboxPending: number
  readonly outboxOldestAge: number
  readonly endpointsSuspended: number
  readonly logSize: number
  readonly logWaiting: number
  readonly logBacklog: number
  /** Null before the first checkpoint. */
  readonly logCheckpointAge: number | null
  /** In seconds; null if the log has had one key only. */
  readonly logKeyChangeAge: number | null
  /** Of live decisions. */
  readonly reviewsWaiting: number
  readonly reviewsOverdue: number
  /** Since the oldest of them was due; 0 if none is overdue. */
  readonly reviewsOverdueAge: number
  readonly followers: readonly FollowerLag[]
}
