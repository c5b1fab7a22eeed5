/** What receivers are sent (contract section 6), for the `webhooks` part of the OpenAPI document. */

import { Type, type Static } from 'typebox'
import type {
  DecisionData,
  EventEnvelope,
  OverrideData,
  TestData,
} from '../../app/events/delivery/event-body.ts'
import {
  named,
  Mode,
  nullable,
  ReasonCode,
  RecommendedAction,
  Score,
  Timestamp,
  Verdict,
  type Frozen,
} from './common.ts'
import { HumanOverride } from './records.ts'

const DecisionEventData = named(
  'DecisionEventData',
  Type.Object({
    request_id: Type.String(),
    decision: Verdict,
    score: Score,
    confidence: Score,
    corridor: Type.String(),
    amount: nullable(Type.Number({ description: "The request's own amount." })),
    currency: Type.String({ description: "The request's own currency." }),
    reason_codes: Type.Array(ReasonCode),
    recommended_action: RecommendedAction,
    evaluated_at: Timestamp,
    mode: Mode,
    environment: Type.Enum(['sandbox', 'production']),
    correlation_id: Type.Optional(Type.String()),
  }),
)

const TestEventData = named(
  'TestEventData',
  Type.Object({ webhook_id: Type.String(), message: Type.String() }),
)

function envelope<Data extends Type.TSchema>(title: string, kind: EventEnvelope['event'], data: Data) {
  const schema = Type.Object({
    event: Type.Enum([kind]),
    event_id: Type.String({ description: 'The same at every attempt: use it to tell repeats.' }),
    created_at: Timestamp,
    attempt: Type.Integer({ minimum: 1, description: 'Also in the header `X-SVC-Attempt`.' }),
    data,
  })
  return named(title, schema)
}

/** By kind. */
const eventSchemas = {
  'payment.decision.created': envelope('DecisionEvent', 'payment.decision.created', DecisionEventData),
  'payment.override.created': envelope('OverrideEvent', 'payment.override.created', HumanOverride),
  'webhook.test': envelope('TestEvent', 'webhook.test', TestEventData),
} as const

const summaries: Readonly<Record<EventEnvelope['event'], string>> = {
  'payment.decision.created': 'A verification was recorded',
  'payment.override.created': 'A decision was overridden',
  'webhook.test': 'Somebody asked for a test',
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
  header('X-SVC-Signature', 'Lower-case hex of HMAC-SHA256 over the body; the key is the whole secret.'),
  header('webhook-id', 'As `event_id`.'),
  header('webhook-timestamp', 'Seconds since 1970, of this attempt.'),
  header(
    'webhook-signature',
    'As Standard Webhooks has it: `v1,` and base64; several while a secret is replaced.',
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
          // The signature proves who sends it; a key of ours would be of no use to a receiver.
          security: [],
          tags: ['Webhooks'],
          summary: summaries[kind as EventEnvelope['event']],
          description:
            'Sent to your endpoint at least once, in no promised order; five attempts within 51 minutes.',
          parameters: signatureHeaders,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'Taken. Anything else, or nothing within 5 seconds, is tried again.' },
          },
        },
      },
    ]),
  )
}

/** Fails to compile where what is sent is not what is described. @compileCheck */
export const decisionFitsSchema: DecisionData extends Frozen<Static<typeof DecisionEventData>>
  ? true
  : false = true
/** @compileCheck */
export const overrideFitsSchema: OverrideData extends Frozen<Static<typeof HumanOverride>> ? true : false =
  true
/** @compileCheck */
export const testFitsSchema: TestData extends Frozen<Static<typeof TestEventData>> ? true : false = true
