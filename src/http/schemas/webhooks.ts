/** Webhook endpoints and deliveries (contract sections 4 and 6). */

import { Type } from 'typebox'
import type { SendFault } from '../../app/ports/webhooks.ts'
import { eventKinds, subscribableKinds } from '../../core/events/event.ts'
import { limits } from '../limits.ts'
import { pageMembers } from '../input/paging.ts'
import { named, nullable, Timestamp } from './common.ts'
import { plainText } from './verify.ts'

const WebhookEvents = Type.Array(Type.Enum([...subscribableKinds]), {
  description: 'The kinds of events that it is told of.',
})

export const WebhookBody = named(
  'WebhookRequest',
  Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: limits.webhookUrlLengthMax,
      description: 'https, to a public address; events are sent to it by POST.',
    }),
    events: Type.Optional(
      Type.Array(Type.Enum([...subscribableKinds]), {
        minItems: 1,
        uniqueItems: true,
        description: 'The kinds of events to be told of; all, if it is left out.',
      }),
    ),
    description: Type.Optional(
      // Not a union: what is wrong with it is told once.
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: limits.webhookDescriptionLengthMax,
        pattern: plainText,
        description: 'For people.',
      }),
    ),
  }),
)

const shared = {
  webhook_id: Type.String(),
  url: Type.String(),
  events: WebhookEvents,
  description: nullable(Type.String()),
  status: Type.Enum(['active']),
  created_at: Timestamp,
}

export const WebhookView = named(
  'Webhook',
  Type.Object(shared, { description: 'An endpoint, without its secret.' }),
)
export const WebhookList = Type.Array(WebhookView, { description: 'Oldest first.' })

export const WebhookRegistered = named(
  'RegisteredWebhook',
  Type.Object(
    { ...shared, secret: Type.String({ description: 'Shown this once: `whsec_` and base64 of 32 bytes.' }) },
    { description: 'The new endpoint with its secret.' },
  ),
)

export const WebhookRotated = named(
  'RotatedWebhook',
  Type.Object(
    {
      ...shared,
      secret: Type.String({ description: 'The new secret; shown this once.' }),
      previous_secret_expires_at: Type.String({
        format: 'date-time',
        description: 'Until then `webhook-signature` carries a signature of the old secret too.',
      }),
    },
    { description: 'The endpoint with its new secret.' },
  ),
)

export const WebhookRemoved = named(
  'RemovedWebhook',
  Type.Object(
    { webhook_id: Type.String(), status: Type.Enum(['deleted']) },
    { description: 'It is gone; what waited for it is not sent.' },
  ),
)

const faults = [
  'timeout',
  'name_not_resolved',
  'address_refused',
  'connection_failed',
  'tls_failed',
  'invalid_response',
] as const satisfies readonly SendFault[]

const DeliveryView = named(
  'Delivery',
  Type.Object(
    {
      event_id: Type.String({ description: 'The same at every attempt: use it to tell repeats.' }),
      event: Type.Enum([...eventKinds]),
      request_id: nullable(Type.String({ description: 'The decision that it speaks of; null for a test.' })),
      status: Type.Enum(['pending', 'delivered', 'dropped'], {
        description:
          '`pending`: an attempt is to come or under way. `dropped`: given up after the last attempt.',
      }),
      created_at: Timestamp,
      next_attempt: nullable(
        Type.Object({
          attempt: Type.Integer({ minimum: 1 }),
          due_at: Type.String({
            format: 'date-time',
            description:
              'Not sooner. While the attempt is under way: when it is taken over if nothing is heard.',
          }),
        }),
      ),
      attempts: Type.Array(
        Type.Object({
          attempt: Type.Integer({ minimum: 1 }),
          at: Timestamp,
          duration_ms: Type.Integer({ minimum: 0 }),
          outcome: Type.Enum(['delivered', 'failed']),
          status_code: nullable(Type.Integer({ description: 'What the receiver answered, if it did.' })),
          error: nullable(Type.Enum([...faults], { description: 'Why there was no answer.' })),
        }),
        { description: 'Those that have ended, oldest first.' },
      ),
    },
    { description: 'One event on its way to this endpoint.' },
  ),
)

export const DeliveryList = Type.Array(DeliveryView, { description: 'Newest first.' })

export const DeliveriesQuery = Type.Object({
  ...pageMembers('Deliveries'),
  status: Type.Optional(Type.Enum(['dropped'], { description: 'Only those that were given up.' })),
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
    { description: 'It is on its way; the deliveries of the endpoint show how it fared.' },
  ),
)
