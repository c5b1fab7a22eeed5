/** Describes events: as webhooks (contract section 6, the `webhooks` part of the OpenAPI document) and as a stream. */

import { Type, type Static } from 'typebox'
import type {
  DecisionData,
  EventEnvelope,
  OverrideData,
  ReviewData,
  StatusData,
  SuspensionData,
  TestData,
} from '../../app/events/delivery/event-body.ts'
import {
  named,
  Mode,
  nullable,
  paymentCurrencies,
  ReasonCode,
  RecommendedAction,
  Score,
  Timestamp,
  Verdict,
  type Frozen,
} from './common.ts'
import { streamedKinds } from '../../core/events/event.ts'
import { liveStatuses } from '../../core/live/corridor-status.ts'
import { listQuery } from '../input/paging.ts'
import { limits } from '../limits.ts'
import { HumanOverride } from './records.ts'
import { ReviewEventData } from './reviews.ts'

const DecisionEventData = named(
  'DecisionEventData',
  Type.Object({
    request_id: Type.String(),
    decision: Verdict,
    score: Score,
    confidence: Score,
    corridor: Type.String(),
    amount: nullable(Type.Number({ description: 'The amount of the request.' })),
    ...paymentCurrencies,
    reason_codes: Type.Array(ReasonCode),
    recommended_action: RecommendedAction,
    evaluated_at: Timestamp,
    mode: Mode,
    environment: Type.Enum(['sandbox', 'production']),
    correlation_id: Type.Optional(Type.String()),
    cooldown_source_request_id: Type.Optional(
      Type.String({ description: 'Present if a cooldown repeated this earlier decision.' }),
    ),
  }),
)

const StatusEventData = named(
  'StatusEventData',
  Type.Object({
    corridor: Type.String(),
    partner: nullable(Type.String({ description: 'Null for the corridor itself.' })),
    status: Type.Enum([...liveStatuses]),
    previous_status: Type.Enum([...liveStatuses]),
    changed_at: Timestamp,
  }),
)

const SuspensionEventData = named(
  'SuspensionEventData',
  Type.Object({
    webhook_id: Type.String({ description: 'The endpoint that is suspended.' }),
    failing_since: Type.String({
      format: 'date-time',
      description: 'The first of the failed attempts; none was delivered since.',
    }),
    suspended_at: Timestamp,
  }),
)

const TestEventData = named(
  'TestEventData',
  Type.Object({ webhook_id: Type.String(), message: Type.String() }),
)

function envelope<Data extends Type.TSchema>(title: string, kind: EventEnvelope['event'], data: Data) {
  const schema = Type.Object({
    event: Type.Enum([kind]),
    event_id: Type.String({ description: 'The same for every attempt. Use it to detect duplicates.' }),
    created_at: Timestamp,
    attempt: Type.Integer({ minimum: 1, description: 'Also in the header `X-SVC-Attempt`.' }),
    data,
  })
  return named(title, schema)
}

/** The names are those of CloudEvents 1.0. */
const StreamedEvent = named(
  'StreamedEvent',
  Type.Object({
    specversion: Type.Literal('1.0', { description: 'CloudEvents 1.0.' }),
    id: Type.String({ description: 'That of the webhook. Also a cursor: the events after this one.' }),
    source: Type.String({ description: 'The installation, by the name of its log.' }),
    type: Type.Enum([...streamedKinds]),
    subject: Type.String({ description: 'The `request_id`; of `corridor.status.changed`, the corridor.' }),
    time: Timestamp,
    data: nullable(
      Type.Union([DecisionEventData, HumanOverride, StatusEventData, ReviewEventData], {
        description: 'As in the webhook of this type. Null once the record was detached with its month.',
      }),
    ),
  }),
)

export const EventsPage = named(
  'EventsPage',
  Type.Object({
    events: Type.Array(StreamedEvent, { description: 'In the order of the log, oldest first.' }),
    next: Type.String({ description: 'The cursor for the events after these. Always there: store it.' }),
  }),
)

export const EventsQuery = listQuery({
  after: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'The `next` of an earlier answer. Without it: from the first event on.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.eventsPageMax,
      default: limits.eventsPageDefault,
      description: 'Events per page.',
    }),
  ),
  wait_s: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.eventsWaitSecondsMax,
      default: 0,
      description: 'If there is no event yet: seconds to wait for one.',
    }),
  ),
})

/** By kind. */
const eventSchemas = {
  'payment.decision.created': envelope('DecisionEvent', 'payment.decision.created', DecisionEventData),
  'payment.override.created': envelope('OverrideEvent', 'payment.override.created', HumanOverride),
  'corridor.status.changed': envelope('StatusEvent', 'corridor.status.changed', StatusEventData),
  'payment.review.opened': envelope('ReviewOpenedEvent', 'payment.review.opened', ReviewEventData),
  'payment.review.closed': envelope('ReviewClosedEvent', 'payment.review.closed', ReviewEventData),
  'webhook.endpoint.suspended': envelope(
    'EndpointSuspendedEvent',
    'webhook.endpoint.suspended',
    SuspensionEventData,
  ),
  'webhook.test': envelope('TestEvent', 'webhook.test', TestEventData),
} as const

const summaries: Readonly<Record<EventEnvelope['event'], string>> = {
  'payment.decision.created': 'A verification was recorded',
  'payment.override.created': 'A decision was overridden',
  'corridor.status.changed': 'The status of a live corridor or partner changed',
  'payment.review.opened': 'A decision needs a person',
  'payment.review.closed': 'A review was approved, expired, or closed by a direct override',
  'webhook.endpoint.suspended': 'Another endpoint was suspended: it failed for seven days',
  'webhook.test': 'A test was requested',
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

const signatureHeaders = [
  header('X-SVC-Attempt', 'The number of the attempt.'),
  header(
    'X-SVC-Signature',
    'HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix.',
  ),
  header('webhook-id', 'The `event_id`.'),
  header('webhook-timestamp', 'The time of this attempt, in seconds since 1970.'),
  header(
    'webhook-signature',
    'The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation.',
  ),
]

/** The `webhooks` part of the document. */
export function describeWebhooks() {
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([kind, schema]) => [
      kind,
      {
        post: {
          operationId: kind,
          // The signature authenticates the sender, so the request carries no API key.
          security: [],
          tags: ['Webhooks'],
          summary: summaries[kind as EventEnvelope['event']],
          description:
            'Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.',
          parameters: signatureHeaders,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': {
              description: 'Accepted. Any other status, or no response within 5 seconds, causes a retry.',
            },
          },
        },
      },
    ]),
  )
}

/** Fails to compile if the sent data does not match the schema. @compileCheck */
export const decisionFitsSchema: DecisionData extends Frozen<Static<typeof DecisionEventData>>
  ? true
  : false = true
/** @compileCheck */
export const overrideFitsSchema: OverrideData extends Frozen<Static<typeof HumanOverride>> ? true : false =
  true
/** @compileCheck */
export const testFitsSchema: TestData extends Frozen<Static<typeof TestEventData>> ? true : false = true
/** @compileCheck */
export const suspensionFitsSchema: SuspensionData extends Frozen<Static<typeof SuspensionEventData>>
  ? true
  : false = true
/** @compileCheck */
export const statusFitsSchema: StatusData extends Frozen<Static<typeof StatusEventData>> ? true : false = true
/** @compileCheck */
export const reviewFitsSchema: ReviewData extends Frozen<Static<typeof ReviewEventData>> ? true : false = true
