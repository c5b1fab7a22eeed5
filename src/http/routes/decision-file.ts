/** GET /api/v1/decision/{id}/file: all that is known about one decision, in one answer. */

import { Type, type TSchema } from 'typebox'
import { memberScopes, readWholeFile, type WholeFileDeps } from '../../app/inspect/whole-file.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { notFound, sendProblem } from '../errors.ts'
import { errorResponses, keyed, named, nullable, response, Timestamp } from '../schemas/common.ts'
import { Explanation, ImpactAnswer, Provenance, TimelineAnswer } from '../schemas/intelligence.ts'
import { AuditProof } from '../schemas/log.ts'
import { AuditRecord } from '../schemas/records.ts'
import { ReviewDetail } from '../schemas/reviews.ts'
import { VerifyAnswer } from '../schemas/verify.ts'
import { DeliveryView } from '../schemas/webhooks.ts'

const { idempotency_hit: _hit, response_ms: _ms, ...recorded } = VerifyAnswer.properties
const members = Object.keys(memberScopes) as (keyof typeof memberScopes)[]
const Member = Type.Enum([...members])

const Endpoint = Type.Object({
  webhook_id: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
})

/** Not typed by its members, which are read-only in the record; every test checks answers against it. */
const DecisionFileAnswer: TSchema = named(
  'DecisionFile',
  Type.Object(
    {
      request_id: Type.String(),
      answer: nullable(
        named(
          'RecordedAnswer',
          Type.Object(recorded, {
            description: 'The answer as sent, without `idempotency_hit` and `response_ms`.',
          }),
        ),
      ),
      audit: nullable(AuditRecord),
      recording: nullable(
        Type.Object(
          {
            recorded_at: Timestamp,
            key_id: Type.String({ description: 'The key, or the session of a person.' }),
            trace_id: nullable(Type.String({ description: "The caller's trace, if the request named one." })),
            record_hash: Type.String({
              pattern: '^[0-9a-f]{64}$',
              description: 'SHA-256 of the record, as in every export of the decision.',
            }),
          },
          { description: 'How the decision was recorded.' },
        ),
      ),
      explanation: Explanation,
      provenance: Provenance,
      timeline: TimelineAnswer,
      impact: ImpactAnswer,
      review: Type.Union([ReviewDetail, Type.Null()], {
        description: 'That of the source for a repeat. Null if the decision needs none.',
      }),
      deliveries: nullable(
        Type.Array(Type.Object({ endpoint: Endpoint, deliveries: Type.Array(DeliveryView) }), {
          description: 'Every endpoint of yours, with its deliveries for this decision, newest first.',
        }),
      ),
      proof: nullable(AuditProof),
      withheld: Type.Array(
        Type.Object({ member: Member, scope: Type.Enum([...new Set(Object.values(memberScopes))]) }),
        { description: 'The members that are null because the caller lacks the scope.' },
      ),
      unavailable: Type.Array(Member, {
        description: 'The members that are null because they could not be read just now. Retry later.',
      }),
    },
    { description: 'Each member has the shape of its own endpoint.' },
  ),
)

export function registerDecisionFile(app: App, deps: WholeFileDeps): void {
  app.route({
    method: 'GET',
    url: '/api/v1/decision/:id/file',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'decisionFile',
      tags: ['Intelligence'],
      summary: 'Get all that is known about a decision',
      description:
        'The record, explanation, provenance, timeline, impact, review, webhook deliveries and proof of a decision, as their own endpoints show them. A member that needs a scope the caller lacks is null, and listed in `withheld`.',
      security: keyed,
      params: Type.Object({ id: Type.String({ description: 'The `request_id` of a verify response.' }) }),
      response: {
        200: response(DecisionFileAnswer, 'limited'),
        ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const file = await readWholeFile(deps, callerOf(request), request.params.id)
      return file === null ? sendProblem(reply, notFound) : reply.send(file)
    },
  })
}
