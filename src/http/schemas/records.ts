/** Schemas of audit records and history (contract 2.11 and section 4). */

import { Type } from 'typebox'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { overrideActions } from '../../core/events/override.ts'
import { limits } from '../limits.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import { recordedAtMembers } from '../input/times.ts'
import {
  named,
  PaymentOutcome,
  Mode,
  nullable,
  ReasonCode,
  Score,
  ProbeLabel,
  SignalName,
  Timestamp,
  Verdict,
  singleLinePattern,
} from './common.ts'
import { Principal } from './people.ts'

const shared = {
  request_id: Type.String(),
  corridor: Type.String(),
  decision: Verdict,
  score: Score,
  confidence: Score,
  amount: nullable(Type.Number({ description: 'The amount of the request.' })),
  currency: Type.String({ description: 'The currency of the request.' }),
  mode: Mode,
  evaluated_at: Timestamp,
  correlation_id: nullable(Type.String()),
}

export const approvalMembers = { review_id: Type.String(), approved_by: Principal }

export const HumanOverride = named(
  'Override',
  Type.Object(
    {
      override_id: Type.String(),
      request_id: Type.String(),
      original_decision: Verdict,
      action: Type.Enum([...overrideActions]),
      reason_code: Type.String(),
      justification: Type.String(),
      created_at: Timestamp,
      created_by: Principal,
      approval: nullable(
        Type.Object(approvalMembers, {
          description: 'The review in which it was approved, and by whom. Null without one.',
        }),
      ),
    },
    { description: "A person's override of the decision. The decision itself never changes." },
  ),
)

export const ReportedOutcome = named(
  'ReportedOutcome',
  Type.Object(
    {
      request_id: Type.String(),
      outcome: PaymentOutcome,
      partner: Type.Optional(Type.String({ description: 'The partner that it went through, if reported.' })),
      occurred_at: nullable(
        Type.String({ format: 'date-time', description: 'When the payment ended, if reported.' }),
      ),
      reported_at: Timestamp,
      reported_by: Principal,
    },
    { description: 'How the payment ended, as reported by its owner.' },
  ),
)

const reportedOutcome = Type.Union([ReportedOutcome, Type.Null()], {
  description: 'Null until an outcome is reported.',
})

const cooldownSource = nullable(
  Type.String({
    description: 'The decision that a cooldown repeated. Null if this one was computed.',
  }),
)

const humanOverride = Type.Union([HumanOverride, Type.Null()], {
  description: 'Null until the decision is overridden.',
})

export const AuditRecord = named(
  'AuditRecord',
  Type.Object(
    {
      ...shared,
      reason_codes: Type.Array(ReasonCode),
      human_override: humanOverride,
      outcome: reportedOutcome,
      cooldown_source_request_id: cooldownSource,
      signal_contributions: Type.Array(
        Type.Object({
          signal: SignalName,
          status: ProbeLabel,
          risk_value: nullable(Type.Number({ minimum: 0, maximum: 1 })),
        }),
        { minItems: 7, maxItems: 7 },
      ),
    },
    { description: 'The record as written. It never changes; an override is recorded separately.' },
  ),
)

const HistoryItem = named(
  'Verification',
  Type.Object({
    ...shared,
    human_override: humanOverride,
    outcome: reportedOutcome,
    cooldown_source_request_id: cooldownSource,
    recorded_at: Type.String({ format: 'date-time', description: 'The history is sorted by this time.' }),
  }),
)

export const History = Type.Array(HistoryItem, { description: 'Newest first.' })

export const HistoryQuery = listQuery({
  ...pageMembers('Records'),
  decision: Type.Optional(Verdict),
  corridor: Type.Optional(Type.String({ minLength: 1, maxLength: corridorLengthMax })),
  ...recordedAtMembers(),
  correlation_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.correlationIdLengthMax,
      pattern: singleLinePattern,
      description: 'Exact match.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'The response format. Defaults to the `Accept` header, then JSON.',
    }),
  ),
})
