/** Labels for webhook events, attempts and deliveries. */

import type { Delivery, WebhookRequest } from '@fairway/client'
import type { Tone } from '../../ui/verdict.tsx'

export type EventName = NonNullable<WebhookRequest['events']>[number]

export const eventLabels: Readonly<Record<Delivery['event'], string>> = {
  'payment.decision.created': 'Decision',
  'payment.override.created': 'Override',
  'corridor.status.changed': 'Corridor status',
  'webhook.test': 'Test event',
}

/** The events that an endpoint receives by default, and when each is sent. */
export const defaultEvents: readonly (readonly [event: EventName, when: string])[] = [
  ['payment.decision.created', 'After every recorded verification'],
  ['payment.override.created', 'After a person overrides a decision'],
]

/** The events that a live key can subscribe to. */
export const liveEvents: typeof defaultEvents = [
  ...defaultEvents,
  [
    'corridor.status.changed',
    'When a corridor or partner becomes impaired, closes or recovers. Needs a live key.',
  ],
]

type Attempt = Delivery['attempts'][number]

const faults: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  timeout: 'No response within 5 seconds',
  name_not_resolved: 'Host name not found',
  address_refused: 'Address not allowed',
  connection_failed: 'Connection failed',
  tls_failed: 'TLS connection failed',
  invalid_response: 'Invalid HTTP response',
  host_failing: 'Not sent: the host keeps failing',
  secret_unavailable: 'Not sent: rotate the secret',
}

export function attemptLabel({ error, status_code: status }: Attempt): string {
  if (error !== null) return faults[error]
  return status === null ? 'No response' : `HTTP ${status}`
}

/** The state of a delivery. */
export function deliveryState({ status, attempts }: Delivery): {
  readonly label: string
  readonly tone: Tone
} {
  if (status === 'delivered') return { label: 'Delivered', tone: 'go' }
  if (status === 'dropped') return { label: 'Failed', tone: 'nogo' }
  return attempts.length === 0 ? { label: 'Pending', tone: 'info' } : { label: 'Retrying', tone: 'degraded' }
}
