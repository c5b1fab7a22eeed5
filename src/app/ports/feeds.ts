/** What live mode needs of the world: a feed for each signal, and what can be told of them. */

import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { FeedValue } from '../../core/live/feed-map.ts'
import type { OutcomeCount } from '../../core/live/outcome.ts'
import type { SignalName } from '../../core/decision/signals.ts'

export interface SignalQuery {
  /** For whom: a feed may know an owner's own history. */
  readonly ownerId: string | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  /** For what is asked of others: headers that say whose trace it is part of. */
  readonly headers?: { readonly traceparent?: string }
}

export type FeedKind = 'http' | 'fx-series' | 'outcomes' | 'constant'

/** Why a signal cannot be had. The words are told to operators and are stable. */
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

/** One signal as a feed gave it. */
export interface FeedReading {
  readonly kind: 'read'
  readonly feed: FeedKind
  /** As the provider gave it. */
  readonly value: FeedValue
  /** On the signal's own scale: a count of flags, a failure rate in thousandths, or a risk value in thousandths. */
  readonly scaled: number
  /** Null for what was never observed, as a constant. */
  readonly observedAtMs: number | null
  readonly maxAgeMs: number
  /** Of a value that is made of many: how many there were, of how many there should be. */
  readonly history: { readonly have: number; readonly need: number } | null
  /** Of the read that fetched it. */
  readonly latencyMs: number
}

export interface FeedFailure {
  readonly kind: 'failed'
  readonly feed: FeedKind | null
  readonly fault: FeedFault
  /** A few words for an operator, without anything secret. */
  readonly detail: string
  readonly latencyMs: number
}

export type FeedResult = FeedReading | FeedFailure

export type BreakerState = 'closed' | 'open' | 'half_open'

/** What may be told of a feed to anybody: nothing of what it said, since that may be of one caller's payment. */
export interface FeedState {
  readonly signal: SignalName
  readonly kind: FeedKind
  readonly breaker: BreakerState
  readonly lastReadAtMs: number | null
  /** When the provider last observed what it gave us. */
  readonly lastObservedAtMs: number | null
  /** Of the newest read, where it failed. */
  readonly lastFault: FeedFault | null
}

export type FeedResults = Readonly<Record<SignalName, FeedResult>>

export interface LiveFeeds {
  /** Of the signals that have a feed, in the order of the signals. */
  states(): readonly FeedState[]
  partnerFor(corridor: Corridor): string | null
  /** All at once, under one deadline; never rejects. */
  read(query: SignalQuery): Promise<FeedResults>
}

/** How an owner's payments ended, as the `outcomes` feed asks for it. */
export interface OutcomeWindow {
  readonly ownerId: string
  readonly corridor: Corridor
  readonly sinceMs: number
  readonly untilMs: number
  /** Of more than these many, the newest. */
  readonly countMax: number
}

export type CountOutcomes = (window: OutcomeWindow) => Promise<OutcomeCount>
