/** The Corridor Intelligence Platform: its stages, the quality gate, and the weight of telemetry. */

import type { Corridor } from '../reference/corridor.ts'
import type { Telemetry } from '../decision/score.ts'
import { dayMs, dayOf, hourMs } from '../time/durations.ts'

/** Observations older than this are deleted. */
export const observationRetentionDays = 90

/** Telemetry uses the observations of the last hour, at most `telemetryObservationsMax`. */
export const telemetryWindowMs = hourMs
export const telemetryObservationsMax = 60

/** The adapter of simulated observations, which never influence a decision. */
export const simulationAdapter = 'simulation'
/** The adapter of observations of the declared corridors, by their live feeds. */
export const feedsAdapter = 'feeds'

/** The observations that count: those of one adapter, on these corridors. */
export interface TelemetryScope {
  readonly adapter: typeof simulationAdapter | typeof feedsAdapter
  readonly corridors: readonly Corridor[]
}

export const cipStages = ['telemetry_only', 'scoring_passive', 'provisional', 'validated'] as const

export type CipStage = (typeof cipStages)[number]

export interface StageRules {
  readonly phase: number
  readonly state: 'telemetry_only' | 'scoring_passive' | 'scoring_active'
  readonly confidence: 'experimental' | 'provisional' | 'validated'
  /** The allowed blend weights, in percent. */
  readonly blendPercent: { readonly least: number; readonly most: number }
}

/** Telemetry never outweighs the payment's own signals. */
const validatedBlendPercentMax = 50

export const stageRules: Readonly<Record<CipStage, StageRules>> = {
  telemetry_only: {
    phase: 0,
    state: 'telemetry_only',
    confidence: 'experimental',
    blendPercent: { least: 0, most: 0 },
  },
  scoring_passive: {
    phase: 1,
    state: 'scoring_passive',
    confidence: 'experimental',
    blendPercent: { least: 0, most: 0 },
  },
  provisional: {
    phase: 2,
    state: 'scoring_active',
    confidence: 'provisional',
    blendPercent: { least: 5, most: 10 },
  },
  validated: {
    phase: 3,
    state: 'scoring_active',
    confidence: 'validated',
    blendPercent: { least: 15, most: validatedBlendPercentMax },
  },
}

/** The platform's current stage and blend weight. */
export interface CipStageState {
  readonly stage: CipStage
  readonly blendPercent: number
  /** When this stage was entered; a change of weight within it does not count. */
  readonly sinceMs: number
}

/** The initial stage; `sinceMs` is when the database was migrated for the platform. */
export function initialStanding(sinceMs: number): CipStageState {
  return { stage: 'telemetry_only', blendPercent: 0, sinceMs }
}

/** The observations of one day that count. */
export interface CorpusDay {
  /** In days since the epoch. */
  readonly day: number
  /** How many corridors of the scope were observed. */
  readonly corridors: number
  readonly observations: number
  /** Those that come from the simulation. */
  readonly simulated: number
}

export interface Corpus {
  readonly observations: number
  readonly simulated: number
  /** Past days on which every supported corridor was observed. Excludes today, and future days from a wrong clock. */
  readonly days: number
  /** The newest day, up to today, on which every supported corridor was observed; null if there is none. */
  readonly newestDay: number | null
}

export function corpusOf(rows: readonly CorpusDay[], { corridors }: TelemetryScope, nowMs: number): Corpus {
  const today = dayOf(nowMs)
  let observations = 0
  let simulated = 0
  let days = 0
  let newestDay: number | null = null
  for (const row of rows) {
    observations += row.observations
    simulated += row.simulated
    if (row.day > today || row.corridors < corridors.length) continue
    if (row.day < today) days += 1
    newestDay = Math.max(newestDay ?? row.day, row.day)
  }
  return { observations, simulated, days, newestDay }
}

/** The complete days that the quality gate requires. */
export const gateDays = 14

/** Null if the quality gate is passed, otherwise what is missing. */
export function gateFault(corpus: Corpus, nowMs: number): string | null {
  const simulated = simulationFault(corpus)
  if (simulated !== null) return simulated
  if (corpus.days < gateDays) {
    return `the corpus has ${corpus.days} of the ${gateDays} complete days on which every supported corridor must be observed`
  }
  return corpus.newestDay === null || corpus.newestDay < dayOf(nowMs) - 1
    ? 'the corpus is out of date: its newest complete day is before yesterday'
    : null
}

/** Null unless part of the corpus is simulated: then telemetry has no weight, whatever the stage allows. */
export function simulationFault({ simulated, observations }: Corpus): string | null {
  if (simulated === 0) return null
  return `${simulated} of the ${observations} observations of the corpus come from the simulation`
}

export interface TransitionRequest {
  readonly to: CipStage
  /** Null selects the smallest weight of the stage. */
  readonly blendPercent: number | null
  readonly nowMs: number
}

export type TransitionVerdict =
  { readonly ok: true; readonly blendPercent: number } | { readonly ok: false; readonly reason: string }

/** No weight while part of the corpus is simulated. Otherwise reducing influence is always allowed. Anything else needs the gate, and raises confidence one grade at a time. */
export function checkTransition(
  current: CipStageState,
  corpus: Corpus,
  { to, blendPercent, nowMs }: TransitionRequest,
): TransitionVerdict {
  const { least, most } = stageRules[to].blendPercent
  const weight = blendPercent ?? least
  const refused = (reason: string): TransitionVerdict => ({ ok: false, reason })
  if (weight < least || weight > most) {
    const range = most === 0 ? 'a blend weight of 0' : `a blend weight from ${share(least)} to ${share(most)}`
    return refused(`${to} requires ${range}, not ${share(weight)}`)
  }
  if (to === current.stage && weight === current.blendPercent) {
    return refused(`the platform is already ${to} with a blend weight of ${share(weight)}`)
  }
  const simulated = weight > 0 ? simulationFault(corpus) : null
  const ungated = (fault: string): TransitionVerdict =>
    refused(`${to} with a blend weight of ${share(weight)} requires the quality gate: ${fault}`)
  if (simulated !== null) return ungated(simulated)
  const isReduction = gradeOf(to) <= gradeOf(current.stage) && weight <= current.blendPercent
  if (isReduction || weight === 0) return { ok: true, blendPercent: weight }
  const fault = gateFault(corpus, nowMs)
  if (fault !== null) return ungated(fault)
  if (gradeOf(to) > gradeOf(current.stage) + 1) {
    return refused(`${to} requires provisional first, and the platform is ${current.stage}`)
  }
  const elapsedMs = nowMs - current.sinceMs
  if (to === 'validated' && current.stage === 'provisional' && elapsedMs < gateDays * dayMs) {
    return refused(
      `the platform must be provisional for ${gateDays} days first, and has been for ${Math.max(0, Math.floor(elapsedMs / dayMs))}`,
    )
  }
  return { ok: true, blendPercent: weight }
}

const grades = ['experimental', 'provisional', 'validated'] as const

function gradeOf(stage: CipStage): number {
  return grades.indexOf(stageRules[stage].confidence)
}

function share(percent: number): string {
  return (percent / 100).toFixed(2)
}

/** The weight that telemetry has in live decisions: none while part of the corpus is simulated. */
export function effectiveBlendPercent({ blendPercent }: CipStageState, corpus: Corpus): number {
  return simulationFault(corpus) === null ? blendPercent : 0
}

/** The mean of the observed composites, which are hundred-thousandths of a score; null if there are none. */
export function telemetryOf(composites: readonly number[], blendPercent: number): Telemetry | null {
  if (composites.length === 0) return null
  const sum = composites.reduce((total, one) => total + one, 0)
  return { scoreThousandths: Math.floor(sum / composites.length / 100), weightPercent: blendPercent }
}
