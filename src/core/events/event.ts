/** Event kinds and ids. */

import { requestIdDigits, requestIdOfDigits } from '../identity/request-id.ts'

/** The contract's events, which an endpoint gets unless it names others. */
export const defaultKinds = ['payment.decision.created', 'payment.override.created'] as const

export const subscribableKinds = [
  ...defaultKinds,
  'corridor.status.changed',
  'payment.review.opened',
  'payment.review.closed',
  'webhook.endpoint.suspended',
] as const

/** The stream has no events about webhooks. */
export const streamedKinds = subscribableKinds.filter((kind) => kind !== 'webhook.endpoint.suspended')

export type StreamedKind = (typeof streamedKinds)[number]

export type SubscribableKind = (typeof subscribableKinds)[number]

/** A test event goes to a single endpoint on request. */
export type EventKind = SubscribableKind | 'webhook.test'

export const eventKinds: readonly EventKind[] = [...subscribableKinds, 'webhook.test']

export type EventId = string & { readonly brand: 'EventId' }

const shape = new RegExp(`^evt_[0-9a-hjkmnp-tv-z]{${requestIdDigits}}$`)

/**
 * The event id has the digits of its subject's id: a decision, an override, the act that recorded a change of status or a
 * suspension, or the change of a review. So a subject has only one event, and text order is creation order.
 */
export function eventIdOf(subjectId: string): EventId {
  return `evt_${subjectId.slice(-requestIdDigits).toLowerCase()}` as EventId
}

/** The inverse of `eventIdOf`, for all but decisions. */
export function subjectIdOf(eventId: EventId, prefix: 'act' | 'rvc' | 'ovr'): string {
  return `${prefix}_${eventId.slice('evt_'.length)}`
}

/** Comes before every event: the cursor of a stream from which nothing was read yet. */
export const beforeFirstEvent = `evt_${'0'.repeat(requestIdDigits)}` as EventId

/** The ids of all entries that may have this event. */
export function entryIdsOf(eventId: EventId): readonly string[] {
  const requestId = requestIdOfDigits(eventId)
  const others = (['ovr', 'act', 'rvc'] as const).map((prefix) => subjectIdOf(eventId, prefix))
  return requestId === null ? others : [requestId, ...others]
}

/** Null for text that is not an event id of this service. */
export function parseEventId(text: string): EventId | null {
  return shape.test(text) ? (text as EventId) : null
}
