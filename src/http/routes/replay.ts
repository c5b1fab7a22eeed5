/** POST /api/v1/replay: assesses a past payment. Always in shadow mode; nothing is stored. */

import { Type } from 'typebox'
import type { Clock } from '../../app/ports/system.ts'
import type { Replay } from '../../app/inspect/replay.ts'
import type { App } from '../types.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { occurredAt, readOccurredAt } from '../input/times.ts'
import { readPayment } from '../input/payment.ts'
import {
  named,
  PaymentOutcome,
  errorResponses,
  keyed,
  nullable,
  ReasonCode,
  RecommendedAction,
  response,
  Score,
  Timestamp,
  Verdict,
  withWarnings,
} from '../schemas/common.ts'
import { ProbeDetails, Reasons, VerifyBody } from '../schemas/verify.ts'

const { corridor, amount, currency } = VerifyBody.properties

const ReplayBody = named(
  'ReplayRequest',
  Type.Object({
    corridor,
    amount,
    currency,
    occurred_at: occurredAt('When the payment was made: an ISO 8601 date or date-time, not in the future.'),
    actual_outcome: Type.Optional({ ...PaymentOutcome, description: 'How the payment ended.' }),
  }),
)

const ReplayAnswer = named(
  'ReplayResponse',
  Type.Object(
    {
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      amount: nullable(Type.Number()),
      currency: Type.String({ description: 'The currency of the request.' }),
      mode: Type.Enum(['shadow']),
      occurred_at: nullable(Type.String()),
      actual_outcome: nullable(PaymentOutcome),
      verdict: Type.Object({
        would_have_flagged: Type.Boolean({
          description: 'Whether the payment would have been held or blocked.',
        }),
        decision: Verdict,
        recommended_action: RecommendedAction,
      }),
      score: Score,
      confidence: Score,
      reasons: Reasons,
      reason_codes: Type.Array(ReasonCode),
      probe_details: ProbeDetails,
      alignment: nullable(Type.Boolean({ description: 'Whether the decision matches the outcome.' })),
      would_have_helped: nullable(
        Type.Boolean({
          description:
            'True if the payment failed, was rejected or was delayed, and the decision would have stopped it.',
        }),
      ),
      note: Type.String(),
      evaluated_at: Timestamp,
      model_version: Type.String(),
    },
    {
      description:
        'The decision that would have been made. Nothing is stored, and no cooldown is set or read.',
    },
  ),
)

export function registerReplay(app: App, { replay, clock }: { replay: Replay; clock: Clock }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/replay',
    config: { access: { scope: 'decision:read', limit: 'keyed', mode: 'shadow' } },
    schema: {
      operationId: 'replay',
      tags: ['Intelligence'],
      summary: 'Assess a past payment',
      description:
        'Uses simulated signals, whatever the key; test amounts have no effect, and no policy acts on it. With `actual_outcome`, also reports whether a verification would have helped.',
      security: keyed,
      body: ReplayBody,
      response: {
        200: response(withWarnings(ReplayAnswer), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { body } = request
      const errors: FieldError[] = []
      const payment = readPayment(body, errors)
      const occurred = readOccurredAt(body.occurred_at, clock.nowMs(), errors)
      if (payment === null || errors.length > 0) return sendProblem(reply, invalid(errors))
      return replay({
        ...payment,
        occurredAt: occurred?.text ?? null,
        actualOutcome: body.actual_outcome ?? null,
      })
    },
  })
}
