/** GET /api/v1/corridors/{corridor}: the health of a corridor. */

import { Type } from 'typebox'
import type { ReadCorridorHealth } from '../../app/inspect/corridor-health.ts'
import { modeOfKeyType } from '../../core/identity/api-key.ts'
import { corridorStatuses } from '../../core/explain/corridor-health.ts'
import { labelFloors } from '../../core/decision/signals.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, sendProblem, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { readCorridor } from '../input/payment.ts'
import { named, errorResponses, keyed, nullable, response, SignalName, Timestamp } from '../schemas/common.ts'
import { Breaker, FeedFault, FeedKind } from '../schemas/feeds.ts'

const amount = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: limits.amountMax,
    description: 'Assess the corridor for payments of this amount in GBP. Defaults to typical payments.',
  }),
)

const Bucket = named(
  'CorridorBucket',
  Type.Object({
    status: Type.Enum([...labelFloors.map(([label]) => label), 'NO_DATA']),
    risk_value: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'The value of the worst signal. 1.0 is clear.' }),
    ),
    signals: Type.Array(SignalName),
  }),
)

const CorridorHealth = named(
  'CorridorHealth',
  Type.Object(
    {
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      amount: nullable(Type.Number({ description: 'The requested amount. Null for typical payments.' })),
      currency: Type.String(),
      status: Type.Enum([...corridorStatuses]),
      data_environment: Type.Enum(['mixed', 'simulation']),
      live_signals: Type.Integer({ minimum: 0, description: 'Number of signals read from a live feed.' }),
      signals: Type.Object({
        fx: Bucket,
        network: Bucket,
        settlement: Bucket,
        liquidity: Bucket,
        compliance: Bucket,
      }),
      advisory: Type.String(),
      cooldown: nullable(
        Type.Object(
          { source_request_id: Type.String(), expires_at: Timestamp },
          { description: 'An open cooldown: verify repeats this NO-GO until then.' },
        ),
      ),
      feeds: Type.Array(
        Type.Object({
          signal: SignalName,
          kind: nullable(FeedKind),
          status: Type.Enum(['fresh', 'assumed', 'unavailable']),
          observed_at: nullable(Timestamp),
          age_ms: nullable(Type.Integer({ minimum: 0 })),
          fault: nullable(FeedFault),
          breaker: nullable(Breaker),
        }),
        { description: 'The current state of each live feed. Empty if the signals are simulated.' },
      ),
      environment: Type.Enum(['sandbox', 'production']),
      evaluated_at: Timestamp,
    },
    {
      description:
        'IMPAIRED if a live signal is unavailable, the score is below 0.48, three or more signals are flagged, or one is CRITICAL. DEGRADED if a signal is flagged or the score is below 0.80. Otherwise OPERATIONAL.',
    },
  ),
)

export function registerCorridors(app: App, readHealth: ReadCorridorHealth): void {
  app.route({
    method: 'GET',
    url: '/api/v1/corridors/:corridor',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'corridorHealth',
      tags: ['Intelligence'],
      summary: 'Get the health of a corridor',
      description:
        'Computed from its signals, for typical payments or for a given amount. Nothing is stored. A corridor without data is DEGRADED, with an advisory.',
      security: keyed,
      params: Type.Object({
        corridor: Type.String({
          description: 'Same forms as in verify: `GB-NG`, three-letter codes or country names.',
        }),
      }),
      querystring: Type.Object({ amount }),
      response: {
        200: response(CorridorHealth, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const corridor = readCorridor(request.params.corridor, '/corridor', errors)
      if (corridor === null) return sendProblem(reply, invalid(errors))
      const { ownerId, type } = callerOf(request)
      return readHealth({
        ownerId,
        corridor,
        amount: request.query.amount ?? null,
        mode: modeOfKeyType[type],
      })
    },
  })
}
