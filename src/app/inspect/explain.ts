/** Builds the explanation, provenance, impact and timeline of a recorded decision. */

import { counterfactualsOf, type Counterfactuals } from '../../core/explain/counterfactuals.ts'
import { verdictOf } from '../../core/decision/decide.ts'
import { provenanceModel } from '../../core/decision/engine.ts'
import { factorMessage, summaryOf } from '../../core/explain/explanation.ts'
import { advantageOver, leftOutPhrase } from '../../core/explain/partner-reasons.ts'
import { impactOf } from '../../core/explain/impact.ts'
import type { RecordedDecision } from '../../core/explain/recorded-decision.ts'
import type { PartnerResult } from '../../core/live/partner-order.ts'
import type { Gate } from '../../core/decision/policy.ts'
import type { FiredRule } from '../../core/decision/tightening.ts'
import { signalReasonCode } from '../../core/decision/reasons.ts'
import { moneyText } from '../../core/explain/wording.ts'
import { bandTable, penaltyPercent } from '../../core/decision/score.ts'
import { categoryOf, probeOf } from '../../core/decision/signals.ts'
import { timelineOf, type Timeline } from '../../core/explain/timeline.ts'
import { iso } from '../../core/time/durations.ts'
import { sourceOf, type DecisionFile } from './decision-file.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import type { FeedEvidence } from '../ports/signals.ts'
import { overrideMember } from './record-wire.ts'

/** A billionth of the score (ten-millionths times percent): every part of a score is an integer in this unit. */
const scoreUnit = 1_000_000_000

const perComposite = scoreUnit / 100_000
const perShift = scoreUnit / 10_000_000
const perHundredth = scoreUnit / 100

export function explain(file: DecisionFile) {
  const { recorded, record } = file
  const isRepeat = sourceOf(file) !== null
  const counterfactuals = isRepeat ? null : counterfactualsOf(recorded)
  const { decision } = recorded
  const { evidence } = decision
  const { supported, gate, cap, floors } = evidence
  return {
    request_id: record.requestId,
    decision: decision.verdict,
    score: decision.scoreHundredths / 100,
    summary: `${repeatNote(file)}${summaryOf(recorded, counterfactuals)}`,
    factors: factorsOf(recorded),
    ...sumOf(recorded),
    policy_gate: {
      applied: gate !== 'none',
      rule: gateRules[gate],
      // Of the cap alone: rules of policies may have changed the decision, too.
      changed_decision: verdictOf({ ...evidence, gate: 'none' }) !== verdictOf(evidence),
      degraded_above: cap.reviewAbove,
      no_go_above: cap.blockAbove,
      currency: recorded.currency,
      message: gateMessage(recorded),
    },
    corridor_supported: supported,
    bands: bandTable(floors),
    ...partnersMember(recorded),
    ...policiesMember(file),
    counterfactuals: (counterfactuals?.items ?? []).map(
      ({ kind, change, verdict, scoreHundredths, capNotApplied = false }) => ({
        kind,
        change,
        decision: verdict,
        score: scoreHundredths / 100,
        ...(capNotApplied ? { cap_not_applied: capNotApplied } : {}),
      }),
    ),
    largest_go_amount: counterfactuals?.largestGoAmount ?? null,
    counterfactual_basis: basisOf(recorded, counterfactuals, isRepeat),
    engine_version: recorded.engine,
    ...cooldownMember(file),
  }
}

/** Every partner's result, and the advantage of the recommended one. Absent for a corridor without partners. */
function partnersMember({ partners, decision }: RecordedDecision) {
  const first = partners?.ranked[0]
  if (partners === null || first === undefined) return {}
  const { isTooLarge } = decision.evidence
  return {
    partners: [
      ...partners.ranked.map((one) => ({
        partner: one.partner,
        decision: one.verdict,
        score: one.scoreHundredths / 100,
        fee: one.fee,
        fee_currency: one.feeCurrency,
        available: !isTooLarge,
        unavailable_signals: [],
        comparison: comparisonOf(one, first, isTooLarge),
      })),
      ...partners.leftOut.map((one) => ({
        partner: one.partner,
        decision: null,
        score: null,
        fee: null,
        fee_currency: null,
        available: false,
        unavailable_signals: one.unavailable,
        comparison: `Left out: ${leftOutPhrase(one)}.`,
      })),
    ],
  }
}

function comparisonOf(one: PartnerResult, first: PartnerResult, isTooLarge: boolean): string | null {
  if (isTooLarge) return `Not available: ${leftOutPhrase({ ...one, unavailable: [] })}.`
  return one === first ? null : `${first.partner}: ${advantageOver(first, one)}.`
}

/** The policies that it was decided under, with the rules that fired. Absent without policies. */
function policiesMember({ policies, recorded }: DecisionFile) {
  if (policies === null) return {}
  const { fired } = recorded.decision.evidence
  const { owner, installation } = policies
  return { policies: { owner: policyMember(owner, fired), installation: policyMember(installation, fired) } }
}

function policyMember(policy: CompiledPolicy | null, fired: readonly FiredRule[]) {
  if (policy === null) return null
  const { policyId, name, document } = policy
  const own = fired.filter((one) => one.policyId === policyId)
  return {
    policy_id: policyId,
    name,
    rules_fired: own.map(({ rule, failed }) => ({
      rule_id: rule.id,
      // The rule of require_amount has no expression.
      when: document.rules?.find(({ id }) => id === rule.id)?.when ?? null,
      then: rule.then,
      message: rule.message,
      could_not_be_evaluated: failed,
    })),
  }
}

function repeatNote(file: DecisionFile): string {
  const source = sourceOf(file)
  if (source === null) return ''
  const at = iso(source.evaluatedAtMs)
  return `Repeated during a cooldown: nothing was computed for this payment. This explanation is of ${source.requestId}, decided at ${at}. `
}

/** Names the source of a record that repeats another during a cooldown. */
function cooldownMember(file: DecisionFile) {
  const source = sourceOf(file)
  return source === null ? {} : { cooldown: { source_request_id: source.requestId } }
}

function factorsOf(recorded: RecordedDecision) {
  return recorded.decision.evidence.factors.map((factor) => ({
    signal: factor.signal,
    weight: recorded.weightPercent[factor.signal] / 100,
    risk_value: probeOf(factor.healthThousandths, recorded.source).risk_value,
    contribution: factor.contribution / 100_000,
    status: probeOf(factor.healthThousandths, recorded.source).signal,
    flagged: factor.flagged,
    reason_code: factor.flagged ? signalReasonCode[factor.signal] : null,
    message: factorMessage(factor, recorded),
  }))
}

/** composite + telemetry.amount + penalty.amount + rounding = score, exactly: each is computed from integers. */
function sumOf({ decision, telemetry }: RecordedDecision) {
  const { score } = decision.evidence
  const composite = score.composite * perComposite
  const shift = score.telemetryShift * perShift
  const penalty = score.penaltyApplied ? 0 - ((composite + shift) * penaltyPercent) / 100 : 0
  const rounding = decision.scoreHundredths * perHundredth - (composite + shift + penalty)
  return {
    composite: composite / scoreUnit,
    telemetry:
      telemetry === null
        ? null
        : {
            weight: telemetry.weightPercent / 100,
            value: telemetry.scoreThousandths / 1000,
            amount: shift / scoreUnit,
          },
    penalty: {
      applied: score.penaltyApplied,
      multiplier: score.penaltyApplied ? (100 - penaltyPercent) / 100 : 1,
      flagged_count: score.flaggedCount,
      amount: penalty / scoreUnit,
    },
    rounding: rounding / scoreUnit,
  }
}

const gateRules: Readonly<Record<Gate, string>> = {
  none: 'none',
  review: 'review_above_cap',
  block: 'block_above_cap',
}

function gateMessage({ amount, currency, decision }: RecordedDecision): string {
  const { gate, cap } = decision.evidence
  if (amount === null) return 'No amount was given, so no cap applies.'
  const money = moneyText(amount, currency)
  if (gate === 'block') return `${money} is above the block cap of ${moneyText(cap.blockAbove, currency)}.`
  const above = gate === 'review' ? 'above' : 'not above'
  return `${money} is ${above} the review cap of ${moneyText(cap.reviewAbove, currency)}.`
}

function basisOf(
  recorded: RecordedDecision,
  counterfactuals: Counterfactuals | null,
  isRepeat: boolean,
): string {
  if (isRepeat)
    return 'None: this record repeats a decision during a cooldown. See the counterfactuals of its source.'
  if (counterfactuals === null) {
    return `None: decided by engine ${recorded.engine}, which this engine cannot recompute.`
  }
  return `Each is recomputed by the same engine with one change; ${amountBasis[counterfactuals.amountBasis]}.`
}

const amountBasis: Readonly<Record<Counterfactuals['amountBasis'], string>> = {
  simulated: 'for another amount, the signals were simulated again',
  simulated_with_faults:
    'for another amount, the signals were simulated again with the faults of this test amount',
  held: 'for another amount, the recorded signals were used unchanged',
  by_partner:
    'for another amount, the recorded signals of each partner were used, with its liquidity as it was read',
  not_searched:
    'the largest amount that is GO was not searched, because a rule of a policy may depend on the amount',
}

export function provenance(file: DecisionFile) {
  const { record, computed, evidence, recorded } = file
  return {
    decision_id: record.requestId,
    model_version: provenanceModel(evidence.engine),
    evaluated_at: iso(record.evaluatedAtMs),
    signals: recorded.decision.evidence.factors.map(({ signal, healthThousandths, flagged }, index) => ({
      signal,
      risk_value: probeOf(healthThousandths, evidence.source).risk_value,
      label: probeOf(healthThousandths, evidence.source).signal,
      category: categoryOf[signal],
      source: evidence.source,
      confidence: recorded.readings[signal].confidencePercent / 100,
      reason_code: flagged ? signalReasonCode[signal] : null,
      feed: feedMember(evidence.feeds?.[index], computed.evaluatedAtMs),
    })),
    ...cooldownMember(file),
  }
}

/** The value of a feed, and its age at the decision; null for a simulated signal. */
function feedMember(feed: FeedEvidence | undefined, evaluatedAtMs: number) {
  if (feed === undefined) return null
  const { kind, value, observed_at_ms: observedAtMs, history = null } = feed
  return {
    kind,
    value,
    observed_at: iso(observedAtMs),
    age_ms: observedAtMs === null ? null : Math.max(0, evaluatedAtMs - observedAtMs),
    history,
  }
}

export function impact(file: DecisionFile) {
  const { record, override, outcome, recorded } = file
  const estimate = impactOf(recorded, override?.action ?? null, outcome?.outcome ?? null)
  return {
    request_id: record.requestId,
    decision: record.verdict,
    risk_exposure_reduced: estimate.riskReductionHundredths > 0,
    risk_reduction: estimate.riskReductionHundredths / 100,
    intervention_type: estimate.intervention,
    confidence: estimate.confidence,
    calculation_basis: estimate.basis,
    ...overrideMember(file),
    ...cooldownMember(file),
  }
}

export function timeline(file: DecisionFile) {
  const { record, evidence, moments } = file
  const computed = timelineOf(evidence.received_at_ms, evidence.timeline_us)
  const source = sourceOf(file)
  const own = source === null ? null : timelineWire(timelineOf(moments.received_at_ms, moments.timeline_us))
  return {
    request_id: record.requestId,
    ...timelineWire(computed),
    ...(source === null || own === null
      ? {}
      : {
          cooldown: {
            source_request_id: source.requestId,
            own_events: own.events,
            own_total_duration_ms: own.total_duration_ms,
          },
        }),
  }
}

function timelineWire({ moments, totalUs }: Timeline) {
  return {
    events: moments.map(({ event, atUs, durationUs }) => ({
      event,
      time: microseconds(atUs),
      duration_ms: durationUs / 1000,
    })),
    total_duration_ms: totalUs / 1000,
  }
}

/** ISO 8601 with microseconds, since steps take less than a millisecond. */
function microseconds(atUs: number): string {
  const text = new Date(Math.floor(atUs / 1000)).toISOString()
  return `${text.slice(0, -1)}${String(atUs % 1000).padStart(3, '0')}Z`
}
