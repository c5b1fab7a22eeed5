/** What is counted and measured for the operator: of the whole service, and of nobody's payments. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { FeedState } from './feeds.ts'
import type { Attempt } from './webhooks.ts'

/** How an answer came about: decided now, repeated by a cooldown, or given again to the same idempotency key. */
type DecisionSource = 'computed' | 'cooldown' | 'replay'

interface AnsweredRequest {
  readonly method: string
  /** The pattern, never the address; undefined where there is none. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** Every label is one of a few words that we have written ourselves: what callers send never makes a new one. */
export interface Metrics {
  answered(request: AnsweredRequest): void
  decided(verdict: Verdict, mode: Mode, source: DecisionSource): void
  /** Signals could not be read, and so nothing was decided. */
  held(mode: Mode): void
  /** A rate limit, by its name, refused a request. */
  limited(limit: string): void
  /** A request was refused since the event loop is late. */
  shed(): void
  /** How late the event loop was, and what share of requests is refused for it. */
  loopMeasured(lagSeconds: number, shedShare: number): void
  storeAnswered(operation: StoreOperation, seconds: number, isOk: boolean): void
  webhookAttempted(attempt: Attempt, delivered: boolean): void
  webhookDropped(): void
  /** What else is told, and whom to ask for it. */
  watch(sources: MetricSources): void
  readonly contentType: string
  text(): Promise<string>
}

export type StoreOperation = 'look' | 'commit'

export interface MetricSources {
  /** Null where the store does not answer. */
  readonly service: () => Promise<ServiceFigures | null>
  readonly feeds: () => readonly FeedState[]
}

/** What the store counts when it is asked. */
export interface StoreFigures {
  readonly records: number
  readonly cooldownsOpen: number
  /** Of a long outbox, the first ten thousand are looked at. */
  readonly outboxPending: number
  readonly outboxOldestAtMs: number | null
  readonly logSize: number
  readonly logWaiting: number
  /** Whether something that was recorded before there was a log is not in it yet. */
  readonly hasLogBacklog: boolean
  /** The newest checkpoint. */
  readonly note: string | null
}

/** The same for all instances on one database, ready to be shown. Ages are in seconds. */
export interface ServiceFigures {
  readonly answerSeconds: number
  readonly records: number
  readonly cooldownsOpen: number
  readonly outboxPending: number
  readonly outboxOldestAge: number
  readonly logSize: number
  readonly logWaiting: number
  readonly logBacklog: number
  /** Null before the first. */
  readonly logCheckpointAge: number | null
}
