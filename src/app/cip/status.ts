/** The status of the Corridor Intelligence Platform (CIP) and its formal stage transitions. */

import {
  corpusOf,
  effectiveBlendPercent,
  initialStanding,
  checkTransition,
  simulationFault,
  stageRules,
  type CipStage,
  type CipStageState,
  type TelemetryScope,
} from '../../core/live/cip.ts'
import type { CipState, CipStore, CipTransition } from '../ports/cip.ts'
import type { DescribeAct } from '../operate/acts.ts'
import type { Clock } from '../ports/system.ts'

/** The reference before the first transition. */
const initialReference = 'INITIAL'

export function standingOf({ transitions, startedAtMs }: CipState): CipStageState {
  const current = transitions.at(-1)
  if (current === undefined) return initialStanding(startedAtMs)
  const before = transitions.findLastIndex(({ stage }) => stage !== current.stage)
  const entered = transitions[before + 1] ?? current
  return { stage: current.stage, blendPercent: current.blendPercent, sinceMs: entered.madeAtMs }
}

/** The status answer: section 2.6 of the contract. */
export function cipStatus(state: CipState, scope: TelemetryScope, isProbing: boolean, nowMs: number) {
  const standing = standingOf(state)
  const rules = stageRules[standing.stage]
  const corpus = corpusOf(state.days, scope, nowMs)
  const blendPercent = effectiveBlendPercent(standing, corpus)
  return {
    phase: rules.phase,
    state: rules.state,
    decision_influence: blendPercent > 0,
    // Telemetry that has a weight in live decisions was cleared for it.
    supported_for_decisioning: blendPercent > 0,
    confidence: rules.confidence,
    last_updated: new Date(standing.sinceMs).toISOString(),
    observations_collected: corpus.observations,
    blend_weight: blendPercent / 100,
    blend_suspended: standing.blendPercent > 0 ? suspension(standing, simulationFault(corpus)) : null,
    // Always false: no anomaly alerts exist that could degrade a corridor.
    escalation_enabled: false,
    active_adapters: isProbing ? [scope.adapter] : [],
    governed_by: state.transitions.at(-1)?.reference ?? initialReference,
  }
}

/** A weight that an operator set and that is not in effect, with the reason. */
function suspension({ blendPercent }: CipStageState, fault: string | null) {
  return fault === null ? null : { blend_weight: blendPercent / 100, reason: `${fault}, so it counts as 0` }
}

export interface TransitionCommand {
  /** The observations that count for the quality gate. */
  readonly scope: TelemetryScope
  readonly to: CipStage
  readonly blendPercent: number | null
  readonly reference: string
  readonly madeBy: string
  readonly reason: string | null
}

export type TransitionOutcome =
  | { readonly kind: 'recorded'; readonly transition: CipTransition }
  | { readonly kind: 'refused'; readonly reason: string }

/** Records a transition permanently, or refuses it with the reason. */
export async function recordTransition(
  { cip, clock, describe }: { cip: CipStore; clock: Clock; describe?: DescribeAct },
  { scope, to, blendPercent, reference, madeBy, reason }: TransitionCommand,
): Promise<TransitionOutcome> {
  const state = await cip.state(scope)
  const nowMs = clock.nowMs()
  const corpus = corpusOf(state.days, scope, nowMs)
  const judged = checkTransition(standingOf(state), corpus, { to, blendPercent, nowMs })
  if (!judged.ok) return { kind: 'refused', reason: judged.reason }
  const transition: CipTransition = {
    number: state.transitions.length + 1,
    stage: to,
    blendPercent: judged.blendPercent,
    reference,
    madeBy,
    reason,
    madeAtMs: nowMs,
    corpusDays: corpus.days,
  }
  const act = describe?.({
    kind: 'cip.transitioned',
    subject: String(transition.number),
    detail: { stage: to, blend_percent: judged.blendPercent, reference },
  })
  return (await cip.transition(transition, act))
    ? { kind: 'recorded', transition }
    : {
        kind: 'refused',
        reason: 'the platform was changed at the same moment: check its status and try again',
      }
}
