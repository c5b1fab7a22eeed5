/** Ports of the signal sources. */

import type { FeedValue } from '../../core/live/feed-map.ts'
import type { Telemetry } from '../../core/decision/score.ts'
import type { Readings, SignalName, SignalOrigin } from '../../core/decision/signals.ts'
import type { FeedKind, FeedResults, FeedState, SignalQuery } from './feeds.ts'

export type SignalReport =
  | {
      readonly kind: 'read'
      readonly source: SignalOrigin
      readonly readings: Readings
      readonly volatility: number
      readonly recommendedPartner: string | null
      /** Set for a live reading if telemetry has a weight. */
      readonly telemetry?: Telemetry
      /** Test amounts are switched off, and this amount would have been one. */
      readonly ignoredTestAmount?: true
      /** For a live reading: the value of each feed, in the order of `signalNames`. */
      readonly feeds?: readonly FeedEvidence[]
    }
  | { readonly kind: 'unavailable'; readonly signals: readonly UnavailableSignal[] }

/** The recorded value of a feed, in addition to the risk value derived from it. */
export interface FeedEvidence {
  readonly kind: FeedKind
  readonly value: FeedValue
  readonly observed_at_ms: number | null
  /** Set for a value computed from several. */
  readonly history?: { readonly have: number; readonly need: number }
}

/** One of the seven signals, or telemetry if it has a weight. */
export type UnavailableSignal = SignalName | 'corridor_telemetry'

export interface SignalSource {
  /** The signals for which it has a feed. */
  readonly signals: readonly SignalName[]
  read(query: SignalQuery): Promise<SignalReport>
}

/** The live source with the state of its feeds. */
export interface LiveSource extends SignalSource {
  /** Reads each feed, whether or not the result is enough for a decision. */
  readFeeds(query: SignalQuery): Promise<FeedResults>
  states(): readonly FeedState[]
}
