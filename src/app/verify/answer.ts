/** Builds the verify answer. It is stored as the text that was sent, so that a replay returns the same bytes. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { Decision } from '../../core/decision/decide.ts'
import {
  apiVersion,
  decisionModel,
  policiesFrom,
  validUntilFrom,
  type Revision,
} from '../../core/decision/engine.ts'
import { codesOf, type Reason, type ReasonCode, type RecommendedAction } from '../../core/decision/reasons.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Factor, Verdict } from '../../core/decision/score.ts'
import {
  probeOf,
  signalNames,
  signalValues,
  type ProbeDetail,
  type Readings,
  type SignalName,
  type SignalOrigin,
  type SignalValues,
} from '../../core/decision/signals.ts'

import type { PolicyVersion } from '../policy/in-force.ts'
import type { RepeatedRecord, Verification } from '../ports/records.ts'

export type Environment = 'sandbox' | 'production'

export const environmentOf: Readonly<Record<Mode, Environment>> = { shadow: 'sandbox', live: 'production' }

export const warningCodes = ['UNKNOWN_MEMBER', 'UNKNOWN_COUNTRY', 'CALENDAR_EXPIRED'] as const

/** Something in a request that was ignored, or that the caller should know. */
export interface Warning {
  readonly code: (typeof warningCodes)[number]
  readonly message: string
  /** JSON pointer into the body; absent if the warning is not about a member. */
  readonly path?: string
}

/** A warning about a member of the body. */
export type BodyWarning = Warning & { readonly path: string }

/** The open window of the corridor's calendar, or the next one. Times are null if no next one is known. */
export interface SettlementWindowWire {
  readonly open: boolean
  readonly opens_at: string | null
  readonly cut_off_at: string | null
}

/** The stored part of an answer. `idempotency_hit` and `response_ms` are added when it is sent. */
export interface StoredAnswer<Id extends string = RequestId> {
  readonly decision: Verdict
  readonly score: number
  readonly confidence: number
  readonly recommended_action: RecommendedAction
  readonly recommended_partner: string | null
  readonly reasons: readonly Reason[]
  readonly reason_codes: readonly ReasonCode[]
  readonly request_id: Id
  readonly correlation_id?: string
  readonly evaluated_at: string
  readonly timestamp: string
  /** Absent before revision 4. */
  readonly valid_until?: string
  /** Only where a calendar is declared; null if it is expired. */
  readonly settlement_window?: SettlementWindowWire | null
  readonly corridor: Corridor
  readonly corridor_supported: boolean
  readonly validation_note: string
  /** The settlement currency of the corridor. */
  readonly currency: Currency | null
  /** The amount and currency of the request. Absent in revision 1. */
  readonly amount?: number | null
  readonly request_currency?: Currency
  readonly mode: Mode
  readonly environment: Environment
  readonly volatility: number
  readonly probe_count: number
  readonly signals: SignalValues
  readonly probe_details: Readonly<Record<SignalName, ProbeDetail>>
  readonly decision_model: string
  readonly api_version: string
  /** Null if no policy was in force. Absent before revision 5. */
  readonly policy_version?: PolicyVersion | null
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[]
  readonly cooldown?: { readonly source_request_id: RequestId; readonly expires_at: string }
}

/** The members in which two answers with the same decision differ. */
export interface AnswerIdentity<Id extends string = RequestId> {
  readonly requestId: Id
  readonly recordedAtMs: number
  readonly correlationId: string | null
  readonly amount: number | null
  readonly currency: Currency
  readonly warnings: readonly Warning[]
  readonly revision: Revision
}

export interface AnswerParts<Id extends string = RequestId> extends AnswerIdentity<Id> {
  readonly decision: Decision
  readonly readings: Readings
  readonly source: SignalOrigin
  readonly corridor: Corridor
  readonly mode: Mode
  readonly evaluatedAtMs: number
  /** Null: the answer does not say how long it is valid. */
  readonly validMs: number | null
  /** Undefined without a calendar. */
  readonly settlementWindow?: SettlementWindowWire | null | undefined
  readonly settlementCurrency: Currency | null
  readonly volatility: number
  readonly recommendedPartner: string | null
  /** Undefined where policies do not act. */
  readonly policyVersion?: PolicyVersion | null | undefined
}

export function composeAnswer<Id extends string>(parts: AnswerParts<Id>): StoredAnswer<Id> {
  const { decision, readings, source, corridor, mode } = parts
  const { supported, factors } = decision.evidence
  const flagged = new Set<SignalName>()
  for (const { signal, flagged: isFlagged } of factors) if (isFlagged) flagged.add(signal)
  return {
    decision: decision.verdict,
    score: decision.scoreHundredths / 100,
    confidence: decision.confidenceHundredths / 100,
    recommended_action: decision.recommendedAction,
    recommended_partner: decision.verdict === 'NO-GO' || !supported ? null : parts.recommendedPartner,
    reasons: decision.reasons,
    reason_codes: codesOf(decision.reasons),
    request_id: parts.requestId,
    ...(parts.correlationId === null ? {} : { correlation_id: parts.correlationId }),
    evaluated_at: new Date(parts.evaluatedAtMs).toISOString(),
    timestamp: new Date(parts.recordedAtMs).toISOString(),
    ...validityMembers(parts),
    corridor,
    corridor_supported: supported,
    validation_note: validationNote(corridor, supported, mode),
    currency: parts.settlementCurrency,
    ...paymentMembers(parts),
    mode,
    environment: environmentOf[mode],
    volatility: parts.volatility,
    probe_count: signalNames.length,
    signals: signalValues(readings, flagged, source),
    probe_details: probeDetailsOf(factors, source),
    decision_model: decisionModel,
    api_version: apiVersion,
    ...versionMember(parts),
    ...warningsMember(parts),
  }
}

function paymentMembers({ revision, amount, currency }: AnswerIdentity<string>) {
  return revision === 1 ? {} : { amount, request_currency: currency }
}

/** The cut-off of an open window ends the validity, if that is earlier. */
function validityMembers(parts: AnswerParts<string>) {
  const { revision, evaluatedAtMs, validMs, settlementWindow } = parts
  if (revision < validUntilFrom || validMs === null) return {}
  const cutOff = settlementWindow?.open === true ? Date.parse(settlementWindow.cut_off_at ?? '') : Infinity
  return {
    valid_until: new Date(Math.min(evaluatedAtMs + validMs, cutOff)).toISOString(),
    ...(settlementWindow === undefined ? {} : { settlement_window: settlementWindow }),
  }
}

function versionMember({ revision, policyVersion }: AnswerParts<string>) {
  return revision < policiesFrom || policyVersion === undefined ? {} : { policy_version: policyVersion }
}

function warningsMember({ warnings }: Pick<AnswerIdentity, 'warnings'>) {
  return warnings.length === 0 ? {} : { warnings }
}

export function probeDetailsOf(
  factors: readonly Factor[],
  source: SignalOrigin,
): Record<SignalName, ProbeDetail> {
  const details = {} as Record<SignalName, ProbeDetail>
  for (const { signal, healthThousandths } of factors) details[signal] = probeOf(healthThousandths, source)
  return details
}

/** The cached decision under a new id and time; nothing is recomputed. */
export function repeatAnswer(
  source: StoredAnswer,
  identity: AnswerIdentity & Pick<AnswerParts, 'settlementWindow'>,
  expiresAtMs: number,
): StoredAnswer {
  // The window and the warnings are those of this moment and of this request.
  const { correlation_id: _id, warnings: _warnings, settlement_window: _window, ...cached } = source
  const expiresAt = new Date(expiresAtMs).toISOString()
  const { settlementWindow } = identity
  return {
    ...cached,
    ...paymentMembers(identity),
    request_id: identity.requestId,
    ...(identity.correlationId === null ? {} : { correlation_id: identity.correlationId }),
    timestamp: new Date(identity.recordedAtMs).toISOString(),
    ...(identity.revision < validUntilFrom ? {} : { valid_until: expiresAt }),
    ...(settlementWindow === undefined ? {} : { settlement_window: settlementWindow }),
    ...warningsMember(identity),
    cooldown: { source_request_id: source.request_id, expires_at: expiresAt },
  }
}

const cachedAnswersMax = 256

/** Parses stored answers. Records never change, so parsed answers are cached: cooldown hits read the same one. */
export function createAnswerReader(): (record: { requestId: RequestId; answer: string }) => StoredAnswer {
  const cache = new Map<RequestId, StoredAnswer>()
  return ({ requestId, answer }) => {
    let parsed = cache.get(requestId)
    if (parsed === undefined) {
      parsed = JSON.parse(answer) as StoredAnswer
      if (cache.size >= cachedAnswersMax) cache.clear()
      cache.set(requestId, parsed)
    }
    return parsed
  }
}

/** The members of an answer that an event needs beyond the record's columns. */
type AnswerExcerpt = Pick<StoredAnswer, 'recommended_action' | 'reason_codes' | 'currency'>

/**
 * Reads three members of a stored answer without parsing the rest, which is most of the text. Quotation marks inside JSON
 * strings are escaped, so the search texts match only the members themselves.
 */
export function readAnswerExcerpt(answer: string): AnswerExcerpt {
  const action = between(answer, '"recommended_action":', ',')
  const codes = between(answer, '"reason_codes":', ']')
  const currency = between(answer, '"currency":', ',')
  if (action === null || codes === null || currency === null) return JSON.parse(answer) as StoredAnswer
  const text = `{"recommended_action":${action},"reason_codes":${codes}],"currency":${currency}}`
  return JSON.parse(text) as AnswerExcerpt
}

/** The currencies of a payment where `currency` is the request's. The recorded answer has the corridor's as `currency`. */
export function currencyMembers(
  { currency }: Pick<Verification, 'currency'>,
  answer: Pick<StoredAnswer, 'currency'> | null,
) {
  return { request_currency: currency, settlement_currency: answer?.currency ?? null }
}

/** The members of an answer that policies need beyond the evidence. */
export type PolicyFacts = Pick<
  StoredAnswer,
  'recommended_partner' | 'corridor_supported' | 'volatility' | 'signals' | 'settlement_window'
>

/** Reads these members without parsing the rest: a backtest reads many answers. */
export function readPolicyFacts(answer: string): PolicyFacts {
  const partner = between(answer, '"recommended_partner":', ',"reasons":')
  const supported = between(answer, '"corridor_supported":', ',')
  const volatility = between(answer, '"volatility":', ',')
  const signals = between(answer, '"signals":', '}')
  if (partner === null || supported === null || volatility === null || signals === null)
    return JSON.parse(answer) as StoredAnswer
  const window = answer.includes('"settlement_window":{')
    ? between(answer, '"settlement_window":', '}')
    : null
  return {
    recommended_partner: JSON.parse(partner) as string | null,
    corridor_supported: supported === 'true',
    volatility: Number(volatility),
    signals: JSON.parse(`${signals}}`) as SignalValues,
    ...(window === null ? {} : { settlement_window: JSON.parse(`${window}}`) as SettlementWindowWire }),
  }
}

function between(text: string, start: string, end: string): string | null {
  const from = text.indexOf(start)
  const to = from < 0 ? -1 : text.indexOf(end, from + start.length)
  return to < 0 ? null : text.slice(from + start.length, to)
}

/** The answer as sent. Form 2 keeps the correlation id apart from it. */
export function wholeAnswer({
  form,
  requestId,
  correlationId,
  answer,
}: Pick<RepeatedRecord, 'form' | 'requestId' | 'correlationId' | 'answer'>): string {
  if (form === 1 || correlationId === null) return answer
  const id = `"request_id":"${requestId}"`
  return answer.replace(id, () => `${id},"correlation_id":${JSON.stringify(correlationId)}`)
}

/** Appends the last two members: the only ones in which a replay differs. */
export function finishAnswer(stored: string, idempotencyHit: boolean, responseMs: number): string {
  return `${stored.slice(0, -1)},"idempotency_hit":${idempotencyHit},"response_ms":${responseMs}}`
}

/** Stored with each record, and compared when an audit export is verified: a change of text adds a notice there. */
export function validationNote(corridor: Corridor, supported: boolean, mode: Mode | 'synthetic'): string {
  if (!supported) {
    return `${corridor} is not a supported corridor: there is no data for it, so the decision is set by rule. Treat it as no data, not as risk.`
  }
  return `${corridor} is fully validated. ${signalsNote[mode]}`
}

const signalsNote: Readonly<Record<Mode | 'synthetic', string>> = {
  shadow: 'Shadow mode: the signals are simulated and no payment rail was queried.',
  live: 'Live mode: the signals were read from the configured feeds.',
  synthetic: 'Demo: the signals are simulated, no payment rail was queried and nothing is recorded.',
}
