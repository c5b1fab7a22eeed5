/** What the names of events and of faults mean, for people. */

import type { Delivery, WebhookRequest } from '@fairway/client'
import type { Tone } from '../../ui/verdict.tsx'

export type EventName = NonNullable<WebhookRequest['events']>[number]

export const eventWords: Readonly<Record<Delivery['event'], string>> = {
  'payment.decision.created': 'Decision',
  'payment.override.created': 'Override',
  'webhook.test': 'Test event',
}

/** Those that an endpoint can be told of, and when. */
export const subscribable: readonly (readonly [event: EventName, when: string])[] = [
  ['payment.decision.created', 'After every recorded verification'],
  ['payment.override.created', 'After a person overrides a decision'],
]

type Attempt = Delivery['attempts'][number]

const faults: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  timeout: 'No answer within 5 seconds',
  name_not_resolved: 'The name does not resolve to an address',
  address_refused: 'The address is not one that may be called',
  connection_failed: 'No connection to the endpoint',
  tls_failed: 'The certificate does not hold',
  invalid_response: 'What came back is not HTTP',
}

export function attemptWords({ error, status_code: status, outcome }: Attempt): string {
  if (error !== null) return faults[error]
  const answered = status === null ? 'No answer' : `Answered ${status}`
  return outcome === 'delivered' ? answered : `${answered}, which is not a 2xx`
}

/** What became of an event so far. */
export function deliveryState({ status, attempts }: Delivery): {
  readonly words: string
  readonly tone: Tone
} {
  if (status === 'delivered') return { words: 'Delivered', tone: 'go' }
  if (status === 'dropped') return { words: 'Given up', tone: 'nogo' }
  return attempts.length === 0
    ? { words: 'On its way', tone: 'info' }
    : { words: 'To be tried again', tone: 'degraded' }
}
