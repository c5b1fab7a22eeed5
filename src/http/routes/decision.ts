/** Serves the explanation, impact, timeline and signal provenance of a decision. */

import { Type, type TSchema } from 'typebox'
import { openDecisionFile, type DecisionFile } from '../../app/inspect/decision-file.ts'
import { explain, impact, provenance, timeline } from '../../app/inspect/explain.ts'
import type { App, AppDeps } from '../types.ts'
import { callerOf } from '../auth.ts'
import { notFound, sendProblem } from '../errors.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { Explanation, ImpactAnswer, Provenance, TimelineAnswer } from '../schemas/intelligence.ts'

interface View {
  readonly param: 'id' | 'decision_id'
  readonly url: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly schema: TSchema
  readonly show: (file: DecisionFile) => object
}

const views: readonly View[] = [
  {
    param: 'id',
    url: '/api/v1/decision/:id/explanation',
    operationId: 'explainDecision',
    summary: 'Explain a decision',
    description:
      'The factors of the composite, the penalty and rounding that lead to the score, the policy gate, the rules of policies that fired, and counterfactuals computed by the same engine.',
    schema: Explanation,
    show: explain,
  },
  {
    param: 'id',
    url: '/api/v1/decision/:id/impact',
    operationId: 'decisionImpact',
    summary: 'Get the impact of a decision on risk',
    description: 'If the decision was overridden, the impact reflects the override.',
    schema: ImpactAnswer,
    show: impact,
  },
  {
    param: 'id',
    url: '/api/v1/decision/:id/timeline',
    operationId: 'decisionTimeline',
    summary: 'Get the timeline of a decision',
    description: 'Ten events, timed during the decision. The durations add up to the total.',
    schema: TimelineAnswer,
    show: timeline,
  },
  {
    param: 'decision_id',
    url: '/api/v1/signals/:decision_id',
    operationId: 'signalProvenance',
    summary: 'Get the signal provenance of a decision',
    description: 'Each signal with its value, source and confidence.',
    schema: Provenance,
    show: provenance,
  },
]

export function registerDecision(
  app: App,
  { store, policyLibrary }: Pick<AppDeps, 'store' | 'policyLibrary'>,
): void {
  for (const { param, url, operationId, summary, description, schema, show } of views) {
    app.route({
      method: 'GET',
      url,
      config: { access: { scope: 'decision:read', limit: 'keyed' } },
      schema: {
        operationId,
        tags: ['Intelligence'],
        summary,
        description,
        security: keyed,
        params: Type.Object({
          [param]: Type.String({ description: 'The `request_id` of a verify response.' }),
        }),
        response: {
          200: response(schema, 'limited'),
          ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
        },
      },
      async handler(request, reply) {
        const id = (request.params as Readonly<Record<string, string>>)[param] ?? ''
        const records = store.forOwner(callerOf(request).ownerId)
        const file = await openDecisionFile(records, policyLibrary, id)
        return file === null ? sendProblem(reply, notFound) : reply.send(show(file))
      },
    })
  }
}
