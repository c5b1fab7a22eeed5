/** GET /api/v1/holds: requests to verify that got no decision, counted by reason. */

import type { Holds as CountHolds } from '../../app/verify/holds.ts'
import type { Clock } from '../../app/ports/system.ts'
import { floorTo, hourMs, iso, minuteMs } from '../../core/time/durations.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { splitHold } from '../held.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { Holds, HoldsQuery } from '../schemas/reviews.ts'

const defaultHours = 24
/** A hold of so long ago, or less, is one of now. */
const nowMsMax = 5 * minuteMs

export function registerHolds(app: App, { holds, clock }: { holds: CountHolds; clock: Clock }): void {
  app.route({
    method: 'GET',
    url: '/api/v1/holds',
    config: { access: { scope: 'decision:read', limit: 'keyed' }, isLong: true },
    schema: {
      operationId: 'holds',
      tags: ['Reviews'],
      summary: 'Count requests that were held, by reason',
      description:
        'A request to verify that is answered with 503 leaves no decision. It is counted here, so that somebody sees it.',
      security: keyed,
      querystring: HoldsQuery,
      response: {
        200: response(Holds, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request) {
      const { mode = null, hours = defaultHours } = request.query
      const nowMs = clock.nowMs()
      const fromMs = nowMs - hours * hourMs
      const nowSinceMs = floorTo(minuteMs, nowMs - nowMsMax)
      const { ownerId } = callerOf(request)
      const sums = await holds.sums(ownerId, mode, fromMs)
      const recent = await holds.sums(ownerId, mode, nowSinceMs)
      const total = (list: typeof sums): number => list.reduce((sum, { requests }) => sum + requests, 0)
      return {
        from: iso(fromMs),
        requests: total(sums),
        held_now: total(recent),
        holds: sums.map(({ mode: ofMode, corridor, reason, requests, firstMinuteAtMs, lastAtMs }) => ({
          corridor: corridor === '' ? null : corridor,
          mode: ofMode,
          ...splitHold(reason),
          requests,
          first_at: iso(firstMinuteAtMs),
          last_at: iso(lastAtMs),
          held_now: lastAtMs >= nowSinceMs,
        })),
      }
    },
  })
}
