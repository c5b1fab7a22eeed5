/** All that is kept of one decision, read and put in order: what every look into it starts from. */

import type { RecordedDecision } from '../../core/explain/recorded-decision.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import { signalNames, type Reading, type Readings, type SignalName } from '../../core/decision/signals.ts'
import type { KeptAnswer } from '../verify/answer.ts'
import type { ComputedEvidence, CooldownEvidence } from '../verify/evidence.ts'
import type { Followed, Verification } from '../ports/records.ts'
import type { OwnerRecords } from '../ports/store.ts'
import { readAnswer } from './record-wire.ts'

export interface DecisionFile {
  readonly record: Verification
  readonly override: Followed<Verification>['override']
  readonly outcome: Followed<Verification>['outcome']
  readonly answer: KeptAnswer
  /** Of this very record: when its own request came, and how long each step took. */
  readonly moments: Pick<CooldownEvidence, 'received_at_ms' | 'timeline_us' | 'trace'>
  /** The record that was computed: this one, or the one that a cooldown repeated. */
  readonly computed: Verification
  readonly evidence: ComputedEvidence
  /** The decision as it was computed. */
  readonly kept: RecordedDecision
}

/** Null for an id that is not this owner's, whatever else it is. */
export async function openDecisionFile(records: OwnerRecords, id: string): Promise<DecisionFile | null> {
  const parsed = parseRequestId(id)
  const record = parsed === null ? null : await records.find(parsed.id)
  if (record === null) return null
  if (record.cooldownSourceId === null) return decisionFileOf(record, record, record)
  const source = await records.find(record.cooldownSourceId)
  // A source whose month an operator has taken away takes its evidence with it.
  return source === null ? null : decisionFileOf(record, source, record)
}

export function decisionFileOf(
  record: Verification,
  computed: Verification,
  { override, outcome }: Pick<Followed<Verification>, 'override' | 'outcome'>,
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
    kept: keptOf(computed, isOwn ? answer : readAnswer(computed), evidence),
  }
}

/** The record that a cooldown repeated, or null where this one was computed. */
export function sourceOf({ record, computed }: DecisionFile): Verification | null {
  return record === computed ? null : computed
}

/** The other way of `computedEvidence`: everything as it was, nothing computed. */
function keptOf(record: Verification, answer: KeptAnswer, evidence: ComputedEvidence): RecordedDecision {
  const { telemetry } = evidence
  const flagged = new Set(evidence.flagged)
  const factors = signalNames.map((signal, place) => ({
    signal,
    riskThousandths: evidence.risk_thousandths[place] ?? 0,
    contribution: evidence.contributions[place] ?? 0,
    flagged: flagged.has(signal),
  }))
  const { reviewAbove, blockAbove } = { reviewAbove: evidence.review_above, blockAbove: evidence.block_above }
  return {
    engine: evidence.engine,
    source: evidence.source,
    corridor: record.corridor,
    amount: record.amount,
    currency: record.currency,
    readings: readingsOf(answer, evidence),
    weightPercent: bySignal((place) => evidence.weight_percent[place] ?? 0),
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

function readingsOf(answer: KeptAnswer, evidence: ComputedEvidence): Readings {
  const readings = bySignal((place): Reading => ({
    riskThousandths: evidence.risk_thousandths[place] ?? 0,
    confidencePercent: evidence.confidence_percent[place] ?? 0,
  }))
  return {
    ...readings,
    fraudFlagCount: answer.signals.fraud_flags,
    failureRatePermille: Math.round(answer.signals.historical_failure_rate * 1000),
  }
}

function bySignal<Value>(at: (place: number) => Value): Record<SignalName, Value> {
  return Object.fromEntries(signalNames.map((signal, place) => [signal, at(place)])) as Record<
    SignalName,
    Value
  >
}
