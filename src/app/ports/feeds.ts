/** Port of live feeds: their readings, failures and states. */

import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { FeedValue } from '../../core/live/feed-map.ts'
import type { OutcomeCount } from '../../core/live/outcome.ts'
import type { LivePartner, World } from '../../core/live/world.ts'
import type { SignalName } from '../../core/decision/signals.ts'

export interface SignalQuery {
  /** Only these partners; all if it is absent. */
  readonly partners?: readonly string[]
  /** The owner, since a feed may use the owner's history. */
  readonly ownerId: string | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  /** Trace headers for requests to providers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A query for one partner; null: the corridor has none. */
export interface RouteQuery extends SignalQuery {
  readonly partner: string | null
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

/** The place in the file where a feed is declared; both null for the file itself. */
export interface FeedPlace {
  readonly corridor: Corridor | null
  readonly partner: string | null
}

/** The public state of a feed. Has no values, since a value may concern one caller's payment. */
export interface FeedState extends FeedPlace {
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

/** The readings of one partner; null: of a corridor without partners. */
export interface RouteResults {
  readonly partner: LivePartner | null
  readonly results: FeedResults
}

/** The readings that need no payment: neither an amount, nor an owner's history, nor an operator's assumption. */
export interface ProbedRoute {
  readonly partner: LivePartner | null
  readonly results: Readonly<Partial<FeedResults>>
}

/** The feeds of one version of the file. */
export interface FeedSet {
  /** False without a feeds file. */
  readonly isConfigured: boolean
  readonly world: World
  /** One for each declared feed: those of the file, then of corridors, then of partners. */
  states(): readonly FeedState[]
  /** The signals of this corridor for which it, or one of its partners, has a feed. */
  signalsOf(corridor: Corridor): readonly SignalName[]
  /**
   * Reads the feeds of a declared corridor concurrently under one deadline, each once for all partners that share it.
   * Never rejects. An undeclared corridor has no routes.
   */
  read(query: SignalQuery): Promise<RouteResults[]>
  probe(corridor: Corridor): Promise<ProbedRoute[]>
  /** Whether the corridor has a feed that needs no payment. */
  isProbed(corridor: Corridor): boolean
}

export interface LiveFeeds {
  /** Replaced as a whole when the file is reloaded: whoever needs two answers to agree keeps one set. */
  current(): FeedSet
}

/** The query of the `outcomes` feed. */
export interface OutcomeWindow {
  readonly ownerId: string
  readonly corridor: Corridor
  /** Only payments that went through this partner; null: all. */
  readonly partner: string | null
  readonly sinceMs: number
  readonly untilMs: number
  /** Counts at most this many, the newest. */
  readonly countMax: number
}

export type CountOutcomes = (window: OutcomeWindow) => Promise<OutcomeCount>
