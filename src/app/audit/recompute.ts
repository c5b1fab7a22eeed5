/** Recomputes a record from its evidence with the scorer and, in shadow mode, the signal simulation. */

import type { Mode } from '../../core/identity/api-key.ts'
import { isSupported } from '../../core/reference/corridor.ts'
import type { Decision } from '../../core/decision/decide.ts'
import { parseTraceparent } from '../../core/operate/trace-context.ts'
import { recomputeDecision, type RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { composeAnswer, repeatAnswer, type StoredAnswer } from '../verify/answer.ts'
import type { DecisionFile } from '../inspect/decision-file.ts'
import {
  computedEvidence,
  cooldownEvidence,
  type ComputedEvidence,
  type Moments,
} from '../verify/evidence.ts'
import { noDataReport, simulatedReport } from '../verify/live-signals.ts'
import type { SignalReport } from '../ports/signals.ts'
import type { Verification } from '../ports/records.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import { readShadow } from '../verify/shadow-signals.ts'

/** The expected record and, if it repeats another, its expected source. */
export interface Recomputed {
  readonly record: Verification
  readonly source: Verification | null
}

/** Recomputes a record of this engine version. Null if its signals could not have led to a decision. */
export function recompute({
  record,
  computed,
  answer,
  evidence,
  moments,
  recorded,
}: DecisionFile): Recomputed | null {
  const isRepeat = record !== computed
  const computedAnswer = isRepeat ? readAnswer(computed) : answer
  const signals = signalsOf(recorded, computedAnswer, computed.mode, evidence)
  if (signals.kind !== 'read') return null
  const decision = recomputeDecision(recorded, { readings: signals.readings })
  const source = expectedRecord(computed, decision, signals, { answer: computedAnswer, evidence })
  if (!isRepeat) return { record: source, source: null }
  return { record: expectedRepeat(record, source, { answer, evidence: moments }), source }
}

type Read = Extract<SignalReport, { kind: 'read' }>

/** Signals by the mode of the record, whatever its evidence claims: simulated again in shadow, as recorded in live. */
function signalsOf(
  recorded: RecordedDecision,
  answer: StoredAnswer,
  mode: Mode,
  { feeds }: ComputedEvidence,
): SignalReport {
  if (mode === 'shadow') return readShadow(recorded, recorded.hasTestAmounts)
  if (!isSupported(recorded.corridor))
    return recorded.revision === 1 ? simulatedReport(recorded) : noDataReport
  return {
    kind: 'read',
    source: 'live',
    readings: recorded.readings,
    volatility: answer.volatility,
    recommendedPartner: answer.recommended_partner,
    ...(recorded.telemetry === null ? {} : { telemetry: recorded.telemetry }),
    ...(feeds === undefined ? {} : { feeds }),
  }
}

/** An invalid trace becomes null, so the result does not match the record. */
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

/** Parts taken from the record itself, because nothing else has them. */
interface Given {
  readonly answer: StoredAnswer
  readonly evidence: DecisionFile['moments']
}

/** Form 2 keeps the correlation id out of the answer. */
function givenMembers(record: Verification, { answer, evidence }: Given) {
  const { amount, currency, form, correlationId } = record
  const { warnings = [] } = answer
  const inAnswer = form === 1 ? correlationId : null
  return { amount, currency, warnings, correlationId: inAnswer, revision: evidence.revision ?? 1 }
}

function expectedRecord(record: Verification, decision: Decision, signals: Read, given: Given): Verification {
  const members = givenMembers(record, given)
  const answer = composeAnswer({ ...record, ...signals, ...members, decision })
  return {
    ...record,
    verdict: decision.verdict,
    scoreHundredths: decision.scoreHundredths,
    confidenceHundredths: decision.confidenceHundredths,
    answer: JSON.stringify(answer),
    evidence: JSON.stringify(
      computedEvidence(decision, signals, momentsOf(given.evidence), members.revision),
    ),
  }
}

function expectedRepeat(record: Verification, source: Verification, given: Given): Verification {
  const members = givenMembers(record, given)
  const expiresAtMs = Date.parse(given.answer.cooldown?.expires_at ?? '')
  return {
    ...record,
    verdict: source.verdict,
    scoreHundredths: source.scoreHundredths,
    confidenceHundredths: source.confidenceHundredths,
    evaluatedAtMs: source.evaluatedAtMs,
    cooldownSourceId: source.requestId,
    answer: JSON.stringify(repeatAnswer(readAnswer(source), { ...record, ...members }, expiresAtMs)),
    evidence: JSON.stringify(cooldownEvidence(source.requestId, momentsOf(given.evidence), members.revision)),
  }
}
