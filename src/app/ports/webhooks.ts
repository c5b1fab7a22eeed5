/** Ports of webhooks: endpoints, the outbox and the sender. */

import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { EventId, EventKind, SubscribableKind } from '../../core/events/event.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { NewSecret, WebhookSecret } from '../../core/events/webhook.ts'
import type { FailureRun, Pauses } from '../../core/events/failing.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import type { Act, Override, Verification } from './records.ts'
import type { RecordedSubject, ReviewChange } from './reviews.ts'

export type { WebhookSecret }

export interface NewWebhook {
  readonly webhookId: string
  readonly ownerId: string
  readonly url: string
  readonly events: readonly SubscribableKind[]
  readonly description: string | null
  /** Newest first; never empty. */
  readonly secrets: readonly WebhookSecret[]
  readonly createdAtMs: number
}

export interface Webhook extends NewWebhook {
  /** Null unless the last attempt failed. */
  readonly failing: FailureRun | null
  /** Null unless its host is spared: the time of its next attempt. */
  readonly heldUntilMs: number | null
  /** Null unless nothing is sent to it. */
  readonly suspendedAtMs: number | null
}

/** The endpoints of all owners: for admins, and for the encryption of their secrets. */
export interface EndpointStore {
  /** In the order of their ids. */
  list(afterId: string, countMax: number): Promise<Webhook[]>
  /** False, without a change, if the secrets have changed meanwhile. */
  replaceSecrets(before: Webhook, after: Webhook['secrets']): Promise<boolean>
}

/** Changes take the act of a person, which becomes an entry of the log; those of a key have none. */
export interface OwnerWebhooks {
  /** Refused if the owner already has `countMax` endpoints, or one with this URL. */
  insert(webhook: NewWebhook, countMax: number, act?: Act): Promise<'inserted' | 'too_many' | 'exists'>
  /** Oldest first. */
  list(): Promise<Webhook[]>
  find(webhookId: string): Promise<Webhook | null>
  /** False if there is none. Its pending deliveries are not sent. */
  remove(webhookId: string, atMs: number, act?: Act): Promise<boolean>
  /** Prepends a secret in one transaction; refused if there are too many. */
  addSecret(webhookId: string, added: NewSecret, act?: Act): Promise<Webhook | 'unknown' | 'refused'>
  /** Queues one event for this endpoint only, and ends its suspension; false if there is no such endpoint. */
  announce(
    webhookId: string,
    event: { eventId: EventId; kind: EventKind; createdAtMs: number },
    act?: Act,
  ): Promise<boolean>
  /** The delivery of an event to one of the endpoints; null if there is none. */
  findDelivery(eventId: EventId): Promise<Pick<Delivery, 'webhookId' | 'kind'> | null>
  /** Newest first; null if there is no such endpoint. */
  deliveries(webhookId: string, query: DeliveriesQuery): Promise<Delivery[] | null>
  /** The deliveries of these events to all endpoints, newest first. */
  deliveriesOf(eventIds: readonly EventId[]): Promise<Delivery[]>
  /** Null if there is no such endpoint or delivery. */
  delivery(webhookId: string, eventId: EventId): Promise<InspectedDelivery | null>
  /** Makes one further attempt due now, whatever became of the event. Null if there is no such delivery. */
  resend(webhookId: string, eventId: EventId, resent: Resent, act?: Act): Promise<ResendResult | null>
  /** Ends a suspension; false if there is no such endpoint. */
  resume(webhookId: string, act?: Act): Promise<boolean>
  /** Queues dropped and suspended events among a bounded number. */
  resendSome(webhookId: string, range: ResendRange): Promise<ResentSome>
}

/** Events that were created before the end, and dropped or suspended after the beginning. */
export interface ResendRange {
  readonly sinceMs: number
  readonly untilMs: number
  /** Only events after this one; '' for all. */
  readonly after: EventId | ''
  /** Without those that were sent so often. */
  readonly attemptsMax: number
}

export interface ResentSome {
  readonly queued: number
  /** Null at the end. */
  readonly after: EventId | null
}

export interface Resent {
  readonly nowMs: number
  /** Refused beyond so many attempts. */
  readonly attemptsMax: number
}

/** Busy: an attempt is being made. */
export type ResendResult = 'due' | 'busy' | 'too_many'

export interface InspectedDelivery {
  readonly delivery: Delivery
  /** Null if it no longer exists. */
  readonly subject: EventSubject | null
}

export interface DeliveriesQuery {
  readonly limit: number
  /** Only events before this one. */
  readonly before: EventId | null
  /** Null for all. */
  readonly ended: 'dropped' | 'suspended' | null
}

export type DeliveryState = 'pending' | 'delivered' | 'dropped'

/**
 * Why an attempt had no response. Never contains text from the receiver. The last two were not sent: only earlier versions
 * counted them.
 */
export type SendFault =
  | 'timeout'
  | 'name_not_resolved'
  | 'address_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'invalid_response'
  | 'host_failing'
  | 'secret_unavailable'

export interface Attempt {
  readonly number: number
  readonly atMs: number
  readonly durationMs: number
  /** Exactly one of the two is not null. */
  readonly status: number | null
  readonly fault: SendFault | null
  /** The beginning of the receiver's answer, as text; absent if it was empty. */
  readonly answer?: string
}

/** One event for one endpoint, with its attempts. */
export interface Delivery {
  readonly webhookId: string
  readonly eventId: EventId
  readonly kind: EventKind
  /** The decision of the event; null for a test event. */
  readonly requestId: RequestId | null
  readonly createdAtMs: number
  readonly state: DeliveryState
  /** The number of the next or current attempt; after the end, of the last one. */
  readonly attemptNumber: number
  /** When the next attempt is due; during an attempt, when its lease ends. */
  readonly dueAtMs: number
  /** Recorded attempts, oldest first. */
  readonly attempts: readonly Attempt[]
  /** Null unless it was ended with its endpoint's suspension. */
  readonly suspendedAtMs: number | null
  /** Null unless it waits for a host that is spared, until at least then. */
  readonly heldUntilMs: number | null
}

/** A delivery that this instance may attempt until the lease ends. */
export interface ClaimedDelivery extends Delivery {
  readonly lease: string
  readonly ownerId: string
  readonly url: string
  readonly secrets: readonly WebhookSecret[]
  readonly subject: EventSubject
}

/** A change that opened or closed a review. */
export interface ReviewEvent {
  readonly review: RecordedSubject
  readonly change: ReviewChange
  /** Of the proposal that was approved; null otherwise. */
  readonly approvedAction: OverrideAction | null
}

/** An entry of the log that is an event. */
export type EntrySubject =
  | {
      readonly kind: 'decision'
      /** Includes the caller's trace, if the request named one. */
      readonly record: Omit<Verification, 'evidence'> & { readonly trace: TraceContext | null }
    }
  | { readonly kind: 'override'; readonly override: Override }
  /** A recorded change of the status of a live corridor or partner. */
  | { readonly kind: 'status'; readonly act: Act }
  | ({ readonly kind: 'review' } & ReviewEvent)

/** An endpoint that was suspended: an event of webhooks, not of the stream. */
interface Suspension {
  readonly kind: 'suspension'
  readonly act: Act
}

export type SentEntry = EntrySubject | Suspension

export type EventSubject = SentEntry | { readonly kind: 'test' }

/** The end of a claim, by an attempt or by release, and the resulting state of the delivery. */
export interface EndedClaim {
  readonly delivery: Omit<Delivery, 'attempts' | 'suspendedAtMs' | 'heldUntilMs'> & { readonly lease: string }
  /** Null without an attempt. */
  readonly result: 'delivered' | 'failed' | null
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
  readonly pauses: Pauses
}

/** An endpoint that fails for so long that it is to be suspended. */
export interface Unanswered {
  readonly webhookId: string
  readonly ownerId: string
  readonly sinceMs: number
}

export interface OutboxTurnResult {
  readonly claimed: readonly ClaimedDelivery[]
  /** The recorded indexes in `ended`. A lease that expired and was claimed anew may record success, never failure. */
  readonly recorded: ReadonlySet<number>
  /** Dropped because their subject no longer exists. */
  readonly abandoned: readonly Delivery[]
  /** Endpoints that failed and were delivered to again. */
  readonly recovered: readonly string[]
  readonly unanswered: readonly Unanswered[]
}

/** The deliveries of all owners; only the dispatcher uses it. */
export interface Outbox {
  /** Calls the listener after each commit that wrote deliveries, with their endpoints. */
  onWritten(listener: (webhookIds: readonly string[]) => void): void
  /** Records ended claims and claims due deliveries, in one transaction. */
  turn(turn: OutboxTurn): Promise<OutboxTurnResult>
  /** Endpoints with pending deliveries, in id order. */
  waiting(query: { readonly after: string; readonly limit: number }): Promise<WaitingEndpoint[]>
  /** Makes deliveries that are due after `dueAfterMs` due now, a bounded number per call. */
  makeDue(webhookId: string, dueAfterMs: number, nowMs: number): Promise<void>
  /** False if it was delivered to meanwhile, or is suspended. */
  suspend(webhook: Unanswered, act: Act): Promise<boolean>
  /** Ends a bounded number of pending deliveries of a suspended endpoint. */
  shelve(webhookId: string, nowMs: number): Promise<void>
  /** Deletes old deliveries among a bounded number after a position; returns the next position, '' at the end. */
  prune(query: { readonly after: string; readonly nowMs: number }): Promise<string>
}

export interface WaitingEndpoint {
  readonly webhookId: string
  readonly firstDueAtMs: number
  readonly lastDueAtMs: number
  readonly heldUntilMs: number | null
  readonly isSuspended: boolean
}

export type SendOutcome =
  /** With the beginning of the answer's body, if it had one. */
  | { readonly kind: 'answered'; readonly status: number; readonly answer?: string }
  | { readonly kind: 'failed'; readonly fault: SendFault }

export interface WebhookSender {
  /** Sends one POST. Never rejects, and always settles within the receiver's time limit. */
  send(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  }): Promise<SendOutcome>
  close(): Promise<void>
}

/** Checks at registration whether a URL may be called. The sender checks again at each connection. */
export interface EndpointGuard {
  /** Null if allowed; otherwise the fault, as the rest of a sentence that starts with the member's name. */
  check(url: string): Promise<string | null>
}
