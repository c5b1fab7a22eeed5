/** Recomputes a record from its evidence with the scorer and, in shadow mode, the signal simulation. */

import type { Mode } from '../../core/identity/api-key.ts'
import { isSupported, settlementCurrency } from '../../core/reference/corridor.ts'
import { validUntilFrom } from '../../core/decision/engine.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import { parseTraceparent } from '../../core/operate/trace-context.ts'
import { recordedPolicy, type RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { composeAnswer, repeatAnswer, type StoredAnswer } from '../verify/answer.ts'
import { circumstancesOf, type DecisionFile } from '../inspect/decision-file.ts'
import { versionOf } from '../policy/in-force.ts'
import {
  computedEvidence,
  cooldownEvidence,
  type ComputedEvidence,
  type Moments,
} from '../verify/evidence.ts'
import { noDataReport, simulatedReport } from '../verify/live-signals.ts'
import { choiceOf, decideOn, type Chosen } from '../verify/partner-choice.ts'
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
  policies,
}: DecisionFile): Recomputed | null {
  const isRepeat = record !== computed
  const computedAnswer = isRepeat ? readAnswer(computed) : answer
  const signals = signalsOf(recorded, computedAnswer, computed.mode, evidence)
  if (signals.kind === 'unavailable') return null
  const { corridor, amount, currency, revision } = recorded
  const policy = recordedPolicy(recorded)
  const moment = { policies, ...circumstancesOf(computed, computedAnswer, evidence) }
  const chosen = decideOn(signals, { corridor, amount, currency, revision, policy, moment })
  const source = expectedRecord(computed, chosen, { answer: computedAnswer, evidence })
  if (!isRepeat) return { record: source, source: null }
  return { record: expectedRepeat(record, source, { answer, evidence: moments }), source }
}

/** Signals by the mode of the record, whatever its evidence claims: simulated again in shadow, as recorded in live. */
function signalsOf(
  recorded: RecordedDecision,
  answer: StoredAnswer,
  mode: Mode,
  evidence: ComputedEvidence,
): SignalReport {
  const { corridor, revision, telemetry } = recorded
  if (mode === 'shadow') return readShadow(recorded, recorded.hasTestAmounts)
  // From revision 4 on, the operator declares which corridors have data.
  const supported = revision < validUntilFrom ? isSupported(corridor) : evidence.source === 'live'
  if (!supported) return revision === 1 ? simulatedReport(recorded) : noDataReport(corridor)
  const { feeds, partners } = evidence
  const declared = declaredCorridor(recorded, evidence)
  const shared = {
    volatility: answer.volatility,
    settlementCurrency: declared?.settlementCurrency ?? settlementCurrency(corridor),
    ...(declared === null ? {} : { corridor: declared }),
    ...(telemetry === null ? {} : { telemetry }),
  }
  const first = { readings: recorded.readings, feeds: feeds ?? [] }
  if (partners !== undefined) return { kind: 'partners', ...shared, ...choiceOf(partners, first) }
  return {
    kind: 'read',
    source: 'live',
    supported,
    ...shared,
    readings: recorded.readings,
    recommendedPartner: evidence.policies?.partner ?? answer.recommended_partner,
    ...(feeds === undefined ? {} : { feeds }),
  }
}

/** As far as it is recorded; null before revision 4. */
function declaredCorridor(
  { corridor }: RecordedDecision,
  { corridor: declared }: ComputedEvidence,
): LiveCorridor | null {
  if (declared === undefined) return null
  const { settlement_currency: settled, currencies } = declared
  const notRecorded = { partners: [], recommendedPartner: null, calendar: null }
  return { corridor, settlementCurrency: settled, currencies, ...notRecorded }
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

function expectedRecord(
  record: Verification,
  chosen: Chosen,
  given: Given & { readonly evidence: ComputedEvidence },
): Verification {
  const { decision, read } = chosen
  const members = givenMembers(record, given)
  const validMs = (given.evidence.valid_s ?? 0) * 1000
  const settlementWindow = given.answer.settlement_window
  const policyVersion = versionOf(chosen.under?.policies ?? null)
  const stated = { validMs, settlementWindow, policyVersion }
  const answer = composeAnswer({ ...read, ...record, ...members, ...stated, decision })
  return {
    ...record,
    verdict: decision.verdict,
    scoreHundredths: decision.scoreHundredths,
    confidenceHundredths: decision.confidenceHundredths,
    answer: JSON.stringify(answer),
    evidence: JSON.stringify(
      computedEvidence({
        ...chosen,
        moments: momentsOf(given.evidence),
        revision: members.revision,
        validMs,
      }),
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
    answer: JSON.stringify(
      repeatAnswer(
        readAnswer(source),
        { ...record, ...members, settlementWindow: given.answer.settlement_window },
        expiresAtMs,
      ),
    ),
    evidence: JSON.stringify(cooldownEvidence(source.requestId, momentsOf(given.evidence), members.revision)),
  }
}
