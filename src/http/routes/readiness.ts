/** GET /api/v1/readiness: the readiness checklist of this instance, from its running configuration. */

import { Type } from 'typebox'
import { singleFlight } from '../../app/operate/single-flight.ts'
import { createReadiness, type ReadinessDeps } from '../../app/inspect/readiness.ts'
import type { App } from '../types.ts'
import { named, errorResponses, response, Timestamp } from '../schemas/common.ts'

const Capability = Type.Enum(['ready', 'not_ready'])
const Level = Type.Enum(['sandbox', 'production'])

const Readiness = named(
  'Readiness',
  Type.Object(
    {
      enterprise_readiness: Type.Integer({ minimum: 0, description: 'Number of items that are ready.' }),
      items_total: Type.Integer(),
      sandbox_capability: Capability,
      production_capability: Capability,
      checklist: Type.Array(
        Type.Object({
          item: Type.String(),
          status: Type.Enum(['ready', 'planned', 'not_available']),
          detail: Type.String(),
          needed_for: Type.Array(Level),
        }),
        { description: 'Currently sixteen items.' },
      ),
      checked_at: Timestamp,
    },
    { description: 'Items are checked at the time of the request. Available even while the store is down.' },
  ),
)

export function registerReadiness(app: App, deps: ReadinessDeps): void {
  const readiness = singleFlight(createReadiness(deps))
  app.route({
    method: 'GET',
    url: '/api/v1/readiness',
    config: { isVital: true },
    schema: {
      operationId: 'readiness',
      tags: ['Service'],
      summary: 'Get the readiness checklist of this instance',
      response: { 200: response(Readiness, 'free'), ...errorResponses('free', 400, 500) },
    },
    handler: async (_request, reply) => reply.send(await readiness()),
  })
}
