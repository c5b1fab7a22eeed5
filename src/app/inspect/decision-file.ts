/** Loads one recorded decision with its evidence: the input of explanation, provenance, impact and timeline. */

import type { RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import { signalNames, type Reading, type Readings, type SignalName } from '../../core/decision/signals.ts'
import type { StoredAnswer } from '../verify/answer.ts'
import type { PartnerResults } from '../../core/live/partner-order.ts'
import type { ComputedEvidence, CooldownEvidence } from '../verify/evidence.ts'
import type { PartnersEvidence } from '../verify/partner-choice.ts'
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
  readonly recorded: RecordedDecision
}

/** Null for every id that is not one of this owner's records. */
export async function openDecisionFile(records: OwnerRecords, id: string): Promise<DecisionFile | null> {
  const parsed = parseRequestId(id)
  const record = parsed === null ? null : await records.find(parsed.id)
  if (record === null) return null
  if (record.cooldownSourceId === null) return decisionFileOf(record, record, record)
  const source = await records.find(record.cooldownSourceId)
  // The source is missing when an operator has detached its month; the evidence is then missing too.
  return source === null ? null : decisionFileOf(record, source, record)
}

export function decisionFileOf(
  record: Verification,
  computed: Verification,
  { override, outcome }: Pick<Annotated<Verification>, 'override' | 'outcome'>,
): DecisionFile {
  const evidence = JSON.parse(computed.evidence) as ComputedEvidence
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
    recorded: recordedOf(computed, isOwn ? answer : readAnswer(computed), evidence),
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
): RecordedDecision {
  const { telemetry } = evidence
  const flagged = new Set(evidence.flagged)
  const factors = signalNames.map((signal, index) => ({
    signal,
    healthThousandths: evidence.risk_thousandths[index] ?? 0,
    contribution: evidence.contributions[index] ?? 0,
    flagged: flagged.has(signal),
  }))
  const { reviewAbove, blockAbove } = { reviewAbove: evidence.review_above, blockAbove: evidence.block_above }
  return {
    engine: evidence.engine,
    revision: evidence.revision ?? 1,
    hasTestAmounts: evidence.ignored_test_amount !== true,
    source: evidence.source,
    corridor: record.corridor,
    amount: record.amount,
    currency: record.currency,
    readings: readingsOf(answer, evidence),
    partners: evidence.partners === undefined ? null : partnerResults(evidence.partners),
    weightPercent: bySignal((index) => evidence.weight_percent[index] ?? 0),
    telemetry:
      telemetry === undefined
        ? null
        : { weightPercent: telemetry.weight_percent, scoreThousandths: telemetry.score_thousandths },
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
        band: evidence.band,
        gate: evidence.gate,
        cap: { reviewAbove, blockAbove },
        supported: answer.corridor_supported,
      },
    },
  }
}

function partnerResults({
  ranked,
  left_out: leftOut,
  too_large: tooLarge,
}: PartnersEvidence): PartnerResults {
  return {
    ranked: ranked.map(
      ({ partner, decision, score_hundredths: scoreHundredths, fee, amount_max: amountMax = null }) => ({
        partner,
        amountMax,
        verdict: decision,
        scoreHundredths,
        fee: fee?.amount ?? null,
        feeCurrency: fee?.currency ?? null,
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

function readingsOf(answer: StoredAnswer, evidence: ComputedEvidence): Readings {
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
  return Object.fromEntries(signalNames.map((signal, index) => [signal, at(index)])) as Record<
    SignalName,
    Value
  >
}
