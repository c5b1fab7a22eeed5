/** POST /api/v1/decision/{id}/outcome: how a payment ended, reported by its owner and recorded once. */

import { Type } from 'typebox'
import type { OutcomeFault, ReportOutcomes } from '../../app/events/outcome.ts'
import type { Clock } from '../../app/ports/system.ts'
import { outcomeData } from '../../app/inspect/record-wire.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { occurredAt, readOccurredAt } from '../input/times.ts'
import { named, PaymentOutcome, errorResponses, keyed, response, withWarnings } from '../schemas/common.ts'
import { ReportedOutcome } from '../schemas/records.ts'
import { plainText } from '../schemas/verify.ts'
import { limits } from '../limits.ts'

const OutcomeBody = named(
  'OutcomeRequest',
  Type.Object({
    outcome: {
      ...PaymentOutcome,
      description: 'How the payment ended. After `PENDING`, one more report is accepted.',
    },
    partner: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.partnerNameLengthMax,
        pattern: plainText,
        description:
          'The partner that the payment went through, by its id. Where the decision ranked partners, one of these.',
      }),
    ),
    occurred_at: occurredAt(
      'When the payment ended: an ISO 8601 date-time after the decision, not in the future. Defaults to the time of the report.',
    ),
  }),
)

const exists: Problem = {
  code: 'OUTCOME_EXISTS',
  message:
    'Another outcome of this decision is already reported and cannot be changed. Its audit record shows it.',
}

function problemOf({ kind, column, message }: OutcomeFault): Problem {
  if (kind === 'unknown') return notFound
  return kind === 'exists' ? exists : invalid([{ path: `/${column}`, message }])
}

export function registerOutcome(app: App, deps: { reportOutcomes: ReportOutcomes; clock: Clock }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/decision/:id/outcome',
    config: { access: { scope: 'outcome:write', limit: 'keyed' } },
    schema: {
      operationId: 'reportOutcome',
      tags: ['Records'],
      summary: 'Report the outcome of a payment',
      description:
        'Once per decision; the same report again gets the first answer. Audit and history show the outcome with the decision, which does not change. Live mode can compute its failure rate from these reports.',
      security: keyed,
      params: Type.Object({ id: Type.String({ description: 'The `request_id` of a verify response.' }) }),
      body: OutcomeBody,
      response: {
        200: response(named('OutcomeResponse', withWarnings(ReportedOutcome)), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const occurred = readOccurredAt(request.body.occurred_at, deps.clock.nowMs(), errors)
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const { ownerId, by } = callerOf(request)
      const { outcome, partner = null } = request.body
      const occurredAtMs = occurred?.atMs ?? null
      const row = { requestId: request.params.id, correlationId: null, outcome, partner, occurredAtMs }
      const result = await deps.reportOutcomes.one({ ownerId, by }, row)
      if (result.kind === 'refused') return sendProblem(reply, problemOf(result.fault))
      return outcomeData(result.outcome)
    },
  })
}
