/** GET /api/v1/corridors, /{corridor} and /{corridor}/calendar: supported corridors, their health and calendars. */

import { Type } from 'typebox'
import { calendarOf, listCorridors } from '../../app/inspect/corridors.ts'
import type { ReadCorridorHealth } from '../../app/inspect/corridor-health.ts'
import type { LiveSource } from '../../app/ports/signals.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import { readCorridor } from '../input/payment.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { CorridorCalendar, CorridorHealth, CorridorList } from '../schemas/corridors.ts'

const amount = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: limits.amountMax,
    description:
      'Assess the corridor for payments of this amount in GBP, or in the first declared currency of a live corridor that does not take GBP. Defaults to typical payments.',
  }),
)

const params = Type.Object({
  corridor: Type.String({
    description: 'Same forms as in verify: `GB-NG`, three-letter codes or country names.',
  }),
})

const config = { access: { scope: 'decision:read', limit: 'keyed' } } as const

export interface CorridorsDeps {
  readonly readCorridorHealth: ReadCorridorHealth
  readonly live: LiveSource
  readonly clock: Clock
}

export function registerCorridors(app: App, deps: CorridorsDeps): void {
  registerList(app, deps)
  registerHealth(app, deps)
  registerCalendar(app, deps)
}

function registerList(app: App, { live }: CorridorsDeps): void {
  app.route({
    method: 'GET',
    url: '/api/v1/corridors',
    config,
    schema: {
      operationId: 'corridors',
      tags: ['Intelligence'],
      summary: 'List the supported corridors',
      description: "Those of the key's mode: simulated ones for a test key, declared ones for a live key.",
      security: keyed,
      response: {
        200: response(CorridorList, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    handler: async (request) => listCorridors(live.current().world, callerOf(request).mode),
  })
}

function registerHealth(app: App, { readCorridorHealth }: CorridorsDeps): void {
  app.route({
    method: 'GET',
    url: '/api/v1/corridors/:corridor',
    config,
    schema: {
      operationId: 'corridorHealth',
      tags: ['Intelligence'],
      summary: 'Get the health of a corridor',
      description:
        'Computed from its signals, for typical payments or for a given amount. With a live key it also has the declared partners, their feeds and the last 24 hours. Nothing is stored. A corridor without data is DEGRADED, with an advisory.',
      security: keyed,
      params,
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
      const { ownerId, mode } = callerOf(request)
      return readCorridorHealth({
        ownerId,
        corridor,
        amount: request.query.amount ?? null,
        mode,
      })
    },
  })
}

function registerCalendar(app: App, { live, clock }: CorridorsDeps): void {
  app.route({
    method: 'GET',
    url: '/api/v1/corridors/:corridor/calendar',
    config,
    schema: {
      operationId: 'corridorCalendar',
      tags: ['Intelligence'],
      summary: 'Get the settlement calendar of a corridor',
      description: 'For a live key, where a calendar is declared; otherwise 404.',
      security: keyed,
      params,
      response: {
        200: response(CorridorCalendar, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 404, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const corridor = readCorridor(request.params.corridor, '/corridor', errors)
      if (corridor === null) return sendProblem(reply, invalid(errors))
      const isLive = callerOf(request).mode === 'live'
      const calendar = isLive ? live.current().world.corridors.get(corridor)?.calendar : null
      return calendar === null || calendar === undefined
        ? sendProblem(reply, notFound)
        : calendarOf(calendar, clock.nowMs())
    },
  })
}
