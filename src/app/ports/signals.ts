/** Where the seven signals of a decision come from. */

import type { FeedValue } from '../../core/live/feed-map.ts'
import type { Telemetry } from '../../core/decision/score.ts'
import type { Readings, SignalName } from '../../core/decision/signals.ts'
import type { FeedKind, FeedResults, FeedState, SignalQuery } from './feeds.ts'

export type SignalReport =
  | {
      readonly kind: 'read'
      readonly source: 'simulation' | 'live'
      readonly readings: Readings
      readonly volatility: number
      readonly recommendedPartner: string | null
      /** Of a live reading in which telemetry has a say. */
      readonly telemetry?: Telemetry
      /** Of a live reading: what each feed gave, in the order of the signals. */
      readonly feeds?: readonly FeedNote[]
    }
  | { readonly kind: 'unavailable'; readonly signals: readonly UnavailableSignal[] }

/** What is kept of a feed's word beside the risk value that was made of it. */
export interface FeedNote {
  readonly kind: FeedKind
  readonly value: FeedValue
  readonly observed_at_ms: number | null
  /** Of a value that is made of many. */
  readonly history?: { readonly have: number; readonly need: number }
}

/** One of the seven, or the telemetry where it has a say. */
export type UnavailableSignal = SignalName | 'corridor_telemetry'

export interface SignalSource {
  /** Those for which it has a feed. */
  readonly signals: readonly SignalName[]
  read(query: SignalQuery): Promise<SignalReport>
}

/** The live source, and what it can tell of its feeds. */
export interface LiveSource extends SignalSource {
  /** What each feed says now, whether or not it is enough to decide. */
  look(query: SignalQuery): Promise<FeedResults>
  states(): readonly FeedState[]
}
