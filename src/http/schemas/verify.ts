/** Schemas of the verify request and response (contract 2.1 to 2.4). */

import { Type, type Static } from 'typebox'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { signalNames, type SignalName as Signal } from '../../core/decision/signals.ts'
import type { StoredAnswer } from '../../app/verify/answer.ts'
import { idempotencyKeyPattern, limits } from '../limits.ts'
import {
  named,
  type Frozen,
  Mode,
  nullable,
  ProbeLabel,
  ReasonCode,
  RecommendedAction,
  Score,
  Timestamp,
  Verdict,
  Warnings,
} from './common.ts'

/** Text without control characters. */
export const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const VerifyBody = named(
  'VerifyRequest',
  Type.Object({
    corridor: Type.String({
      minLength: 1,
      maxLength: corridorLengthMax,
      pattern: plainText,
      description: 'FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names.',
    }),
    amount: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.amountMax,
        description: 'In units of the currency. A missing amount is not zero.',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 3,
        pattern: plainText,
        description: 'ISO 4217. Defaults to `GBP`.',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.idempotencyKeyLengthMax,
        pattern: idempotencyKeyPattern,
        description:
          'A unique key for this payment, such as a UUID. May be sent in the header `Idempotency-Key` instead.',
      }),
    ),
    correlation_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.correlationIdLengthMax,
        pattern: plainText,
        description: 'Your own reference. Echoed and stored with the record.',
      }),
    ),
  }),
)

export const VerifyQuery = Type.Object({
  mode: Type.Optional(
    Type.Enum(['shadow', 'live'], {
      description: 'Defaults to the mode of the key. A test key cannot use `live`.',
    }),
  ),
})

export const SettlementWindow = {
  open: Type.Boolean(),
  opens_at: nullable(Timestamp),
  cut_off_at: nullable(Timestamp),
}

const SignalValues = named(
  'SignalValues',
  Type.Object({
    fraud_flags: nullable(
      Type.Integer({ minimum: 0, description: 'Number of open fraud and AML flags. Zero is clear.' }),
    ),
    network_healthy: nullable(Type.Boolean()),
    balance_sufficient: nullable(Type.Boolean()),
    fx_volatility: nullable(Type.Enum(['low', 'high'])),
    operation_valid: nullable(Type.Boolean()),
    historical_failure_rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    cop_overridden: nullable(Type.Boolean()),
  }),
)

const ProbeDetail = named(
  'ProbeDetail',
  Type.Object({
    signal: ProbeLabel,
    risk_value: nullable(Type.Number({ minimum: 0, maximum: 1, description: '1.0 is clear.' })),
  }),
)

export const ProbeDetails = named(
  'ProbeDetails',
  Type.Object(
    Object.fromEntries(signalNames.map((name) => [name, ProbeDetail])) as Record<Signal, typeof ProbeDetail>,
  ),
)

export const Reasons = Type.Array(named('Reason', Type.Object({ code: ReasonCode, message: Type.String() })))

export const VerifyAnswer = named(
  'VerifyResponse',
  Type.Object(
    {
      decision: Verdict,
      score: Score,
      confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Independent of the score.' }),
      recommended_action: RecommendedAction,
      recommended_partner: nullable(
        Type.String({
          description:
            'Null for NO-GO, an unsupported corridor, an amount that no declared partner takes, or a live corridor without a named partner.',
        }),
      ),
      reasons: Reasons,
      reason_codes: Type.Array(ReasonCode, { description: 'For older integrations. Prefer `reasons`.' }),
      request_id: Type.String({ pattern: '^SVC-' }),
      correlation_id: Type.Optional(Type.String()),
      evaluated_at: Timestamp,
      timestamp: Timestamp,
      valid_until: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Verify again after this. Earlier if the settlement window closes. Absent in replays of old records.',
        }),
      ),
      settlement_window: Type.Optional(
        nullable(
          Type.Object(SettlementWindow, {
            description:
              'The open window of the settlement calendar, or the next one. Null if the calendar is expired. Absent without a calendar.',
          }),
        ),
      ),
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      validation_note: Type.String(),
      currency: nullable(
        Type.String({
          description: "The corridor's settlement currency. That of the request is `request_currency`.",
        }),
      ),
      amount: Type.Optional(
        nullable(
          Type.Number({
            description: 'The amount of the request; null if it had none. Absent in replays of old records.',
          }),
        ),
      ),
      request_currency: Type.Optional(
        Type.String({ description: 'The currency of the request. Absent in replays of old records.' }),
      ),
      mode: Mode,
      environment: Type.Enum(['sandbox', 'production']),
      volatility: Type.Number({
        minimum: 0,
        description: "Standard deviation of the corridor's recent scores.",
      }),
      probe_count: Type.Integer({ description: 'Number of signals evaluated.' }),
      signals: SignalValues,
      probe_details: ProbeDetails,
      decision_model: Type.String({ pattern: '^v\\d+\\.\\d+$' }),
      api_version: Type.String({ pattern: '^\\d+\\.\\d+$' }),
      policy_version: Type.Optional(
        nullable(
          Type.Object(
            { owner: nullable(Type.String()), installation: nullable(Type.String()) },
            { description: 'The ids of the policies that it was decided under; null if there was none.' },
          ),
        ),
      ),
      warnings: Warnings,
      cooldown: Type.Optional(
        Type.Object(
          { source_request_id: Type.String(), expires_at: Timestamp },
          {
            description: 'Present if a recent NO-GO of this corridor was returned without recomputation.',
          },
        ),
      ),
      idempotency_hit: Type.Boolean({
        description: 'True if this is the stored answer of an earlier request with the same idempotency key.',
      }),
      response_ms: Type.Integer({ minimum: 0, description: 'Server-side processing time in milliseconds.' }),
    },
    { description: 'The decision and its evidence.' },
  ),
)

type Sent = StoredAnswer & { idempotency_hit: boolean; response_ms: number }

/** The answer is sent as text, so the compiler checks here that it matches its schema. @compileCheck */
export const answerFitsSchema: Sent extends Frozen<Static<typeof VerifyAnswer>> ? true : false = true
