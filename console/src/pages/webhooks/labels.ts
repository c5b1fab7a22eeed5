/** Labels for webhook events, attempts and deliveries. */

import type { Delivery, Mode, WebhookRequest } from '@fairway/client'

export type EventName = NonNullable<WebhookRequest['events']>[number]

export const eventLabels: Readonly<Record<Delivery['event'], string>> = {
  'payment.decision.created': 'Decision',
  'payment.override.created': 'Override',
  'payment.review.opened': 'Review opened',
  'payment.review.closed': 'Review closed',
  'corridor.status.changed': 'Corridor status',
  'webhook.endpoint.suspended': 'Endpoint suspended',
  'webhook.test': 'Test event',
}

/** The events that an endpoint receives by default. */
export const defaultEvents: readonly EventName[] = ['payment.decision.created', 'payment.override.created']

const whenSent: readonly (readonly [event: EventName, when: string])[] = [
  ['payment.decision.created', 'After every recorded verification'],
  ['payment.override.created', 'After a person overrides a decision'],
  ['payment.review.opened', 'When a payment needs a person'],
  ['payment.review.closed', 'When a review is approved, expires or is closed by an override'],
  [
    'corridor.status.changed',
    'When a corridor or partner becomes impaired, closes or recovers. Needs a live key.',
  ],
  ['webhook.endpoint.suspended', 'When another of your endpoints failed for seven days'],
]

/** The events that an endpoint can receive in this mode, and when each is sent. */
export const eventChoices = (mode: Mode | null): typeof whenSent =>
  mode === 'live' ? whenSent : whenSent.filter(([event]) => event !== 'corridor.status.changed')

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
  readonly tone: 'go' | 'degraded' | 'nogo' | 'info'
} {
  if (status === 'delivered') return { label: 'Delivered', tone: 'go' }
  if (status === 'dropped') return { label: 'Failed', tone: 'nogo' }
  if (status === 'suspended') return { label: 'Suspended', tone: 'nogo' }
  if (status === 'waiting_for_host') return { label: 'Waiting for host', tone: 'degraded' }
  return attempts.length === 0 ? { label: 'Pending', tone: 'info' } : { label: 'Retrying', tone: 'degraded' }
}
