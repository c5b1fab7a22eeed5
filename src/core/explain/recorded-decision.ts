/** A recorded decision with its inputs: enough to explain it and to recompute it. */

import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { decide, type Decision } from '../decision/decide.ts'
import { engineVersion, type Revision } from '../decision/engine.ts'
import type { Policy } from '../decision/policy.ts'
import type { Telemetry } from '../decision/score.ts'
import type { Tightening } from '../decision/tightening.ts'
import { largestTaken, type PartnerResults } from '../live/partner-order.ts'
import type { Readings, SignalName, SignalOrigin } from '../decision/signals.ts'

export interface RecordedDecision {
  /** The version of the engine that decided. */
  readonly engine: string
  readonly revision: Revision
  /** Whether test amounts were in effect. */
  readonly hasTestAmounts: boolean
  readonly source: SignalOrigin
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly readings: Readings
  readonly weightPercent: Readonly<Record<SignalName, number>>
  readonly telemetry: Telemetry | null
  /** The results of all partners; null if the corridor has none declared. */
  readonly partners: PartnerResults | null
  /** The policies that it was made under; null if there were none. */
  readonly tightening: Tightening | null
  /** As recorded; read from the evidence, not recomputed. */
  readonly decision: Decision
}

/** The inputs that a counterfactual may replace. */
export interface Change {
  readonly amount?: number
  readonly readings?: Readings
  readonly telemetry?: null
  readonly tightening?: Tightening
}

const noCaps: Policy['stricter'] = new Map()

/** The caps that the decision was made under, without those of policies. */
export function recordedPolicy({ decision }: Pick<RecordedDecision, 'decision'>): Policy {
  return { standard: decision.evidence.baseCap, stricter: noCaps }
}

/** The largest amount that a declared partner takes, as far as it is recorded; null without such a limit. */
export const recordedAmountMax = ({ partners }: Pick<RecordedDecision, 'partners'>): number | null =>
  partners === null ? null : largestTaken([...partners.ranked, ...partners.leftOut])

/** Decides again with the recorded caps and inputs, except for `change`. */
export function recomputeDecision(recorded: RecordedDecision, change: Change = {}): Decision {
  const { corridor, amount, currency, readings, telemetry, tightening, decision, revision } = recorded
  const policy = recordedPolicy(recorded)
  const { supported } = decision.evidence
  const amountMax = recordedAmountMax(recorded)
  const payment = { corridor, supported, amount, amountMax, currency, readings }
  return decide({ ...payment, telemetry, policy, tightening, revision, ...change })
}

/** Whether this engine makes the recorded decision from the recorded inputs. Counterfactuals require it. */
export function isReproducible(recorded: RecordedDecision): boolean {
  if (recorded.engine !== engineVersion) return false
  const recomputed = recomputeDecision(recorded)
  return (
    recomputed.verdict === recorded.decision.verdict &&
    recomputed.scoreHundredths === recorded.decision.scoreHundredths
  )
}
