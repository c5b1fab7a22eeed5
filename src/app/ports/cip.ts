/** What the Corridor Intelligence Platform needs of the store. */

import type { CipStage, CorpusDay } from '../../core/live/cip.ts'
import type { Corridor } from '../../core/reference/corridor.ts'

/** What the probe saw of a corridor at one moment. */
export interface Observation {
  readonly corridor: Corridor
  readonly observedAtMs: number
  /** Who read the signals. */
  readonly adapter: string
  /** In the order of `signalNames`. */
  readonly riskThousandths: readonly number[]
  /** In hundred-thousandths of a score. */
  readonly composite: number
  /** How long it took to read the signals. */
  readonly durationUs: number
}

/** A formal change of the platform's stage: written once, for ever. */
export interface CipTransition {
  /** From 1, without gaps: of two made at once the second is refused. */
  readonly number: number
  readonly stage: CipStage
  readonly blendPercent: number
  /** The change that governs it. */
  readonly reference: string
  readonly madeBy: string
  readonly reason: string | null
  readonly madeAtMs: number
  /** What the gate saw. */
  readonly corpusDays: number
}

export interface CipState {
  /** Oldest first; few, since each is a formal change. */
  readonly transitions: readonly CipTransition[]
  /** When this database was made ready for the platform. */
  readonly startedAtMs: number
  readonly days: readonly CorpusDay[]
}

export interface ProbeTurn {
  readonly lease: string
  readonly nowMs: number
  readonly everyMs: number
}

/** The composites of a corridor's observations in a time, both ends included. */
export interface CompositesQuery {
  readonly corridor: Corridor
  readonly sinceMs: number
  readonly untilMs: number
  readonly countMax: number
}

export interface CipStore {
  /** Takes the probe's turn where it is due; of all instances one gets it. */
  claimTurn(turn: ProbeTurn): Promise<boolean>
  /** False, and nothing is written, where the turn has gone to another since. */
  record(lease: string, observations: readonly Observation[]): Promise<boolean>
  /** Takes away what was observed before this day, in days since the epoch. */
  prune(beforeDay: number): Promise<void>
  state(): Promise<CipState>
  /** The newest observation of each corridor up to then. */
  latest(untilMs: number): Promise<Observation[]>
  /** Newest first. */
  composites(query: CompositesQuery): Promise<number[]>
  /** False where there is one with its number already. */
  transition(transition: CipTransition): Promise<boolean>
}
