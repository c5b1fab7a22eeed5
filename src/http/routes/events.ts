/** GET /api/v1/events: the owner's events in the order of the log, for a consumer that keeps its place. */

import type { Static } from 'typebox'
import { beforeFirstEvent, parseEventId } from '../../core/events/event.ts'
import type { Events } from '../../app/events/stream/read-events.ts'
import type { Access } from '../access.ts'
import { callerOf, createStillMay } from '../auth.ts'
import { invalid, sendProblem } from '../errors.ts'
import { limits } from '../limits.ts'
import { errorResponses, keyed, response, type Frozen } from '../schemas/common.ts'
import { EventsPage, EventsQuery } from '../schemas/events.ts'
import type { App, AppDeps } from '../types.ts'

const access: Access = { scope: 'audit:read', limit: 'events' }

export function registerEvents(app: App, deps: AppDeps): void {
  const { readEvents, eventWaits } = deps
  const stillMay = createStillMay(deps)
  // Those who wait are answered at once, so that they do not delay the stop.
  app.addHook('preClose', (done) => {
    eventWaits.stop()
    done()
  })
  app.route({
    method: 'GET',
    url: '/api/v1/events',
    config: { access, isLong: true },
    schema: {
      operationId: 'events',
      tags: ['Events'],
      summary: 'Read your events in order',
      description:
        'Each decision, override, review and change of a live corridor is one event, in the order of the log, as CloudEvents 1.0 with the data of the webhook. Store `next` once the events are processed, and send it as `after`: every event then comes at least once, in order, and none is skipped. An answer with fewer events than `limit` has all that was recorded before the request; while the stream cannot be brought up to date, the events that are listed come nevertheless, and 503 in place of an empty answer. With `wait_s` a request without events is answered as soon as there is one. Counted apart from other requests. Not part of the original contract.',
      security: keyed,
      querystring: EventsQuery,
      response: {
        200: response(EventsPage, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { after = beforeFirstEvent, limit = limits.eventsPageDefault, wait_s: waitS = 0 } = request.query
      const cursor = parseEventId(after)
      if (cursor === null)
        return sendProblem(
          reply,
          invalid([{ path: '/after', message: 'must be the next of an earlier answer' }]),
        )
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const { ownerId } = callerOf(request)
      const query = { ownerId, after: cursor, limit, waitMs: waitS * 1_000, left: left.signal }
      const page = await readEvents(query)
      // A key may be revoked, or a session ended, while its request waits.
      if (waitS > 0 && !(await stillMay(request, reply, access))) return reply
      return page === null
        ? sendProblem(reply, invalid([unknownCursor]))
        : reply.send(page as unknown as Static<typeof EventsPage>)
    },
  })
}

const unknownCursor = {
  path: '/after',
  message: 'is no event of yours in this log, as after a restore of an older backup; begin without it',
}

/** Fails to compile if the answer does not match the schema. @compileCheck */
export const eventsFitSchema: Events extends Frozen<Static<typeof EventsPage>> ? true : false = true
