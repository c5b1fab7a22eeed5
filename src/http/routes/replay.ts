/** POST /api/v1/replay: what would have been said of a payment of the past. Always shadow, kept nowhere. */

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
} from '../schemas/common.ts'
import { ProbeDetails, Reasons, VerifyBody } from '../schemas/verify.ts'

const { corridor, amount, currency } = VerifyBody.properties

const ReplayBody = named(
  'ReplayRequest',
  Type.Object({
    corridor,
    amount,
    currency,
    occurred_at: occurredAt('When it was made: an ISO 8601 date or date-time, not in the future.'),
    actual_outcome: Type.Optional({ ...PaymentOutcome, description: 'How it ended.' }),
  }),
)

const ReplayAnswer = named(
  'ReplayResponse',
  Type.Object(
    {
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      amount: nullable(Type.Number()),
      currency: Type.String(),
      mode: Type.Enum(['shadow']),
      occurred_at: nullable(Type.String()),
      actual_outcome: nullable(PaymentOutcome),
      verdict: Type.Object({
        would_have_flagged: Type.Boolean({ description: 'Whether it would have been held or blocked.' }),
        decision: Verdict,
        recommended_action: RecommendedAction,
      }),
      score: Score,
      confidence: Score,
      reasons: Reasons,
      reason_codes: Type.Array(ReasonCode),
      probe_details: ProbeDetails,
      alignment: nullable(Type.Boolean({ description: 'Whether verdict and outcome agree.' })),
      would_have_helped: nullable(
        Type.Boolean({ description: 'True where a hold would have met a payment that went wrong.' }),
      ),
      note: Type.String(),
      evaluated_at: Timestamp,
      model_version: Type.String(),
    },
    { description: 'What would have been said. Nothing is stored, and no cooldown is set or read.' },
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
      summary: 'What would have been said of a payment of the past',
      description:
        'On simulated signals, whatever the key; test amounts do not act. With `actual_outcome` it also says whether asking first would have helped.',
      security: keyed,
      body: ReplayBody,
      response: {
        200: response(ReplayAnswer, 'limited'),
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
