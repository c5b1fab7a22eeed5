/** Looks into one decision: explanation, impact, timeline, and the provenance of its signals. */

import { Type, type TSchema } from 'typebox'
import { openDecisionFile, type DecisionFile } from '../../app/inspect/decision-file.ts'
import { explain, impact, provenance, timeline } from '../../app/inspect/explain.ts'
import type { Store } from '../../app/ports/store.ts'
import type { App } from '../types.ts'
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
    summary: 'Why a decision was made, and what would have changed it',
    description:
      'Factors that add up to the composite, then penalty and rounding to the score, the policy gate, and counterfactuals for which the same engine decided again.',
    schema: Explanation,
    show: explain,
  },
  {
    param: 'id',
    url: '/api/v1/decision/:id/impact',
    operationId: 'decisionImpact',
    summary: 'What a decision did about the risk of its payment',
    description: 'Follows what a person made of the decision, where it was overridden.',
    schema: ImpactAnswer,
    show: impact,
  },
  {
    param: 'id',
    url: '/api/v1/decision/:id/timeline',
    operationId: 'decisionTimeline',
    summary: 'The ten measured moments of a decision',
    description: 'As they were measured when it was made; the durations add up to the total.',
    schema: TimelineAnswer,
    show: timeline,
  },
  {
    param: 'decision_id',
    url: '/api/v1/signals/:decision_id',
    operationId: 'signalProvenance',
    summary: 'Where the signals of a decision came from',
    description: 'Each with its value, its source and how far it was trusted.',
    schema: Provenance,
    show: provenance,
  },
]

export function registerDecision(app: App, store: Store): void {
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
          [param]: Type.String({ description: 'The `request_id` of a verify answer.' }),
        }),
        response: {
          200: response(schema, 'limited'),
          ...errorResponses('limited', 401, 403, 404, 429, 500, 503),
        },
      },
      async handler(request, reply) {
        const id = (request.params as Readonly<Record<string, string>>)[param] ?? ''
        const file = await openDecisionFile(store.forOwner(callerOf(request).ownerId), id)
        return file === null ? sendProblem(reply, notFound) : reply.send(show(file))
      },
    })
  }
}
