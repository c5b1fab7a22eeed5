/** Port of live feeds: their readings, failures and states. */

import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { FeedValue } from '../../core/live/feed-map.ts'
import type { OutcomeCount } from '../../core/live/outcome.ts'
import type { SignalName } from '../../core/decision/signals.ts'

export interface SignalQuery {
  /** The owner, since a feed may use the owner's history. */
  readonly ownerId: string | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  /** Trace headers for requests to providers. */
  readonly headers?: { readonly traceparent?: string }
}

export type FeedKind = 'http' | 'fx-series' | 'outcomes' | 'constant'

/** Why a signal is unavailable. Operators see these values; they are stable. */
export type FeedFault =
  | 'no_feed'
  | 'refused'
  | 'timeout'
  | 'connection_lost'
  | 'bad_status'
  | 'redirect'
  | 'oversized'
  | 'unreadable'
  | 'no_value'
  | 'wrong_type'
  | 'out_of_range'
  | 'stale'
  | 'no_history'
  | 'breaker_open'
  | 'store_unavailable'

export interface FeedReading {
  readonly kind: 'read'
  readonly feed: FeedKind
  /** The provider's value. */
  readonly value: FeedValue
  /** On the signal's own scale: a count of flags, a failure rate in thousandths, or a risk value in thousandths. */
  readonly scaled: number
  /** Null if never observed, as for a constant. */
  readonly observedAtMs: number | null
  readonly maxAgeMs: number
  /** For a value computed from several: how many there were and how many are needed. */
  readonly history: { readonly have: number; readonly need: number } | null
  /** The duration of the read that fetched it. */
  readonly latencyMs: number
}

export interface FeedFailure {
  readonly kind: 'failed'
  readonly feed: FeedKind | null
  readonly fault: FeedFault
  /** A short text for operators; contains no secrets. */
  readonly detail: string
  readonly latencyMs: number
}

export type FeedResult = FeedReading | FeedFailure

export type BreakerState = 'closed' | 'open' | 'half_open'

/** The public state of a feed. Has no values, since a value may concern one caller's payment. */
export interface FeedState {
  readonly signal: SignalName
  readonly kind: FeedKind
  readonly breaker: BreakerState
  readonly lastReadAtMs: number | null
  /** The observation time of the last value. */
  readonly lastObservedAtMs: number | null
  /** The fault of the newest read; null if it succeeded. */
  readonly lastFault: FeedFault | null
}

export type FeedResults = Readonly<Record<SignalName, FeedResult>>

export interface LiveFeeds {
  /** Only signals with a feed, in the order of `signalNames`. */
  states(): readonly FeedState[]
  partnerFor(corridor: Corridor): string | null
  /** Reads all feeds concurrently under one deadline; never rejects. */
  read(query: SignalQuery): Promise<FeedResults>
}

/** The query of the `outcomes` feed. */
export interface OutcomeWindow {
  readonly ownerId: string
  readonly corridor: Corridor
  readonly sinceMs: number
  readonly untilMs: number
  /** Counts at most this many, the newest. */
  readonly countMax: number
}

export type CountOutcomes = (window: OutcomeWindow) => Promise<OutcomeCount>
