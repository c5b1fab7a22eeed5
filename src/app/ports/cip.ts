/** Port of the Corridor Intelligence Platform's store. */

import type { Act } from './records.ts'
import type { CipStage, CorpusDay } from '../../core/live/cip.ts'
import type { Corridor } from '../../core/reference/corridor.ts'

/** One observation of a corridor by the probe. */
export interface Observation {
  readonly corridor: Corridor
  readonly observedAtMs: number
  /** The adapter that read the signals. */
  readonly adapter: string
  /** In the order of `signalNames`. */
  readonly healthThousandths: readonly number[]
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

export interface CipStore {
  /** Claims the probe's turn if it is due; only one instance gets it. */
  claimTurn(turn: ProbeTurn): Promise<boolean>
  /** False, without writing, if another instance has claimed the turn since. */
  record(lease: string, observations: readonly Observation[]): Promise<boolean>
  /** Deletes observations before this day, in days since the epoch. */
  prune(beforeDay: number): Promise<void>
  state(): Promise<CipState>
  /** The newest observation of each corridor up to `untilMs`. */
  latest(untilMs: number): Promise<Observation[]>
  /** Newest first. */
  composites(query: CompositesQuery): Promise<number[]>
  /** False if its number is already used. */
  transition(transition: CipTransition, act?: Act): Promise<boolean>
}
