/** Makes a record again from what it was made of: by the one scorer, and in shadow by the simulation too. */

import type { Mode } from '../../core/identity/api-key.ts'
import { isSupported } from '../../core/reference/corridor.ts'
import type { Decision } from '../../core/decision/decide.ts'
import { parseTraceparent } from '../../core/operate/trace-context.ts'
import { decideAgain, type RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { composeAnswer, repeatAnswer, type KeptAnswer } from '../verify/answer.ts'
import type { DecisionFile } from '../inspect/decision-file.ts'
import {
  computedEvidence,
  cooldownEvidence,
  type ComputedEvidence,
  type Moments,
} from '../verify/evidence.ts'
import { unknown } from '../verify/live-signals.ts'
import type { SignalReport } from '../ports/signals.ts'
import type { Verification } from '../ports/records.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import { readShadow } from '../verify/shadow-signals.ts'

/** The record as it must be, and its source where it repeats one. */
export interface Recomputed {
  readonly record: Verification
  readonly source: Verification | null
}

/** Of a record that this engine decided. Null where it cannot have been decided at all. */
export function recompute({
  record,
  computed,
  answer,
  evidence,
  moments,
  kept,
}: DecisionFile): Recomputed | null {
  const isRepeat = record !== computed
  const computedAnswer = isRepeat ? readAnswer(computed) : answer
  const signals = signalsOf(kept, computedAnswer, computed.mode, evidence)
  if (signals.kind !== 'read') return null
  const decision = decideAgain(kept, { readings: signals.readings })
  const source = computedAgain(computed, decision, signals, momentsOf(evidence))
  if (!isRepeat) return { record: source, source: null }
  return { record: repeatedAgain(record, source, answer, momentsOf(moments)), source }
}

type Read = Extract<SignalReport, { kind: 'read' }>

/** By the mode and not by what the evidence says of itself: the shadow world's word, or what was read live. */
function signalsOf(
  kept: RecordedDecision,
  answer: KeptAnswer,
  mode: Mode,
  { feeds }: ComputedEvidence,
): SignalReport {
  if (mode === 'shadow') return readShadow(kept)
  if (!isSupported(kept.corridor)) return unknown(kept)
  return {
    kind: 'read',
    source: 'live',
    readings: kept.readings,
    volatility: answer.volatility,
    recommendedPartner: answer.recommended_partner,
    ...(kept.telemetry === null ? {} : { telemetry: kept.telemetry }),
    ...(feeds === undefined ? {} : { feeds }),
  }
}

/** A trace that is none stays away, and so does not fit. */
function momentsOf({ received_at_ms, timeline_us, trace }: DecisionFile['moments']): Moments {
  return {
    receivedAtMs: received_at_ms,
    offsetsUs: () => timeline_us,
    context:
      trace === undefined
        ? null
        : parseTraceparent(`00-${trace.trace_id}-${trace.parent_id}-${trace.is_sampled ? '01' : '00'}`),
  }
}

function computedAgain(
  record: Verification,
  decision: Decision,
  signals: Read,
  moments: Moments,
): Verification {
  const { readings, volatility, recommendedPartner } = signals
  const answer = composeAnswer({ ...record, decision, readings, volatility, recommendedPartner })
  return {
    ...record,
    verdict: decision.verdict,
    scoreHundredths: decision.scoreHundredths,
    confidenceHundredths: decision.confidenceHundredths,
    answer: JSON.stringify(answer),
    evidence: JSON.stringify(computedEvidence(decision, signals, moments)),
  }
}

function repeatedAgain(
  record: Verification,
  source: Verification,
  answer: KeptAnswer,
  moments: Moments,
): Verification {
  const expiresAtMs = Date.parse(answer.cooldown?.expires_at ?? '')
  return {
    ...record,
    verdict: source.verdict,
    scoreHundredths: source.scoreHundredths,
    confidenceHundredths: source.confidenceHundredths,
    evaluatedAtMs: source.evaluatedAtMs,
    cooldownSourceId: source.requestId,
    answer: JSON.stringify(repeatAnswer(readAnswer(source), record, expiresAtMs)),
    evidence: JSON.stringify(cooldownEvidence(source.requestId, moments)),
  }
}
