/** Ports of the signal sources. */

import type { TelemetryScope } from '../../core/live/cip.ts'
import type { FeedValue } from '../../core/live/feed-map.ts'
import type { PartnerReadings } from '../../core/live/partner-order.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import type { Telemetry } from '../../core/decision/score.ts'
import type { Readings, SignalName, SignalOrigin } from '../../core/decision/signals.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { FeedKind, LiveFeeds, SignalQuery } from './feeds.ts'

export type SignalReport =
  | SignalsRead
  | PartnersRead
  | { readonly kind: 'unavailable'; readonly signals: readonly UnavailableSignal[] }

/** The parts of a report that do not depend on a partner. */
interface CorridorRead {
  readonly volatility: number
  /** That of the answer. */
  readonly settlementCurrency: Currency | null
  /** Set for a declared corridor of live mode. */
  readonly corridor?: LiveCorridor
  /** Set for a live reading if telemetry has a weight. */
  readonly telemetry?: Telemetry
}

export interface SignalsRead extends CorridorRead {
  readonly kind: 'read'
  readonly source: SignalOrigin
  /** Whether there is data on the corridor. */
  readonly supported: boolean
  readonly readings: Readings
  readonly recommendedPartner: string | null
  /** Test amounts are switched off, and this amount would have been one. */
  readonly ignoredTestAmount?: true
  /** For a live reading: the value of each feed, in the order of `signalNames`. */
  readonly feeds?: readonly FeedEvidence[]
}

/** The readings of a corridor's declared partners: the best of them is the answer. */
export interface PartnersRead extends CorridorRead, PartnerChoice {
  readonly kind: 'partners'
}

export interface PartnerChoice {
  /** At least one. */
  readonly candidates: readonly Candidate[]
  readonly leftOut: readonly LeftOut[]
  /** No partner takes the amount: all are candidates, without liquidity, and none is recommended. */
  readonly isTooLarge: boolean
  readonly toleranceHundredths: number
}

export interface Candidate extends PartnerReadings {
  /** In the order of `signalNames`. */
  readonly feeds: readonly FeedEvidence[]
}

/** A partner that is not ranked: signals could not be read, or the amount is above its maximum. */
interface LeftOut {
  readonly partner: string
  /** Null if the amount is not above it. */
  readonly amountMax: number | null
  readonly signals: readonly SignalName[]
}

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
  /** The signals of the corridor for which it has a feed. */
  signalsOf(corridor: Corridor): readonly SignalName[]
  /** A declared corridor of live mode; otherwise undefined. */
  corridorOf(corridor: Corridor): LiveCorridor | undefined
  read(query: SignalQuery): Promise<SignalReport>
}

/** The live source with its feeds. */
export interface LiveSource extends SignalSource, LiveFeeds {
  /** The observations that count as telemetry. */
  scope(): TelemetryScope
}
