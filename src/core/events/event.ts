/** Events: what is told to the outside world, and the ids by which a receiver knows one again. */

import { requestIdDigits } from '../identity/request-id.ts'

export const subscribableKinds = ['payment.decision.created', 'payment.override.created'] as const

/** What an endpoint can subscribe to. */
export type SubscribableKind = (typeof subscribableKinds)[number]

/** A test is sent to one endpoint, because somebody asked for it. */
export type EventKind = SubscribableKind | 'webhook.test'

export const eventKinds: readonly EventKind[] = [...subscribableKinds, 'webhook.test']

export type EventId = string & { readonly brand: 'EventId' }

const shape = new RegExp(`^evt_[0-9a-hjkmnp-tv-z]{${requestIdDigits}}$`)

/**
 * The event of a decision, or of an override, has the digits of its id: there cannot be two events of one thing, and
 * text order is the order of making.
 */
export function eventIdOf(subjectId: string): EventId {
  return `evt_${subjectId.slice(-requestIdDigits).toLowerCase()}` as EventId
}

/** Null for any text that this service cannot have issued. */
export function parseEventId(text: string): EventId | null {
  return shape.test(text) ? (text as EventId) : null
}
