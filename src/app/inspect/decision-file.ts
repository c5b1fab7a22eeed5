/** Loads one recorded decision with its evidence: the input of explanation, provenance, impact and timeline. */

import type { Circumstances } from '../../core/decision/facts.ts'
import { partnerRequiredFrom } from '../../core/decision/engine.ts'
import type { RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import { signalNames, type Reading, type Readings, type SignalName } from '../../core/decision/signals.ts'
import type { StoredAnswer } from '../verify/answer.ts'
import { withLiquidity } from '../../core/live/live-reading.ts'
import type { PartnerReadings, PartnerResults } from '../../core/live/partner-order.ts'
import type { ComputedEvidence, CooldownEvidence } from '../verify/evidence.ts'
import { choiceOf, type PartnersEvidence } from '../verify/partner-choice.ts'
import { contractFloors, type FiredRule, type Tightening } from '../../core/decision/tightening.ts'
import type { PoliciesInForce } from '../policy/in-force.ts'
import type { PolicyLibrary } from '../policy/library.ts'
import type { Annotated, Verification } from '../ports/records.ts'
import type { OwnerRecords } from '../ports/store.ts'
import { readAnswer } from './record-wire.ts'

export interface DecisionFile {
  readonly record: Verification
  readonly override: Annotated<Verification>['override']
  readonly outcome: Annotated<Verification>['outcome']
  readonly answer: StoredAnswer
  /** The arrival time and step durations of this record's own request. */
  readonly moments: Pick<CooldownEvidence, 'received_at_ms' | 'timeline_us' | 'trace' | 'revision'>
  /** The computed record: this one, or the source that a cooldown repeated. */
  readonly computed: Verification
  readonly evidence: ComputedEvidence
  /** Those that it was decided under; null if there were none. */
  readonly policies: PoliciesInForce | null
  readonly recorded: RecordedDecision
}

/** Null for every id that is not one of this owner's records. */
export async function openDecisionFile(
  records: OwnerRecords,
  library: PolicyLibrary,
  id: string,
): Promise<DecisionFile | null> {
  const parsed = parseRequestId(id)
  const record = parsed === null ? null : await records.find(parsed.id)
  if (record === null) return null
  // The source is missing when an operator has detached its month; the evidence is then missing too.
  const source = record.cooldownSourceId === null ? record : await records.find(record.cooldownSourceId)
  if (source === null) return null
  const policies = await library.recorded(evidenceIn(source).policies)
  return decisionFileOf(record, source, record, policies)
}

export const evidenceIn = ({ evidence }: Pick<Verification, 'evidence'>): ComputedEvidence =>
  JSON.parse(evidence) as ComputedEvidence

export function decisionFileOf(
  record: Verification,
  computed: Verification,
  { override, outcome }: Pick<Annotated<Verification>, 'override' | 'outcome'>,
  policies: PoliciesInForce | null,
): DecisionFile {
  const evidence = evidenceIn(computed)
  const isOwn = record === computed
  const answer = readAnswer(record)
  return {
    record,
    override,
    outcome,
    answer,
    moments: isOwn ? evidence : (JSON.parse(record.evidence) as CooldownEvidence),
    computed,
    evidence,
    policies,
    recorded: recordedOf(computed, isOwn ? answer : readAnswer(computed), evidence, policies),
  }
}

/** The record that a cooldown repeated; null when this record was computed. */
export function sourceOf({ record, computed }: DecisionFile): Verification | null {
  return record === computed ? null : computed
}

/** The inverse of `computedEvidence`: reads recorded values and computes nothing. */
function recordedOf(
  record: Verification,
  answer: StoredAnswer,
  evidence: ComputedEvidence,
  policies: PoliciesInForce | null,
): RecordedDecision {
  const { telemetry } = evidence
  const flagged = new Set(evidence.flagged)
  const factors = signalNames.map((signal, index) => ({
    signal,
    healthThousandths: evidence.risk_thousandths[index] ?? 0,
    contribution: evidence.contributions[index] ?? 0,
    flagged: flagged.has(signal),
  }))
  const readings = readingsOf(answer, evidence)
  const revision = evidence.revision ?? 1
  const { reviewAbove, blockAbove } = { reviewAbove: evidence.review_above, blockAbove: evidence.block_above }
  return {
    engine: evidence.engine,
    revision,
    hasTestAmounts: evidence.ignored_test_amount !== true,
    source: evidence.source,
    corridor: record.corridor,
    amount: record.amount,
    currency: record.currency,
    readings,
    partners: evidence.partners === undefined ? null : partnerResults(evidence.partners, readings),
    weightPercent: bySignal((index) => evidence.weight_percent[index] ?? 0),
    telemetry:
      telemetry === undefined
        ? null
        : { weightPercent: telemetry.weight_percent, scoreThousandths: telemetry.score_thousandths },
    tightening: tighteningOf(record, answer, evidence, policies),
    decision: {
      verdict: record.verdict,
      scoreHundredths: record.scoreHundredths,
      confidenceHundredths: record.confidenceHundredths,
      reasons: answer.reasons,
      recommendedAction: answer.recommended_action,
      evidence: {
        factors,
        score: {
          composite: evidence.composite,
          telemetryShift: telemetry?.shift ?? 0,
          flaggedCount: flagged.size,
          penaltyApplied: evidence.penalty_applied,
          hundredths: record.scoreHundredths,
        },
        ...policyParts(evidence, policies),
        band: evidence.band,
        gate: evidence.gate,
        cap: { reviewAbove, blockAbove },
        supported: answer.corridor_supported,
        isTooLarge: revision >= partnerRequiredFrom && evidence.partners?.too_large === true,
      },
    },
  }
}

/** Without policies nothing is recorded of them. */
function policyParts(evidence: ComputedEvidence, inForce: PoliciesInForce | null) {
  const { policies, review_above: reviewAbove, block_above: blockAbove } = evidence
  if (policies === undefined) {
    return { floors: contractFloors, baseCap: { reviewAbove, blockAbove }, fired: [] }
  }
  const known = [inForce?.owner, inForce?.installation]
  const fired = policies.fired.map(({ policy_id: policyId, rule_id: id, failed = false }): FiredRule => {
    const rule = known.find((policy) => policy?.policyId === policyId)?.rules.find((one) => one.id === id)
    if (rule === undefined) throw new Error(`policies: ${policyId} has no rule ${id}`)
    return { policyId, rule, failed }
  })
  return {
    floors: { goFloor: policies.go_floor_hundredths, degradedFloor: policies.no_go_below_hundredths },
    baseCap: { reviewAbove: policies.review_above, blockAbove: policies.block_above },
    fired,
  }
}

function tighteningOf(
  record: Verification,
  answer: StoredAnswer,
  evidence: ComputedEvidence,
  policies: PoliciesInForce | null,
): Tightening | null {
  return policies === null ? null : { policies, circumstances: circumstancesOf(record, answer, evidence) }
}

/** As recorded with policies; without them, as far as the rest of the record tells. */
export function circumstancesOf(
  record: Pick<Verification, 'mode' | 'evaluatedAtMs'>,
  answer: Pick<StoredAnswer, 'recommended_partner' | 'volatility' | 'settlement_window'>,
  { policies, partners, source }: ComputedEvidence,
): Circumstances {
  const partner = partners?.ranked[0]?.partner ?? answer.recommended_partner
  return {
    mode: record.mode,
    source,
    volatility: answer.volatility,
    partner: policies === undefined ? partner : policies.partner,
    isCalendarOpen:
      policies === undefined ? (answer.settlement_window?.open ?? null) : policies.calendar_open,
    atMs: record.evaluatedAtMs,
  }
}

function partnerResults(evidence: PartnersEvidence, readings: Readings): PartnerResults {
  const { ranked, left_out: leftOut, too_large: tooLarge } = evidence
  const candidates = tooLarge === true ? choiceOf(evidence, { readings, feeds: [] }).candidates : []
  return {
    ranked: ranked.map(
      (
        { partner, decision, score_hundredths: scoreHundredths, fee, amount_max: amountMax = null },
        place,
      ) => ({
        partner,
        amountMax,
        verdict: decision,
        scoreHundredths,
        fee: fee?.amount ?? null,
        feeCurrency: fee?.currency ?? null,
        ...withinMember(candidates[place]),
      }),
    ),
    leftOut: leftOut.map(({ partner, amount_max: amountMax = null, unavailable }) => ({
      partner,
      amountMax,
      unavailable,
    })),
    isTooLarge: tooLarge === true,
  }
}

function withinMember(candidate: PartnerReadings | undefined) {
  const liquidity = candidate?.liquidityThousandths
  if (candidate === undefined || liquidity === undefined) return {}
  return { readingsWithin: withLiquidity(candidate.readings, liquidity) }
}

export function readingsOf(answer: Pick<StoredAnswer, 'signals'>, evidence: ComputedEvidence): Readings {
  const readings = bySignal((index): Reading => ({
    healthThousandths: evidence.risk_thousandths[index] ?? 0,
    confidencePercent: evidence.confidence_percent[index] ?? 0,
  }))
  return {
    ...readings,
    fraudFlagCount: answer.signals.fraud_flags ?? 0,
    failureRatePermille: Math.round((answer.signals.historical_failure_rate ?? 0) * 1000),
  }
}

function bySignal<Value>(at: (index: number) => Value): Record<SignalName, Value> {
  const values = {} as Record<SignalName, Value>
  for (const [index, signal] of signalNames.entries()) values[signal] = at(index)
  return values
}
