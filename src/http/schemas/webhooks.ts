/** Schemas of webhook endpoints and deliveries (contract sections 4 and 6). */

import { Type } from 'typebox'
import type { SendFault } from '../../app/ports/webhooks.ts'
import { eventKinds, subscribableKinds } from '../../core/events/event.ts'
import { countedDeliveries, failuresUntilFailing } from '../../core/events/health.ts'
import { limits } from '../limits.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import { named, nullable, Timestamp } from './common.ts'
import { plainText } from './verify.ts'

const WebhookEvents = Type.Array(Type.Enum([...subscribableKinds]), {
  description: 'The subscribed event kinds.',
})

export const WebhookBody = named(
  'WebhookRequest',
  Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: limits.webhookUrlLengthMax,
      description: 'An https URL with a public address. Events are sent to it by POST.',
    }),
    events: Type.Optional(
      Type.Array(Type.Enum([...subscribableKinds]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'The event kinds to subscribe to. Defaults to decisions and overrides. `corridor.status.changed` needs a live key.',
      }),
    ),
    description: Type.Optional(
      // Not a union, so that an error is reported once.
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: limits.webhookDescriptionLengthMax,
        pattern: plainText,
        description: 'Your own description of the endpoint.',
      }),
    ),
  }),
)

const shared = {
  webhook_id: Type.String(),
  url: Type.String(),
  events: WebhookEvents,
  description: nullable(Type.String()),
  status: Type.Enum(['active', 'suspended'], {
    description:
      '`suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events again.',
  }),
  suspended_at: nullable(Type.String({ format: 'date-time', description: 'Null unless it is suspended.' })),
  failing_since: nullable(
    Type.String({
      format: 'date-time',
      description:
        'The first of the failed attempts since the last delivered one. Null if the last was delivered.',
    }),
  ),
  created_at: Timestamp,
}

const WebhookHealth = named(
  'WebhookHealth',
  Type.Object(
    {
      state: Type.Enum(['healthy', 'failing', 'idle'], {
        description: `\`failing\`: the last ${failuresUntilFailing} attempts or more have failed, or it is suspended. \`idle\`: nothing was sent.`,
      }),
      events: Type.Integer({ description: 'Events with at least one attempt.' }),
      delivered: Type.Integer(),
      dropped: Type.Integer(),
      waiting: Type.Integer({ description: 'Events that are to be sent, or to be sent again.' }),
      success_rate: nullable(
        Type.Number({ minimum: 0, maximum: 1, description: 'The share of events that were delivered.' }),
      ),
      failures_in_a_row: Type.Integer(),
      last_attempt_at: nullable(Timestamp),
      last_delivered_at: nullable(Timestamp),
    },
    { description: `From the newest ${countedDeliveries} events of the endpoint.` },
  ),
)

export const webhookMembers = { ...shared, health: WebhookHealth }

export const WebhookView = named(
  'Webhook',
  Type.Object(webhookMembers, { description: 'An endpoint, without its secret.' }),
)
export const WebhookList = Type.Array(WebhookView, { description: 'Oldest first.' })

export const WebhookRegistered = named(
  'RegisteredWebhook',
  Type.Object(
    {
      ...shared,
      secret: Type.String({ description: '`whsec_` followed by 32 bytes in base64. Shown only once.' }),
    },
    { description: 'The new endpoint with its secret.' },
  ),
)

export const WebhookRotated = named(
  'RotatedWebhook',
  Type.Object(
    {
      ...shared,
      secret: Type.String({ description: 'The new secret. Shown only once.' }),
      previous_secret_expires_at: Type.String({
        format: 'date-time',
        description: 'Until then, `webhook-signature` also contains a signature with the old secret.',
      }),
    },
    { description: 'The endpoint with its new secret.' },
  ),
)

export const WebhookRemoved = named(
  'RemovedWebhook',
  Type.Object(
    { webhook_id: Type.String(), status: Type.Enum(['deleted']) },
    { description: 'The endpoint is deleted. Its pending events are not sent.' },
  ),
)

const faults = [
  'timeout',
  'name_not_resolved',
  'address_refused',
  'connection_failed',
  'tls_failed',
  'invalid_response',
  'host_failing',
  'secret_unavailable',
] as const satisfies readonly SendFault[]

const attemptMembers = {
  attempt: Type.Integer({ minimum: 1 }),
  at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  outcome: Type.Enum(['delivered', 'failed']),
  status_code: nullable(Type.Integer({ description: "The receiver's response status, if any." })),
  error: nullable(Type.Enum([...faults], { description: 'Why there was no response.' })),
}

const deliveryMembers = {
  event_id: Type.String({ description: 'The same for every attempt. Use it to detect duplicates.' }),
  event: Type.Enum([...eventKinds]),
  request_id: nullable(
    Type.String({ description: 'The decision that the event is about. Null for a test.' }),
  ),
  status: Type.Enum(['pending', 'waiting_for_host', 'delivered', 'dropped', 'suspended'], {
    description:
      '`pending`: an attempt is scheduled or in progress. `waiting_for_host`: the host keeps failing, and is tried with one attempt at a time. `dropped`: the last attempt failed. `suspended`: not sent, because the endpoint was suspended.',
  }),
  created_at: Timestamp,
  next_attempt: nullable(
    Type.Object({
      attempt: Type.Integer({ minimum: 1 }),
      due_at: Type.String({
        format: 'date-time',
        description: 'The earliest time of the attempt. During the attempt, the time when its lease expires.',
      }),
    }),
  ),
}

export const DeliveryView = named(
  'Delivery',
  Type.Object(
    {
      ...deliveryMembers,
      attempts: Type.Array(Type.Object(attemptMembers), {
        description: 'Completed attempts, oldest first.',
      }),
    },
    { description: 'One event for this endpoint, with its attempts.' },
  ),
)

export const DeliveryDetail = named(
  'DeliveryDetail',
  Type.Object(
    {
      ...deliveryMembers,
      attempts: Type.Array(
        Type.Object({
          ...attemptMembers,
          answer: nullable(
            Type.String({ description: "The first 1,000 bytes of the receiver's answer. Null if empty." }),
          ),
        }),
        { description: 'Completed attempts, oldest first.' },
      ),
      body: nullable(
        Type.String({
          description: 'The body that an attempt would send now. Null if the decision is archived.',
        }),
      ),
    },
    { description: 'One event for this endpoint, with its body, its attempts and their answers.' },
  ),
)

export const ResentDelivery = named(
  'ResentDelivery',
  Type.Object({
    webhook_id: Type.String(),
    event_id: Type.String(),
    status: Type.Enum(['pending']),
  }),
)

export const ResendBody = named(
  'ResendRequest',
  Type.Object({
    since: Type.String({
      maxLength: 40,
      description: 'Sends what was dropped or suspended at this time or later; ISO 8601.',
    }),
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Sends what was created before this time; ISO 8601. Defaults to now.',
      }),
    ),
  }),
)

export const ResentEvents = Type.Object({
  queued: Type.Integer({ minimum: 0, description: 'Events that are sent again, oldest first.' }),
})

export const DeliveryList = Type.Array(DeliveryView, { description: 'Newest first.' })

export const DeliveriesQuery = listQuery({
  ...pageMembers('Deliveries'),
  status: Type.Optional(
    Type.Enum(['dropped', 'suspended'], { description: 'Returns only deliveries of this status.' }),
  ),
})

export const WebhookTested = named(
  'TestedWebhook',
  Type.Object(
    {
      webhook_id: Type.String(),
      event_id: Type.String(),
      event: Type.Enum(['webhook.test']),
      status: Type.Enum(['pending']),
      created_at: Timestamp,
    },
    { description: 'The test event is queued. The deliveries of the endpoint show its result.' },
  ),
)
