/** GET /api/health: whether the service and its store respond. */

import { Type } from 'typebox'
import { singleFlight } from '../../app/operate/single-flight.ts'
import type { Clock } from '../../app/ports/system.ts'
import { servedModes } from '../../app/inspect/feed-status.ts'
import type { LiveSource } from '../../app/ports/signals.ts'
import type { Store } from '../../app/ports/store.ts'
import { engineVersion } from '../../core/decision/engine.ts'
import { contractVersion } from '../openapi/version.ts'
import type { App } from '../types.ts'
import { named, errorResponses, Mode, Timestamp, response } from '../schemas/common.ts'

const Health = named(
  'Health',
  Type.Object(
    {
      status: Type.Enum(['healthy']),
      version: Type.String({ description: 'The version of the service and of its scoring engine.' }),
      contract_version: Type.String({
        description: 'The version of the API contract, as in its OpenAPI document.',
      }),
      timestamp: Timestamp,
      total_verifications: Type.Integer({
        minimum: 0,
        description: 'Number of decisions recorded for all callers.',
      }),
      message: Type.String(),
      mode: Type.Enum(['shadow'], { description: 'The mode of a test key.' }),
      modes: Type.Array(Mode, {
        description: 'The modes that decide now. Without a feed for each signal, live decisions are on hold.',
      }),
      environment: Type.Enum(['sandbox']),
    },
    { description: 'The service is up and its store responds.' },
  ),
)

interface HealthDeps {
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveSource
}

/** Not rate limited, so concurrent requests share one store call. */
export function registerHealth(app: App, { store, clock, live }: HealthDeps): void {
  const countOnce = singleFlight(() => store.countVerifications())

  app.route({
    method: 'GET',
    url: '/api/health',
    config: { isVital: true },
    schema: {
      operationId: 'health',
      tags: ['Service'],
      summary: 'Check the health of the service',
      response: { 200: response(Health, 'free'), ...errorResponses('free', 400, 500, 503) },
    },
    async handler() {
      return {
        status: 'healthy' as const,
        version: engineVersion,
        contract_version: contractVersion,
        timestamp: new Date(clock.nowMs()).toISOString(),
        total_verifications: await countOnce(),
        message: 'Fairway is up and its store responds.',
        mode: 'shadow' as const,
        modes: servedModes(live),
        environment: 'sandbox' as const,
      }
    },
  })
}
