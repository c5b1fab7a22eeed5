/** The verify request and answer (contract 2.1 to 2.4). */

import { Type, type Static } from 'typebox'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { signalNames, type SignalName as Signal } from '../../core/decision/signals.ts'
import type { KeptAnswer } from '../../app/verify/answer.ts'
import { idempotencyKeyPattern, limits } from '../limits.ts'
import {
  named,
  type Frozen,
  Mode,
  nullable,
  ReasonCode,
  RecommendedAction,
  Score,
  SignalLabel,
  Timestamp,
  Verdict,
} from './common.ts'

/** Anything but control characters. */
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
        description: 'In units of the currency. Missing is not zero.',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 3,
        pattern: plainText,
        description: 'ISO 4217; `GBP` when missing.',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.idempotencyKeyLengthMax,
        pattern: idempotencyKeyPattern,
        description:
          'A unique key of your own; a UUID is a good one. Also taken from the header `Idempotency-Key`.',
      }),
    ),
    correlation_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.correlationIdLengthMax,
        pattern: plainText,
        description: 'Your own reference: echoed and kept with the record.',
      }),
    ),
  }),
)

export const VerifyQuery = Type.Object({
  mode: Type.Optional(
    Type.Enum(['shadow', 'live'], {
      description: 'What the key is for, unless given. A test key cannot ask for live.',
    }),
  ),
})

const SignalValues = named(
  'SignalValues',
  Type.Object({
    fraud_flags: Type.Integer({ minimum: 0, description: 'Open fraud and AML flags; zero is clear.' }),
    network_healthy: Type.Boolean(),
    balance_sufficient: Type.Boolean(),
    fx_volatility: Type.Enum(['low', 'high']),
    operation_valid: Type.Boolean(),
    historical_failure_rate: Type.Number({ minimum: 0, maximum: 1 }),
    cop_overridden: Type.Boolean(),
  }),
)

const ProbeDetail = named(
  'ProbeDetail',
  Type.Object({
    signal: SignalLabel,
    risk_value: Type.Number({ minimum: 0, maximum: 1, description: '1.0 is clear.' }),
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
      recommended_partner: nullable(Type.String()),
      reasons: Reasons,
      reason_codes: Type.Array(ReasonCode, { description: 'Kept for older integrations; prefer `reasons`.' }),
      request_id: Type.String({ pattern: '^SVC-' }),
      correlation_id: Type.Optional(Type.String()),
      evaluated_at: Timestamp,
      timestamp: Timestamp,
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      validation_note: Type.String(),
      currency: nullable(Type.String({ description: "The corridor's settlement currency." })),
      mode: Mode,
      environment: Type.Enum(['sandbox', 'production']),
      volatility: Type.Number({
        minimum: 0,
        description: 'Standard deviation of recent scores of the corridor.',
      }),
      probe_count: Type.Integer({ description: 'Signals evaluated.' }),
      signals: SignalValues,
      probe_details: ProbeDetails,
      decision_model: Type.String({ pattern: '^v\\d+\\.\\d+$' }),
      api_version: Type.String({ pattern: '^\\d+\\.\\d+$' }),
      cooldown: Type.Optional(
        Type.Object(
          { source_request_id: Type.String(), expires_at: Timestamp },
          {
            description: 'Present when a recent NO-GO of this corridor was returned without computing again.',
          },
        ),
      ),
      idempotency_hit: Type.Boolean({
        description: 'True when this is an earlier answer under the same key.',
      }),
      response_ms: Type.Integer({ minimum: 0, description: 'Server-side processing time in milliseconds.' }),
    },
    { description: 'The decision and the evidence behind it.' },
  ),
)

type Sent = KeptAnswer & { idempotency_hit: boolean; response_ms: number }

/** The answer travels as text, so the compiler checks here that what the application composes fits the schema. @compileCheck */
export const answerFitsSchema: Sent extends Frozen<Static<typeof VerifyAnswer>> ? true : false = true
