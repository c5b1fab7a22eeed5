/** POST /api/v1/override: a person's override of a decision, recorded once. */

import { Type } from 'typebox'
import { overrideData } from '../../app/events/delivery/event-body.ts'
import type { OverrideOutcome, RecordOverride } from '../../app/events/override.ts'
import { overrideActions, overrideReasonPattern } from '../../core/events/override.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import {
  named,
  errorResponses,
  isBlank,
  keyed,
  response,
  multilinePattern,
  withWarnings,
} from '../schemas/common.ts'
import { HumanOverride } from '../schemas/records.ts'

const OverrideBody = named(
  'OverrideRequest',
  Type.Object({
    request_id: Type.String({ description: 'The `request_id` of the decision.' }),
    action: Type.Enum([...overrideActions], {
      description: 'The action to take instead.',
    }),
    reason_code: Type.String({
      minLength: 1,
      maxLength: limits.overrideReasonLengthMax,
      pattern: overrideReasonPattern,
      description: 'Your own code, in upper snake case.',
    }),
    justification: Type.String({
      minLength: 1,
      maxLength: limits.justificationLengthMax,
      pattern: multilinePattern,
      description: 'The reason for the override. Stored permanently.',
    }),
  }),
)

const problems: Readonly<Record<Exclude<OverrideOutcome['kind'], 'recorded' | 'review_required'>, Problem>> =
  {
    unknown: notFound,
    not_needed: {
      code: 'UNPROCESSABLE',
      message:
        'This decision is GO, and only DEGRADED and NO-GO can be overridden. Follow its recommended_action.',
    },
    exists: {
      code: 'OVERRIDE_EXISTS',
      message:
        'This decision already has another override, and an override cannot be changed. Its audit record shows it.',
    },
  }

function reviewRequired(reviewId: string | null): Problem {
  const next =
    reviewId === null
      ? 'This decision has no open review: verify the payment again.'
      : `Propose it in ${reviewId}; another principal must approve it.`
  return { code: 'REVIEW_REQUIRED', message: `An override needs a review here. ${next}` }
}

export function registerOverride(app: App, recordOverride: RecordOverride): void {
  app.route({
    method: 'POST',
    url: '/api/v1/override',
    config: { access: { scope: 'override:create', limit: 'keyed' } },
    schema: {
      operationId: 'override',
      tags: ['Records'],
      summary: 'Record a human override of a decision',
      description:
        'For `DEGRADED` and `NO-GO`, once per decision; the same override again gets the first answer. The decision does not change; the override is recorded permanently and sent as `payment.override.created`.',
      security: keyed,
      body: OverrideBody,
      response: {
        200: response(named('OverrideResponse', withWarnings(HumanOverride)), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { request_id: requestId, action, reason_code: reasonCode, justification } = request.body
      if (isBlank(justification)) {
        return sendProblem(reply, invalid([{ path: '/justification', message: 'must not be blank' }]))
      }
      const { ownerId, by } = callerOf(request)
      const outcome = await recordOverride({
        ownerId,
        by,
        requestId,
        action,
        reasonCode,
        justification,
      })
      if (outcome.kind === 'review_required') return sendProblem(reply, reviewRequired(outcome.reviewId))
      if (outcome.kind !== 'recorded') return sendProblem(reply, problems[outcome.kind])
      return overrideData(outcome.override)
    },
  })
}
