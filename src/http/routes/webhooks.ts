/** /api/v1/webhooks: the caller's endpoints and their secrets. */

import { Type, type Static } from 'typebox'
import type { Webhook } from '../../app/ports/webhooks.ts'
import type { Store } from '../../app/ports/store.ts'
import { webhooksPerOwnerMax, type Webhooks } from '../../app/events/webhooks.ts'
import { countedDeliveries, healthOf } from '../../core/events/health.ts'
import { isWebhookId } from '../../core/events/webhook.ts'
import { iso } from '../../core/time/durations.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type Problem } from '../errors.ts'
import { listQuery } from '../input/paging.ts'
import { errorResponses, keyed, response, withWarnings } from '../schemas/common.ts'
import {
  WebhookBody,
  WebhookList,
  WebhookRegistered,
  WebhookRemoved,
  WebhookRotated,
  WebhookTested,
  WebhookView,
} from '../schemas/webhooks.ts'

export const webhooksPath = '/api/v1/webhooks'
export const config = { access: { scope: 'webhook:manage', limit: 'keyed' } } as const
export const common = { tags: ['Webhooks'], security: keyed }
export const params = Type.Object({
  webhook_id: Type.String({ description: 'The id from the registration.' }),
})
export const errorsOfOne = errorResponses('limited', 401, 403, 404, 429, 500, 503)
/** For paths with an optional body. */
export const errorsOfAction = errorResponses('limited', 400, 401, 403, 404, 413, 415, 429, 500, 503)

export interface WebhookRoutesDeps {
  readonly store: Store
  readonly webhooks: Webhooks
}

export function registerWebhooks(app: App, deps: WebhookRoutesDeps): void {
  registerRegistration(app, deps)
  registerViews(app, deps)
  registerRemoval(app, deps)
  registerActions(app, deps)
}

const registered: Problem = {
  code: 'WEBHOOK_EXISTS',
  message:
    'You have an endpoint with this URL. Use it, rotate its secret if you no longer have it, or remove it first.',
}

function registerRegistration(app: App, { webhooks }: WebhookRoutesDeps): void {
  app.route({
    method: 'POST',
    url: webhooksPath,
    config,
    schema: {
      ...common,
      operationId: 'registerWebhook',
      summary: 'Register an endpoint for events',
      description: `At most ${webhooksPerOwnerMax} per owner. The secret is shown only in this response.`,
      body: WebhookBody,
      response: {
        200: response(withWarnings(WebhookRegistered), 'limited'),
        ...errorResponses('limited', 400, 401, 403, 409, 413, 415, 422, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { url, events, description } = request.body
      const { ownerId, by, mode } = callerOf(request)
      if (mode !== 'live' && events?.includes('corridor.status.changed') === true) {
        const path = `/events/${events.indexOf('corridor.status.changed')}`
        return sendProblem(
          reply,
          invalid([{ path, message: 'needs a live key: it is about live corridors' }]),
        )
      }
      const outcome = await webhooks.register({
        ownerId,
        by,
        url,
        events: events ?? null,
        description: description ?? null,
      })
      if (outcome.kind === 'refused') {
        return sendProblem(reply, invalid([{ path: '/url', message: outcome.message }]))
      }
      if (outcome.kind === 'too_many') {
        const message = `The limit of ${webhooksPerOwnerMax} endpoints is reached. Remove one first.`
        return sendProblem(reply, { code: 'UNPROCESSABLE', message })
      }
      if (outcome.kind === 'exists') return sendProblem(reply, registered)
      return { ...webhookView(outcome.webhook), secret: outcome.secret }
    },
  })
}

function registerViews(app: App, { store }: WebhookRoutesDeps): void {
  app.route({
    method: 'GET',
    url: webhooksPath,
    config,
    schema: {
      ...common,
      operationId: 'webhooks',
      summary: 'List your endpoints',
      querystring: listQuery({}),
      response: {
        200: response(WebhookList, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request) {
      const { ownerId } = callerOf(request)
      const webhooks = await store.forOwner(ownerId).webhooks.list()
      return Promise.all(webhooks.map((webhook) => withHealth(store, webhook)))
    },
  })
  app.route({
    method: 'GET',
    url: `${webhooksPath}/:webhook_id`,
    config,
    schema: {
      ...common,
      operationId: 'webhook',
      summary: 'Get an endpoint',
      params,
      response: { 200: response(WebhookView, 'limited'), ...errorsOfOne },
    },
    async handler(request, reply) {
      const webhookId = idOf(request.params)
      const owned = store.forOwner(callerOf(request).ownerId).webhooks
      const webhook = webhookId === null ? null : await owned.find(webhookId)
      return webhook === null ? sendProblem(reply, notFound) : withHealth(store, webhook)
    },
  })
}

function registerRemoval(app: App, { webhooks }: WebhookRoutesDeps): void {
  app.route({
    method: 'DELETE',
    url: `${webhooksPath}/:webhook_id`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'removeWebhook',
      summary: 'Remove an endpoint',
      description: 'Pending events are not sent. An attempt in progress may still arrive.',
      params,
      response: { 200: response(WebhookRemoved, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const webhookId = idOf(request.params)
      if (webhookId === null) return sendProblem(reply, notFound)
      const removed = await webhooks.remove(callerOf(request), webhookId)
      return removed ? { webhook_id: webhookId, status: 'deleted' as const } : sendProblem(reply, notFound)
    },
  })
}

function registerActions(app: App, { webhooks }: WebhookRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${webhooksPath}/:webhook_id/rotate-secret`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of an endpoint',
      description:
        'For 24 hours, `webhook-signature` contains signatures with both the old and the new secret. `X-SVC-Signature` uses the new secret at once.',
      params,
      response: {
        200: response(WebhookRotated, 'limited'),
        ...errorResponses('limited', 422),
        ...errorsOfAction,
      },
    },
    async handler(request, reply) {
      const webhookId = idOf(request.params)
      if (webhookId === null) return sendProblem(reply, notFound)
      const outcome = await webhooks.rotateSecret(callerOf(request), webhookId)
      if (outcome.kind === 'unknown') return sendProblem(reply, notFound)
      if (outcome.kind === 'too_often') {
        const message =
          'Four previous secrets of this endpoint are still valid. Retry when one has expired, 24 hours after its rotation.'
        return sendProblem(reply, { code: 'UNPROCESSABLE', message })
      }
      const { webhook, secret, overlapEndsAtMs } = outcome
      return { ...webhookView(webhook), secret, previous_secret_expires_at: iso(overlapEndsAtMs) }
    },
  })
  app.route({
    method: 'POST',
    url: `${webhooksPath}/:webhook_id/test`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'testWebhook',
      summary: 'Send a test event to an endpoint',
      description: 'Sends a `webhook.test` event, signed and retried like any other.',
      params,
      response: { 200: response(WebhookTested, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const webhookId = idOf(request.params)
      if (webhookId === null) return sendProblem(reply, notFound)
      const announced = await webhooks.test(callerOf(request), webhookId)
      if (announced === null) return sendProblem(reply, notFound)
      return {
        webhook_id: webhookId,
        event_id: announced.eventId,
        event: 'webhook.test' as const,
        status: 'pending' as const,
        created_at: iso(announced.createdAtMs),
      }
    },
  })
}

/** Null for an id that Fairway cannot have issued: a 404 without a store call. */
export function idOf({ webhook_id: text }: Static<typeof params>): string | null {
  return isWebhookId(text) ? text : null
}

function webhookView(webhook: Webhook) {
  return {
    webhook_id: webhook.webhookId,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    status: webhook.suspendedAtMs === null ? ('active' as const) : ('suspended' as const),
    suspended_at: iso(webhook.suspendedAtMs),
    failing_since: iso(webhook.failing?.sinceMs ?? null),
    created_at: iso(webhook.createdAtMs),
  }
}

/** An endpoint with its health, from its newest deliveries. */
export async function withHealth(store: Store, webhook: Webhook) {
  const { webhookId, ownerId, heldUntilMs, suspendedAtMs } = webhook
  const query = { limit: countedDeliveries, before: null, ended: null }
  const deliveries = (await store.forOwner(ownerId).webhooks.deliveries(webhookId, query)) ?? []
  const health = healthOf(deliveries)
  return {
    ...webhookView(webhook),
    health: {
      // The newest events of an endpoint that waits, or is suspended, were not tried.
      state: heldUntilMs === null && suspendedAtMs === null ? health.state : ('failing' as const),
      events: health.tried,
      delivered: health.delivered,
      dropped: health.dropped,
      waiting: health.waiting,
      success_rate: health.tried === 0 ? null : health.delivered / health.tried,
      failures_in_a_row: health.failuresInARow,
      last_attempt_at: iso(health.lastAttemptAtMs),
      last_delivered_at: iso(health.lastDeliveredAtMs),
    },
  }
}
