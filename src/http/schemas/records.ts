/** Schemas of audit records, history (contract 2.11 and section 4) and the search. */

import { Type } from 'typebox'
import { actualOutcomes } from '../../core/live/outcome.ts'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { reasonCodes } from '../../core/decision/reasons.ts'
import { overrideActions } from '../../core/events/override.ts'
import { limits } from '../limits.ts'
import { resultKinds } from '../../app/inspect/search.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import { recordedAtMembers } from '../input/times.ts'
import {
  named,
  PaymentOutcome,
  paymentCurrencies,
  Mode,
  nullable,
  ReasonCode,
  RecommendedAction,
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
  ...paymentCurrencies,
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
    reason_codes: Type.Array(ReasonCode),
    recommended_action: RecommendedAction,
    human_override: humanOverride,
    outcome: reportedOutcome,
    cooldown_source_request_id: cooldownSource,
    recorded_at: Type.String({ format: 'date-time', description: 'The history is sorted by this time.' }),
  }),
)

export const History = Type.Array(HistoryItem, { description: 'Newest first.' })

const amount = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: limits.amountMax, description }))

const filterMembers = {
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
  mode: Type.Optional(Mode),
  reason: Type.Optional(Type.Enum([...reasonCodes], { description: 'Only decisions with this reason.' })),
  currency: Type.Optional(
    Type.String({ minLength: 1, maxLength: 3, description: 'The currency of the request.' }),
  ),
  amount_min: amount('At least this amount, in the currency of each request.'),
  amount_max: amount('At most this amount.'),
  override: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether the decision was overridden.' }),
  ),
  outcome: Type.Optional(
    Type.Enum([...actualOutcomes, 'none'], {
      description: 'How the payment ended; `none` for decisions without a report.',
    }),
  ),
}

export const HistoryQuery = listQuery({
  ...pageMembers('Records'),
  ...filterMembers,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'The response format. Defaults to the `Accept` header, then JSON.',
    }),
  ),
})

export const TotalsQuery = listQuery(filterMembers)

const Count = Type.Integer({ minimum: 0 })

export const HistoryTotals = named(
  'VerificationsTotals',
  Type.Object({
    records: Count,
    complete: Type.Boolean({ description: 'False if there are older records that were not looked at.' }),
    by_currency: Type.Array(
      Type.Object({
        currency: Type.String({ description: 'The currency of the requests.' }),
        records: Count,
        amount: Type.Number({ description: 'The sum of the amounts; a record without one adds nothing.' }),
        decisions: Type.Object({ GO: Count, DEGRADED: Count, 'NO-GO': Count }),
      }),
      { description: 'Most records first.' },
    ),
  }),
)

// The search

export const SearchQuery = listQuery({
  q: Type.String({
    minLength: 1,
    maxLength: limits.correlationIdLengthMax,
    pattern: singleLinePattern,
    description: 'A whole id, in any case, or a correlation id, exactly.',
  }),
})

export const SearchResults = named(
  'SearchResults',
  Type.Object({
    results: Type.Array(
      named(
        'SearchResult',
        Type.Object({
          kind: Type.Enum([...resultKinds]),
          id: Type.String(),
          title: Type.String({
            description:
              'Such as the name of a policy or a report, the URL of a webhook or a correlation id.',
          }),
          request_id: Type.Optional(Type.String({ description: 'The decision that it is about.' })),
          policy_id: Type.Optional(Type.String({ description: 'The policy of a backtest.' })),
          webhook_id: Type.Optional(
            Type.String({ description: 'The webhook, or an endpoint that the event was sent to.' }),
          ),
          payment: Type.Optional(
            Type.Object(
              {
                corridor: Type.String(),
                decision: Verdict,
                amount: nullable(Type.Number()),
                ...paymentCurrencies,
                recorded_at: Timestamp,
              },
              { description: 'The payment of the decision.' },
            ),
          ),
        }),
      ),
      { description: 'Empty if nothing is found.' },
    ),
  }),
)
