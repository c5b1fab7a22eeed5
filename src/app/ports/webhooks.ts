/** What webhooks need of the world: endpoints, the outbox, and a way out. */

import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { EventId, EventKind, SubscribableKind } from '../../core/events/event.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { NewSecret, WebhookSecret } from '../../core/events/webhook.ts'
import type { Override, Verification } from './records.ts'

export type { WebhookSecret }

export interface Webhook {
  readonly webhookId: string
  readonly ownerId: string
  readonly url: string
  readonly events: readonly SubscribableKind[]
  readonly description: string | null
  /** Newest first; never empty. */
  readonly secrets: readonly WebhookSecret[]
  readonly createdAtMs: number
}

export interface OwnerWebhooks {
  /** False where the owner has as many as may be. */
  insert(webhook: Webhook, countMax: number): Promise<boolean>
  /** Oldest first. */
  list(): Promise<Webhook[]>
  find(webhookId: string): Promise<Webhook | null>
  /** False where there is none. What waits for it is not sent any more. */
  remove(webhookId: string, atMs: number): Promise<boolean>
  /** Puts a secret before those that there are, unless they are too many; one transaction. */
  addSecret(webhookId: string, added: NewSecret): Promise<Webhook | 'unknown' | 'refused'>
  /** Puts one event on its way to this endpoint alone; false where there is none such. */
  announce(
    webhookId: string,
    event: { eventId: EventId; kind: EventKind; createdAtMs: number },
  ): Promise<boolean>
  /** Newest first; null where there is no such endpoint. */
  deliveries(webhookId: string, query: DeliveriesQuery): Promise<Delivery[] | null>
}

export interface DeliveriesQuery {
  readonly limit: number
  /** Only events before this one. */
  readonly before: EventId | null
  readonly droppedOnly: boolean
}

export type DeliveryState = 'pending' | 'delivered' | 'dropped'

/** Why an attempt had no answer. What the receiver's side said is not among it. */
export type SendFault =
  | 'timeout'
  | 'name_not_resolved'
  | 'address_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'invalid_response'

export interface Attempt {
  readonly number: number
  readonly atMs: number
  readonly durationMs: number
  /** Exactly one of the two is not null. */
  readonly status: number | null
  readonly fault: SendFault | null
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly webhookId: string
  readonly eventId: EventId
  readonly kind: EventKind
  /** The decision that it speaks of; null for a test. */
  readonly requestId: RequestId | null
  readonly createdAtMs: number
  readonly state: DeliveryState
  /** Of the attempt that comes next or is under way; of the last one where none will. */
  readonly attemptNumber: number
  /** When the next attempt is due; while one is under way, when its lease ends. */
  readonly dueAtMs: number
  /** Those whose end was recorded, oldest first. */
  readonly attempts: readonly Attempt[]
}

/** A delivery that this instance may attempt until the lease ends, with all that is needed for it. */
export interface ClaimedDelivery extends Delivery {
  readonly lease: string
  readonly url: string
  readonly secrets: readonly WebhookSecret[]
  readonly subject: EventSubject
}

/** What an event tells of. */
export type EventSubject =
  | {
      readonly kind: 'decision'
      /** With the trace of its request, where it came with one. */
      readonly record: Omit<Verification, 'evidence'> & { readonly trace: TraceContext | null }
    }
  | { readonly kind: 'override'; readonly override: Override }
  | { readonly kind: 'test' }

/** How a claim ended, and what follows of it: an attempt, or the claim given back unused. */
export interface EndedClaim {
  readonly delivery: Omit<Delivery, 'attempts'> & { readonly lease: string }
  readonly state: DeliveryState
  readonly attemptNumber: number
  readonly dueAtMs: number
  readonly attempts: readonly Attempt[]
}

export interface OutboxTurn {
  readonly ended: readonly EndedClaim[]
  readonly wanted: readonly { readonly webhookId: string; readonly count: number }[]
  readonly lease: string
  readonly nowMs: number
  readonly leaseEndsAtMs: number
}

export interface OutboxTurnResult {
  readonly claimed: readonly ClaimedDelivery[]
  /** The places, among the ends, of those that were recorded: a lease that had ended, and was given to another, records success alone. */
  readonly recorded: ReadonlySet<number>
  /** Dropped, since what they tell of is not there any more. */
  readonly abandoned: readonly Delivery[]
}

/** All owners' deliveries, for the dispatcher alone. */
export interface Outbox {
  /** Called after each commit that wrote deliveries, with the endpoints that they are for. */
  onWritten(listener: (webhookIds: readonly string[]) => void): void
  /** Records ends, gives back, and claims what is due: one transaction. */
  turn(turn: OutboxTurn): Promise<OutboxTurnResult>
  /** Looks through the endpoints for which something waits, in order of id. */
  waiting(query: { readonly after: string; readonly limit: number }): Promise<WaitingEndpoint[]>
  /** Makes due now what is due after a time, a bounded number of them. */
  bringForward(webhookId: string, dueAfterMs: number, nowMs: number): Promise<void>
  /** Takes away what is old among a bounded number of deliveries after a place; gives the place to go on from, '' at the end. */
  prune(query: { readonly after: string; readonly nowMs: number }): Promise<string>
}

export interface WaitingEndpoint {
  readonly webhookId: string
  readonly firstDueAtMs: number
  readonly lastDueAtMs: number
}

export type SendOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly fault: SendFault }

export interface WebhookSender {
  /** One POST. Never rejects, and settles within the time a receiver has, whatever the other side does. */
  send(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  }): Promise<SendOutcome>
  close(): Promise<void>
}

/** Whether a URL may be called at all, judged now; the sender judges again at each connection. */
export interface EndpointGuard {
  /** Null where it may; else what is wrong with it, as the end of a sentence that begins with the member's name. */
  check(url: string): Promise<string | null>
}
