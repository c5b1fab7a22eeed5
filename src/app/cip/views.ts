/** The platform's stages as the command line and the console show them. */

import { corpusOf, gateFault, stageRules, type TelemetryScope } from '../../core/live/cip.ts'
import type { CipState, CipTransition } from '../ports/cip.ts'
import { cipStatus } from './status.ts'

export function transitionView(transition: CipTransition) {
  return {
    number: transition.number,
    to: transition.stage,
    state: stageRules[transition.stage].state,
    confidence: stageRules[transition.stage].confidence,
    blend_weight: transition.blendPercent / 100,
    reference: transition.reference,
    made_by: transition.madeBy,
    reason: transition.reason,
    made_at: new Date(transition.madeAtMs).toISOString(),
    corpus_days: transition.corpusDays,
  }
}

/** The status with the quality gate and all transitions, oldest first. */
export function platformView(state: CipState, scope: TelemetryScope, isProbing: boolean, nowMs: number) {
  const corpus = corpusOf(state.days, scope, nowMs)
  const fault = gateFault(corpus, nowMs)
  return {
    ...cipStatus(state, scope, isProbing, nowMs),
    quality_gate: { passed: fault === null, corpus_days: corpus.days, fault },
    transitions: state.transitions.map(transitionView),
  }
}
