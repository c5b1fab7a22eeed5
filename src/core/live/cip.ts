/** The Corridor Intelligence Platform: its stages, the gate between them, and how much telemetry may say. */

import { supportedCorridors, type Corridor } from '../reference/corridor.ts'
import type { Telemetry } from '../decision/score.ts'
import { dayMs, dayOf, hourMs } from '../time/durations.ts'

/** Observations older than so many whole days are taken away. */
export const observationDaysKept = 90

/** Telemetry is made of what was observed in the last hour, at most so many observations of it. */
export const telemetryWindowMs = hourMs
export const telemetryObservationsMax = 60

export const cipStages = ['telemetry_only', 'scoring_passive', 'provisional', 'validated'] as const

export type CipStage = (typeof cipStages)[number]

export interface StageRules {
  readonly phase: number
  readonly state: 'telemetry_only' | 'scoring_passive' | 'scoring_active'
  readonly confidence: 'experimental' | 'provisional' | 'validated'
  /** The blend weights that it takes, in percent. */
  readonly blendPercent: { readonly least: number; readonly most: number }
  readonly supportedForDecisioning: boolean
}

/** Telemetry never outweighs the signals of the payment itself. */
const validatedBlendPercentMax = 50

export const stageRules: Readonly<Record<CipStage, StageRules>> = {
  telemetry_only: {
    phase: 0,
    state: 'telemetry_only',
    confidence: 'experimental',
    blendPercent: { least: 0, most: 0 },
    supportedForDecisioning: false,
  },
  scoring_passive: {
    phase: 1,
    state: 'scoring_passive',
    confidence: 'experimental',
    blendPercent: { least: 0, most: 0 },
    supportedForDecisioning: false,
  },
  provisional: {
    phase: 2,
    state: 'scoring_active',
    confidence: 'provisional',
    blendPercent: { least: 5, most: 10 },
    supportedForDecisioning: false,
  },
  validated: {
    phase: 3,
    state: 'scoring_active',
    confidence: 'validated',
    blendPercent: { least: 15, most: validatedBlendPercentMax },
    supportedForDecisioning: true,
  },
}

/** Where the platform stands. */
export interface CipStanding {
  readonly stage: CipStage
  readonly blendPercent: number
  /** When this stage was entered; another weight in it does not change that. */
  readonly sinceMs: number
}

/** Where it starts; `sinceMs` is when the database was made ready for it. */
export function initialStanding(sinceMs: number): CipStanding {
  return { stage: 'telemetry_only', blendPercent: 0, sinceMs }
}

/** How many observations of a corridor one day has, in days since the epoch. */
export interface CorpusDay {
  readonly corridor: string
  readonly day: number
  readonly observations: number
}

export interface Corpus {
  readonly observations: number
  /** Days on which every supported corridor was observed and which are over: today is not, nor what a wrong clock put ahead. */
  readonly days: number
  /** The newest day on which every supported corridor was observed, up to today; null where there is none. */
  readonly newestDay: number | null
}

export function corpusOf(rows: readonly CorpusDay[], nowMs: number): Corpus {
  const today = dayOf(nowMs)
  const corridorsOf = new Map<number, Set<string>>()
  let observations = 0
  for (const { corridor, day, observations: count } of rows) {
    observations += count
    if (count === 0 || day > today || !supportedCorridors.includes(corridor as Corridor)) continue
    corridorsOf.set(day, (corridorsOf.get(day) ?? new Set()).add(corridor))
  }
  let days = 0
  let newestDay: number | null = null
  for (const [day, corridors] of corridorsOf) {
    if (corridors.size < supportedCorridors.length) continue
    if (day < today) days += 1
    newestDay = Math.max(newestDay ?? day, day)
  }
  return { observations, days, newestDay }
}

/** A corpus of fewer days is experimental, whatever it says. */
export const gateDays = 14

/** Null where the gate is passed, otherwise what is missing. */
export function gateFault(corpus: Corpus, nowMs: number): string | null {
  if (corpus.days < gateDays) {
    return `the corpus has ${corpus.days} of the ${gateDays} complete days on which every supported corridor must have been observed`
  }
  return corpus.newestDay === null || corpus.newestDay < dayOf(nowMs) - 1
    ? 'the corpus is not up to date, with nothing of today or yesterday'
    : null
}

export interface TransitionAsked {
  readonly to: CipStage
  /** Null: the least that the stage takes. */
  readonly blendPercent: number | null
  readonly nowMs: number
}

export type TransitionVerdict =
  { readonly ok: true; readonly blendPercent: number } | { readonly ok: false; readonly reason: string }

/** What takes influence away is always open; the rest is one grade of confidence at a time, through the gate. */
export function judgeTransition(
  current: CipStanding,
  corpus: Corpus,
  { to, blendPercent, nowMs }: TransitionAsked,
): TransitionVerdict {
  const { least, most } = stageRules[to].blendPercent
  const weight = blendPercent ?? least
  const refused = (reason: string): TransitionVerdict => ({ ok: false, reason })
  if (weight < least || weight > most) {
    const range =
      most === 0 ? 'no blend weight but 0' : `a blend weight from ${share(least)} to ${share(most)}`
    return refused(`${to} takes ${range}, not ${share(weight)}`)
  }
  if (to === current.stage && weight === current.blendPercent) {
    return refused(`the platform is ${to} already, with a blend weight of ${share(weight)}`)
  }
  const takesAway = gradeOf(to) <= gradeOf(current.stage) && weight <= current.blendPercent
  if (takesAway || weight === 0) return { ok: true, blendPercent: weight }
  const fault = gateFault(corpus, nowMs)
  if (fault !== null)
    return refused(`${to} with a blend weight of ${share(weight)} is out of reach: ${fault}`)
  if (gradeOf(to) > gradeOf(current.stage) + 1) {
    return refused(`${to} comes after provisional, and the platform is ${current.stage}`)
  }
  const stoodMs = nowMs - current.sinceMs
  if (to === 'validated' && current.stage === 'provisional' && stoodMs < gateDays * dayMs) {
    return refused(
      `the platform must have been provisional for ${gateDays} days, and has been for ${Math.max(0, Math.floor(stoodMs / dayMs))}`,
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

/** Whether telemetry has a say at all; where it has none, nothing that it observed can reach a decision. */
export function hasInfluence({ blendPercent }: Pick<CipStanding, 'blendPercent'>): boolean {
  return blendPercent > 0
}

/** The mean of what was observed; null where there is nothing. Composites are hundred-thousandths of a score. */
export function telemetryOf(
  composites: readonly number[],
  { blendPercent }: Pick<CipStanding, 'blendPercent'>,
): Telemetry | null {
  if (composites.length === 0) return null
  const sum = composites.reduce((total, one) => total + one, 0)
  return { scoreThousandths: Math.floor(sum / composites.length / 100), weightPercent: blendPercent }
}
