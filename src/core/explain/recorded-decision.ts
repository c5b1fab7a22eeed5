/** A decision as it was recorded, with all that it rests on: what is needed to explain it, and to decide it again. */

import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { decide, type Decision } from '../decision/decide.ts'
import { engineVersion } from '../decision/engine.ts'
import type { Policy } from '../decision/policy.ts'
import type { Telemetry } from '../decision/score.ts'
import type { Readings, SignalName } from '../decision/signals.ts'

export interface RecordedDecision {
  /** The version of the engine that decided. */
  readonly engine: string
  readonly source: 'simulation' | 'live'
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly readings: Readings
  readonly weightPercent: Readonly<Record<SignalName, number>>
  readonly telemetry: Telemetry | null
  /** As it was made; read from the evidence, not made again. */
  readonly decision: Decision
}

/** What may be different in another world. */
export interface Change {
  readonly amount?: number
  readonly readings?: Readings
  readonly telemetry?: null
}

const noCaps: Policy['stricter'] = new Map()

/** The decision again, by the one scorer and under the caps of then. */
export function decideAgain(kept: RecordedDecision, change: Change = {}): Decision {
  const { corridor, amount, currency, readings, telemetry, decision } = kept
  const policy: Policy = { standard: decision.evidence.cap, stricter: noCaps }
  return decide({ corridor, amount, currency, readings, telemetry, policy, ...change })
}

/** Whether this engine comes to the recorded decision from the recorded evidence: only then can it say what if. */
export function isReproducible(kept: RecordedDecision): boolean {
  if (kept.engine !== engineVersion) return false
  const again = decideAgain(kept)
  return again.verdict === kept.decision.verdict && again.scoreHundredths === kept.decision.scoreHundredths
}
