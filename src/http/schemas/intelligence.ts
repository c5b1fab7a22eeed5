/** Schemas of a decision's explanation, provenance, impact, timeline and audit export (contract section 4). */

import { Type } from 'typebox'
import { interventions } from '../../core/explain/impact.ts'
import { signalCategories } from '../../core/decision/signals.ts'
import { timelineEvents } from '../../core/explain/timeline.ts'
import { stops } from '../../core/policy/document.ts'
import {
  named,
  Bands,
  nullable,
  ReasonCode,
  Score,
  ProbeLabel,
  SignalName,
  Timestamp,
  Verdict,
} from './common.ts'
import { HeldProof } from './log.ts'
import { FeedKind, FeedValue } from './feeds.ts'
import { PolicyDocument } from './policies.ts'
import { approvalMembers, HumanOverride, ReportedOutcome } from './records.ts'

export const SignalCategory = Type.Enum([...signalCategories])
export const SignalOrigin = Type.Enum(['simulation', 'live', 'none'])
const RiskValue = nullable(
  Type.Number({ minimum: 0, maximum: 1, description: '1.0 is clear. Null if there is no data.' }),
)

const source = Type.String({
  description: 'The record of the original decision, which has the counterfactuals.',
})
const Cooldown = Type.Optional(
  Type.Object(
    { source_request_id: source },
    {
      description:
        'Present if this record repeats another during a cooldown. The values shown are those of the original.',
    },
  ),
)

const Factor = named(
  'Factor',
  Type.Object({
    signal: SignalName,
    weight: Type.Number(),
    risk_value: RiskValue,
    contribution: Type.Number({ description: 'weight x risk_value: the share of `composite`.' }),
    status: ProbeLabel,
    flagged: Type.Boolean(),
    reason_code: nullable(ReasonCode),
    message: Type.String(),
  }),
)

const FiredPolicy = nullable(
  Type.Object({
    policy_id: Type.String(),
    name: Type.String(),
    rules_fired: Type.Array(
      Type.Object({
        rule_id: Type.String(),
        when: nullable(
          Type.String({ description: 'The expression of the rule. Null for `require_amount`.' }),
        ),
        then: Type.Enum([...stops]),
        message: Type.String(),
        could_not_be_evaluated: Type.Boolean({
          description: 'True if the rule could not be evaluated for this payment, and so counts as fired.',
        }),
      }),
    ),
  }),
)
const Policies = Type.Optional(
  Type.Object(
    { owner: FiredPolicy, installation: FiredPolicy },
    { description: 'The policies that the decision was made under. Absent if there were none.' },
  ),
)

export const Explanation = named(
  'Explanation',
  Type.Object(
    {
      request_id: Type.String(),
      decision: Verdict,
      score: Score,
      summary: Type.String({ description: 'A summary in prose.' }),
      factors: Type.Array(Factor, {
        minItems: 7,
        maxItems: 7,
        description: 'The contributions add up to `composite`.',
      }),
      composite: Type.Number({ description: 'The sum of the contributions.' }),
      telemetry: nullable(
        Type.Object(
          {
            weight: Type.Number(),
            value: Type.Number(),
            amount: Type.Number({ description: 'The amount added to the composite; may be negative.' }),
          },
          { description: 'Only for a live decision that includes corridor telemetry.' },
        ),
      ),
      penalty: Type.Object({
        applied: Type.Boolean(),
        multiplier: Type.Number(),
        flagged_count: Type.Integer(),
        amount: Type.Number({ description: 'Zero or less.' }),
      }),
      rounding: Type.Number({
        description:
          'Zero or less. composite + telemetry.amount + penalty.amount + rounding = score, exactly.',
      }),
      policy_gate: Type.Object({
        applied: Type.Boolean(),
        rule: Type.Enum(['none', 'review_above_cap', 'block_above_cap']),
        changed_decision: Type.Boolean({
          description: 'Whether the gate alone changed the decision, apart from rules of policies.',
        }),
        degraded_above: Type.Number(),
        no_go_above: Type.Number(),
        currency: Type.String({ description: 'The currency of the request.' }),
        message: Type.String(),
      }),
      corridor_supported: Type.Boolean(),
      partners: Type.Optional(
        Type.Array(
          Type.Object({
            partner: Type.String(),
            decision: nullable(Verdict),
            score: nullable(Score),
            fee: nullable(Type.Number()),
            fee_currency: nullable(Type.String()),
            available: Type.Boolean(),
            unavailable_signals: Type.Array(SignalName),
            comparison: nullable(
              Type.String({
                description: 'Why the first one won over this one, or why this one is not available.',
              }),
            ),
          }),
          { description: 'Every declared partner, best first. Absent for a corridor without partners.' },
        ),
      ),
      policies: Policies,
      bands: Bands,
      counterfactuals: Type.Array(
        Type.Object({
          kind: Type.Enum(['signal', 'partner', 'telemetry', 'policy', 'amount', 'profile']),
          change: Type.String(),
          decision: Verdict,
          score: Score,
          cap_not_applied: Type.Optional(
            Type.Boolean({
              description: 'True if this GO ignores the review cap: with it, verify gives DEGRADED.',
            }),
          ),
        }),
        {
          description:
            'Each signal that alone, if healthy, would have changed the decision; the other partners; the decision without each policy; the largest amount that would have been GO; the other profiles.',
        },
      ),
      largest_go_amount: nullable(
        Type.Number({
          description:
            'In whole units of the request currency. Null if no amount is GO or the amount is unknown, as for a cooldown repeat or under rules of a policy.',
        }),
      ),
      counterfactual_basis: Type.String(),
      engine_version: Type.String(),
      cooldown: Cooldown,
    },
    { description: 'How the decision was made, from its recorded evidence.' },
  ),
)

export const Provenance = named(
  'SignalProvenance',
  Type.Object(
    {
      decision_id: Type.String(),
      model_version: Type.String({ pattern: '^SVC-v\\d+\\.\\d+\\.\\d+$' }),
      evaluated_at: Timestamp,
      signals: Type.Array(
        Type.Object({
          signal: SignalName,
          risk_value: RiskValue,
          label: ProbeLabel,
          category: SignalCategory,
          source: SignalOrigin,
          confidence: Type.Number({
            minimum: 0,
            maximum: 0.97,
            description: 'From 0.70; 0 if there is no data.',
          }),
          reason_code: nullable(ReasonCode),
          feed: nullable(
            Type.Object(
              {
                kind: FeedKind,
                value: FeedValue,
                observed_at: nullable(Timestamp),
                age_ms: nullable(
                  Type.Number({ minimum: 0, description: 'Age at the time of the decision.' }),
                ),
                history: nullable(
                  Type.Object(
                    { have: Type.Integer(), need: Type.Integer() },
                    { description: 'For an aggregated value: the number of samples available and required.' },
                  ),
                ),
              },
              { description: 'The reading from the live feed. Null for a simulated signal.' },
            ),
          ),
        }),
        { minItems: 7, maxItems: 7 },
      ),
      cooldown: Cooldown,
    },
    { description: 'The source and confidence of each signal.' },
  ),
)

export const ImpactAnswer = named(
  'Impact',
  Type.Object(
    {
      request_id: Type.String(),
      decision: Verdict,
      risk_exposure_reduced: Type.Boolean(),
      risk_reduction: Type.Number({ minimum: 0, maximum: 1 }),
      intervention_type: Type.Enum([...interventions]),
      confidence: Type.Enum(['high', 'medium']),
      calculation_basis: Type.String(),
      human_override: nullable(HumanOverride),
      cooldown: Cooldown,
    },
    { description: 'The effect of the decision on risk, compared with no verification.' },
  ),
)

const TimedEvents = Type.Array(
  Type.Object({
    event: Type.Enum([...timelineEvents]),
    time: Type.String({ format: 'date-time', description: 'ISO 8601, UTC, to the microsecond.' }),
    duration_ms: Type.Number({ minimum: 0, description: 'Time since the previous event.' }),
  }),
)

export const TimelineAnswer = named(
  'Timeline',
  Type.Object(
    {
      request_id: Type.String(),
      events: TimedEvents,
      total_duration_ms: Type.Number({ minimum: 0, description: 'The sum of the durations.' }),
      cooldown: Type.Optional(
        Type.Object(
          {
            source_request_id: source,
            own_events: TimedEvents,
            own_total_duration_ms: Type.Number({ minimum: 0 }),
          },
          {
            description:
              'For a record that repeats another: `events` are those of the original, `own_events` those of this record.',
          },
        ),
      ),
    },
    { description: 'The ten timed events of the decision.' },
  ),
)

const Json = Type.Object({}, { additionalProperties: true })

/** The principal as the leaf has it. */
const attributed = {
  key_id: Type.String({ description: 'The key, or the session of a person.' }),
  person_id: nullable(Type.String({ description: 'Null for a key.' })),
  principal_id: nullable(
    Type.String({ description: 'That of the key or the person. Null in records from before principals.' }),
  ),
}

/** How the personal text of a record (`correlation_id`) or an override (`justification`) is kept. */
const apart = {
  form: Type.Enum([1, 2], {
    description: '1: the personal text is part of the record. 2: it is kept apart, and can be erased.',
  }),
  personal_text: nullable(
    Type.Object(
      { hash: Type.String(), salt: nullable(Type.String()) },
      { description: 'SHA-256, in base64, of the salt, a newline and the text. `salt` is null once erased.' },
    ),
  ),
}

export const AuditBundle = named(
  'AuditExport',
  Type.Object(
    {
      export_version: Type.Integer(),
      exported_at: Timestamp,
      record: Type.Object(
        {
          ...apart,
          request_id: Type.String(),
          decision: Verdict,
          score: Score,
          answer: Json,
          evidence: Json,
        },
        { additionalProperties: true, description: 'The complete record. It never changes.' },
      ),
      source_record: nullable(Json),
      human_override: nullable(
        Type.Object({
          ...HumanOverride.properties,
          ...attributed,
          ...apart,
          approval: nullable(Type.Object({ ...approvalMembers, ...attributed })),
        }),
      ),
      outcome: nullable(
        Type.Object({
          ...ReportedOutcome.properties,
          ...attributed,
          outcome_id: nullable(
            Type.String({ description: 'Null if it was reported before outcomes were entries of the log.' }),
          ),
        }),
      ),
      policies: Type.Array(Type.Object({ policy_id: Type.String(), document: PolicyDocument }), {
        maxItems: 2,
        description:
          'The policies that the decision was made under, that of the owner first. The evidence has the SHA-256 of each document.',
      }),
      explanation: Explanation,
      timeline: TimelineAnswer,
      proof: HeldProof,
      integrity: Type.Object({
        algorithm: Type.Enum(['SHA-256']),
        canonicalisation: Type.Enum(['RFC 8785']),
        record_hash: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'SHA-256 of the canonical JSON of `record`, in lower-case hex.',
        }),
        bundle_hash: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'The same hash of the bundle without `exported_at`, `proof` and `integrity`.',
        }),
        member_hashes: Type.Object(
          {},
          {
            additionalProperties: Type.String(),
            description: 'Hashes of the parts by JSON pointer, to locate a change.',
          },
        ),
        signature: Type.Object(
          {
            verifier_key: Type.String({ description: 'The key of the log that signed.' }),
            note: Type.String({
              description:
                'A signed note: its form, `request_id`, `bundle_hash`, `exported_at`, a signature.',
            }),
          },
          { description: 'Covers everything that `bundle_hash` covers, and `exported_at`.' },
        ),
      }),
    },
    { description: 'A self-contained evidence bundle. `fairway audit verify FILE` verifies it offline.' },
  ),
)
