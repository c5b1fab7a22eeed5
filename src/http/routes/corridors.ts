/** GET /api/v1/corridors/{corridor}: how a corridor is doing. */

import { Type } from 'typebox'
import type { LookAtCorridor } from '../../app/inspect/corridor-health.ts'
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
    description: 'In GBP: how it is doing for payments of this size. Everyday ones unless given.',
  }),
)

const Bucket = named(
  'CorridorBucket',
  Type.Object({
    status: Type.Enum([...labelFloors.map(([label]) => label), 'NO_DATA']),
    risk_value: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Of its worst signal; 1.0 is clear.' }),
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
      amount: nullable(Type.Number({ description: 'As it was asked for; null for everyday payments.' })),
      currency: Type.String(),
      status: Type.Enum([...corridorStatuses]),
      data_environment: Type.Enum(['mixed', 'simulation']),
      live_signals: Type.Integer({ minimum: 0, description: 'Signals that were read from a live feed.' }),
      signals: Type.Object({
        fx: Bucket,
        network: Bucket,
        settlement: Bucket,
        liquidity: Bucket,
        compliance: Bucket,
      }),
      advisory: Type.String(),
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
        { description: 'Each live feed as it is now; none where the signals are simulated.' },
      ),
      environment: Type.Enum(['sandbox', 'production']),
      evaluated_at: Timestamp,
    },
    {
      description:
        'IMPAIRED when a live signal cannot be read, the score of the signals is below 0.48, three or more are flagged, or one is CRITICAL; DEGRADED when one is flagged or the score is below 0.80; otherwise OPERATIONAL.',
    },
  ),
)

export function registerCorridors(app: App, lookAt: LookAtCorridor): void {
  app.route({
    method: 'GET',
    url: '/api/v1/corridors/:corridor',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'corridorHealth',
      tags: ['Intelligence'],
      summary: 'How a corridor is doing',
      description:
        'From its signals, for everyday payments or for those of a given amount; nothing is stored. A corridor without data is DEGRADED, with an advisory that says so.',
      security: keyed,
      params: Type.Object({
        corridor: Type.String({ description: 'As in verify: `GB-NG`, three-letter codes or country names.' }),
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
      return lookAt({ ownerId, corridor, amount: request.query.amount ?? null, mode: modeOfKeyType[type] })
    },
  })
}
