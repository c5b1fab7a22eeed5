/** Port of the Corridor Intelligence Platform's store. */

import type { Act } from './records.ts'
import type { CipStage, CorpusDay, TelemetryScope } from '../../core/live/cip.ts'
import type { StatusState } from '../../core/live/corridor-status.ts'
import type { Corridor } from '../../core/reference/corridor.ts'

/** One observation of a corridor by the probe. */
export interface Observation {
  readonly corridor: Corridor
  readonly observedAtMs: number
  /** The adapter that read the signals. */
  readonly adapter: string
  /** In the order of `signalNames`; null for a signal that a probe does not read. */
  readonly healthThousandths: readonly (number | null)[]
  /** In hundred-thousandths of a score. */
  readonly composite: number
  /** The time to read the signals. */
  readonly durationUs: number
}

/** A formal change of the platform's stage; recorded permanently. */
export interface CipTransition {
  /** From 1, without gaps, so that one of two concurrent changes is refused. */
  readonly number: number
  readonly stage: CipStage
  readonly blendPercent: number
  /** The governing change process. */
  readonly reference: string
  readonly madeBy: string
  readonly reason: string | null
  readonly madeAtMs: number
  /** The corpus days at the time of the gate. */
  readonly corpusDays: number
}

export interface CipState {
  /** Oldest first. */
  readonly transitions: readonly CipTransition[]
  /** When the database was migrated for the platform. */
  readonly startedAtMs: number
  readonly days: readonly CorpusDay[]
}

export interface ProbeTurn {
  readonly lease: string
  readonly nowMs: number
  readonly everyMs: number
}

/** Selects the composites of a corridor's observations; both times are inclusive. */
export interface CompositesQuery {
  readonly corridor: Corridor
  readonly sinceMs: number
  readonly untilMs: number
  readonly countMax: number
}

/** One observation of a partner by its feeds, or of a corridor without partners. */
export interface PartnerObservation {
  readonly corridor: Corridor
  readonly partner: string | null
  readonly observedAtMs: number
  /** Null if a signal could not be read. */
  readonly composite: number | null
}

/** The observations of a partner in one hour. */
export interface PartnerHour {
  /** Null for a corridor without partners. */
  readonly partner: string | null
  readonly startedAtMs: number
  readonly observations: number
  /** Those in which a signal could not be read. */
  readonly unavailable: number
  /** The sum of the composites of the others. */
  readonly compositeSum: number
}

/** The announced status of a corridor, or of one of its partners. */
export interface CorridorStatus extends StatusState {
  readonly corridor: Corridor
  /** Null for the corridor itself. */
  readonly partner: string | null
}

/** All that one turn of the probe found. */
export interface ProbeFindings {
  readonly observations: readonly Observation[]
  readonly partners: readonly PartnerObservation[]
  /** Those that differ from the stored ones. */
  readonly statuses: readonly CorridorStatus[]
  /** Statuses of corridors and partners that are no longer observed. */
  readonly gone: readonly Pick<CorridorStatus, 'corridor' | 'partner'>[]
  /** One for each announced change. */
  readonly acts: readonly Act[]
}

/** The state of a turn after a part of it was recorded. */
export interface TurnState {
  readonly isEnded: boolean
  /** When the next turn is due; until then no other instance takes over one that has not ended. */
  readonly dueAtMs: number
}

export interface CipStore {
  /** Claims the probe's turn if it is due; only one instance gets it. */
  claimTurn(turn: ProbeTurn): Promise<boolean>
  /** False, without writing, if another instance has claimed the turn since. */
  /** Ends the turn, unless `turn` says that more follows. */
  record(lease: string, findings: ProbeFindings, turn?: TurnState): Promise<boolean>
  /** Deletes observations before this day, in days since the epoch. */
  prune(beforeDay: number): Promise<void>
  state(scope: TelemetryScope): Promise<CipState>
  /** The newest observation of each corridor by this adapter up to `untilMs`. */
  latest(adapter: TelemetryScope['adapter'], untilMs: number): Promise<Observation[]>
  /** The hours of a corridor's partners from `sinceMs` on, oldest first. */
  partnerHours(corridor: Corridor, sinceMs: number): Promise<PartnerHour[]>
  /** Of one corridor and its partners, or of all. */
  statuses(corridor: Corridor | null): Promise<CorridorStatus[]>
  /** Newest first. */
  composites(query: CompositesQuery): Promise<number[]>
  /** False if its number is already used. */
  transition(transition: CipTransition, act?: Act): Promise<boolean>
}
