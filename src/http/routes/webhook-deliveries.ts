/** /api/v1/webhooks/{webhook_id}/deliveries: what was sent to an endpoint, what came back, and to send it again. */

import { Type, type Static } from 'typebox'
import { deliveryView } from '../../app/events/delivery-view.ts'
import { attemptsMax, type Webhooks } from '../../app/events/webhooks.ts'
import type { Store } from '../../app/ports/store.ts'
import type { Delivery, OwnerWebhooks } from '../../app/ports/webhooks.ts'
import { parseEventId, type EventId } from '../../core/events/event.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { cursorRule, linkToNext, readCursor } from '../input/paging.ts'
import { readRecordedAt } from '../input/times.ts'
import { limits } from '../limits.ts'
import { errorResponses, named, response, withWarnings } from '../schemas/common.ts'
import {
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryList,
  ResendBody,
  ResentDelivery,
  ResentEvents,
} from '../schemas/webhooks.ts'
import type { App } from '../types.ts'
import {
  common,
  config,
  errorsOfAction,
  errorsOfOne,
  idOf,
  params,
  webhooksPath,
  type WebhookRoutesDeps,
} from './webhooks.ts'

const deliveryParams = Type.Object({
  ...params.properties,
  event_id: Type.String({ description: 'The id of the event.' }),
})
const deliveryPath = `${webhooksPath}/:webhook_id/deliveries/:event_id`

export function registerDeliveries(app: App, deps: WebhookRoutesDeps): void {
  registerList(app, deps)
  registerOne(app, deps.webhooks)
  registerResend(app, deps.webhooks)
  registerResendAll(app, deps.webhooks)
}

function registerList(app: App, { store }: { readonly store: Store }): void {
  app.route({
    method: 'GET',
    url: `${webhooksPath}/:webhook_id/deliveries`,
    config: { ...config, isLong: true },
    schema: {
      ...common,
      operationId: 'webhookDeliveries',
      summary: 'List the deliveries of an endpoint',
      description:
        'Paginated: follow `Link: <…>; rel="next"` until there is none. Delivered events are listed for 30 days, others until the endpoint is removed.',
      params,
      querystring: DeliveriesQuery,
      response: {
        200: response(DeliveryList, 'limited', {
          Link: { type: 'string', description: 'The next page, if any.' },
        }),
        ...errorResponses('limited', 400),
        ...errorsOfOne,
      },
    },
    async handler(request, reply) {
      const { query } = request
      const webhookId = idOf(request.params)
      if (webhookId === null) return sendProblem(reply, notFound)
      const before = query.cursor === undefined ? null : parseEventId(readCursor(query.cursor))
      if (query.cursor !== undefined && before === null) {
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      }
      const owned = store.forOwner(callerOf(request).ownerId).webhooks
      const result = await readPage(owned, webhookId, query, before)
      if (result === null) return sendProblem(reply, notFound)
      if (result.next !== null) {
        reply.header('link', linkToNext(`${webhooksPath}/${webhookId}/deliveries`, query, result.next))
      }
      return result.deliveries.map(deliveryView)
    },
  })
}

/** Null for ids that Fairway cannot have issued. */
function idsOf(of: Static<typeof deliveryParams>): { webhookId: string; eventId: EventId } | null {
  const webhookId = idOf(of)
  const eventId = parseEventId(of.event_id)
  return webhookId === null || eventId === null ? null : { webhookId, eventId }
}

function registerOne(app: App, webhooks: Webhooks): void {
  app.route({
    method: 'GET',
    url: deliveryPath,
    config,
    schema: {
      ...common,
      operationId: 'webhookDelivery',
      summary: 'Show a delivery: its body and the answers',
      description:
        'The body as an attempt would send it now, and the first 1,000 bytes of each answer of the receiver.',
      params: deliveryParams,
      response: { 200: response(DeliveryDetail, 'limited'), ...errorsOfOne },
    },
    async handler(request, reply) {
      const ids = idsOf(request.params)
      const { ownerId } = callerOf(request)
      const found = ids === null ? null : await webhooks.delivery(ownerId, ids.webhookId, ids.eventId)
      if (found === null) return sendProblem(reply, notFound)
      const { delivery, body } = found
      const view = deliveryView(delivery)
      return {
        ...view,
        attempts: view.attempts.map((attempt, index) => ({
          ...attempt,
          answer: delivery.attempts[index]?.answer ?? null,
        })),
        body,
      }
    },
  })
}

function registerResend(app: App, webhooks: Webhooks): void {
  app.route({
    method: 'POST',
    url: `${deliveryPath}/resend`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'resendDelivery',
      summary: 'Send an event again',
      description: `One further attempt is made at once, whatever became of the event; the receiver sees the same \`event_id\`. At most ${attemptsMax} attempts per event.`,
      params: deliveryParams,
      response: {
        200: response(ResentDelivery, 'limited'),
        ...errorResponses('limited', 422),
        ...errorsOfAction,
      },
    },
    async handler(request, reply) {
      const ids = idsOf(request.params)
      if (ids === null) return sendProblem(reply, notFound)
      const result = await webhooks.resend(callerOf(request), ids.webhookId, ids.eventId)
      if (result === null) return sendProblem(reply, notFound)
      if (result === 'too_many') return sendProblem(reply, triedTooOften)
      return { webhook_id: ids.webhookId, event_id: ids.eventId, status: 'pending' as const }
    },
  })
}

function registerResendAll(app: App, webhooks: Webhooks): void {
  app.route({
    method: 'POST',
    url: `${webhooksPath}/:webhook_id/resend`,
    config,
    schema: {
      ...common,
      operationId: 'resendDeliveries',
      summary: 'Send the failed events of an endpoint again',
      description: `Sends again what was dropped or suspended in that time, oldest first and with the same \`event_id\`: one further attempt for each dropped event, all five for each that was not tried. Ends a suspension. At most ${attemptsMax} attempts per event.`,
      params,
      body: ResendBody,
      response: {
        200: response(named('ResentEvents', withWarnings(ResentEvents)), 'limited'),
        ...errorsOfAction,
      },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const { since, until } = request.body
      const sinceMs = readRecordedAt(since, '/since', errors)
      const untilMs = readRecordedAt(until, '/until', errors)
      if (sinceMs !== null && untilMs !== null && untilMs <= sinceMs)
        errors.push({ path: '/until', message: 'must be after /since' })
      if (sinceMs === null || errors.length > 0) return sendProblem(reply, invalid(errors))
      const webhookId = idOf(request.params)
      if (webhookId === null) return sendProblem(reply, notFound)
      const queued = await webhooks.resendAll(callerOf(request), webhookId, { sinceMs, untilMs })
      return queued === null ? sendProblem(reply, notFound) : { queued }
    },
  })
}

const triedTooOften: Problem = {
  code: 'UNPROCESSABLE',
  message: `This event was sent ${attemptsMax} times. Read the decision itself instead.`,
}

type Query = Static<typeof DeliveriesQuery>

/** Reads one extra delivery to detect a next page. */
async function readPage(
  owned: OwnerWebhooks,
  webhookId: string,
  query: Query,
  before: EventId | null,
): Promise<{ deliveries: Delivery[]; next: EventId | null } | null> {
  const limit = query.limit ?? limits.historyPageDefault
  const rows = await owned.deliveries(webhookId, { limit: limit + 1, before, ended: query.status ?? null })
  if (rows === null) return null
  const deliveries = rows.slice(0, limit)
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.eventId ?? null) : null }
}
