/** The expected state of a world: payments, their outcomes, applied changes, and the events due to each endpoint. */

import type { CommitCommand, Override, OutcomeReport, ReportedOutcome } from '../../src/app/ports/records.ts'
import type { KeyRecord } from '../../src/app/ports/identity/keys.ts'
import type { Webhook } from '../../src/app/ports/webhooks.ts'
import { eventIdOf, type SubscribableKind } from '../../src/core/events/event.ts'
import { isFinal, type ActualOutcome } from '../../src/core/live/outcome.ts'
import type { Mode } from '../../src/core/identity/api-key.ts'
import type { Corridor } from '../../src/core/reference/corridor.ts'
import type { OverrideOutcome } from '../../src/app/events/override.ts'
import type { AppliedChange } from './faulty-driver.ts'
import { eventKindOf, type StoredChange } from './reviews/books.ts'
import type { CallOutcome, OneAdmission } from './instance.ts'
import type { Life } from './schedule.ts'

export interface Caller {
  readonly record: KeyRecord
  readonly key: string
}

/** A payment, however often it is verified. */
export interface Payment {
  /** The correlation id, which identifies its record. */
  readonly name: string
  readonly caller: Caller
  readonly requestedMode: Mode | null
  readonly mode: Mode
  readonly corridor: Corridor
  readonly amount: number | null
  readonly idempotencyKey: string | null
  readonly calls: VerifyCall[]
}

/** One verify call for a payment. */
export interface VerifyCall {
  readonly payment: Payment
  readonly life: Life
  /** The logical time of its start. */
  readonly startedAt: number
  readonly startedMs: number
  readonly faultsBefore: number
  /** The range of the wall clock during the call. */
  wall: { min: number; max: number }
  /** Whether all live feeds were healthy at some time during the call. */
  sawFeedsHealthy: boolean
  /** Null while it is pending. */
  outcome: CallOutcome | { readonly kind: 'cut_off' } | null
  faultsAfter: number
}

export interface OverrideCall {
  readonly requestId: string
  readonly life: Life
  outcome: OverrideOutcome | { readonly kind: 'unavailable' | 'cut_off' } | null
}

export interface RegisteredEndpoint {
  readonly webhook: Webhook
  isRemoved: boolean
}

/** A recorded decision, override or change of a review. */
interface Appended {
  readonly ownerId: string
  readonly subjectId: string
  /** Null for an entry without an event. */
  readonly kind: SubscribableKind | null
}

/** An event that an endpoint must receive. */
export interface ExpectedEvent {
  readonly webhookId: string
  readonly eventId: string
  readonly kind: SubscribableKind
  /** The decision, override or change of a review that it announces. */
  readonly subjectId: string
}

export const nameOfEvent = (webhookId: string, eventId: string): string => `${webhookId} ${eventId}`

export class Books {
  readonly payments: Payment[] = []
  /** Pending, or ended since the last inspection. */
  readonly open = new Set<VerifyCall>()
  readonly overrideCalls: OverrideCall[] = []
  readonly endpoints = new Map<string, RegisteredEndpoint>()
  readonly expectedEvents = new Map<string, ExpectedEvent>()
  /** Events recorded while their endpoint was being registered: it may receive them or not. */
  readonly optionalEvents = new Map<string, ExpectedEvent>()
  /** The number of entries when the registration of each URL began. */
  readonly registrations = new Map<string, number>()
  /** In the order in which the database applied them. */
  readonly appended: Appended[] = []
  /** The logical time at which each record was written, by its id. */
  readonly writtenAt = new Map<string, number>()
  /** The same by the monotonic clock. */
  readonly writtenMs = new Map<string, number>()
  /** The logical time at which each record was first acknowledged, by its id. */
  readonly acknowledgedAt = new Map<string, number>()
  readonly overridesWritten = new Set<string>()
  readonly outcomesWritten = new Set<string>()
  /** The last word on each payment, by the id of its decision. */
  readonly outcomes = new Map<string, ActualOutcome>()
  readonly admissions: OneAdmission[] = []
  /** How often each kind of event occurred; a kind that never occurs is not tested. */
  readonly counts = new Map<string, number>()

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times)
  }

  /** Records a change; called in the order in which the database applied them. */
  record({ name, values, result }: AppliedChange, happened: number, monotonicMs: number): void {
    if (name === 'commit') {
      for (const { record } of values[0] as readonly CommitCommand[]) {
        this.writtenAt.set(record.requestId, happened)
        this.writtenMs.set(record.requestId, monotonicMs)
        this.#append({
          ownerId: record.ownerId,
          subjectId: record.requestId,
          kind: 'payment.decision.created',
        })
      }
    } else if (name === 'override' && result === true) this.#recordOverride(values[0] as Override)
    else if (name === 'appendReviewChange' && result === 'appended') {
      const override = values[2] as Override | null
      if (override !== null) this.#recordOverride(override)
    } else if (name === 'reportOutcomes' && result === true) {
      for (const { outcome } of values[0] as readonly OutcomeReport[]) this.#recordOutcome(outcome)
    } else if (name === 'insertWebhook' && result === 'inserted') {
      const webhook = values[0] as Webhook
      this.endpoints.set(webhook.webhookId, { webhook, isRemoved: false })
      for (const one of this.appended.slice(this.registrations.get(webhook.url)))
        addEvent(this.optionalEvents, webhook, one)
    } else if (name === 'removeWebhook' && result === true) {
      const endpoint = this.endpoints.get(String(values[1]))
      if (endpoint !== undefined) endpoint.isRemoved = true
    }
  }

  recordReviewChange({ change_id: subjectId, owner_id: ownerId, kind }: StoredChange): void {
    this.#append({ ownerId, subjectId, kind: eventKindOf(kind) })
  }

  #recordOverride({ ownerId, overrideId: subjectId }: Override): void {
    this.overridesWritten.add(subjectId)
    this.#append({ ownerId, subjectId, kind: 'payment.override.created' })
  }

  #recordOutcome({ outcomeId, requestId, outcome }: ReportedOutcome): void {
    this.outcomesWritten.add(outcomeId ?? '')
    const before = this.outcomes.get(requestId) ?? null
    if (before === null || !isFinal(before)) this.outcomes.set(requestId, outcome)
  }

  #append(appended: Appended): void {
    this.appended.push(appended)
    for (const { webhook, isRemoved } of this.endpoints.values())
      if (!isRemoved) addEvent(this.expectedEvents, webhook, appended)
  }
}

/** Adds the event if the endpoint subscribes to it. */
function addEvent(
  events: Map<string, ExpectedEvent>,
  webhook: Webhook,
  { ownerId, subjectId, kind }: Appended,
): void {
  if (kind === null || webhook.ownerId !== ownerId || !webhook.events.includes(kind)) return
  const { webhookId } = webhook
  const eventId = eventIdOf(subjectId)
  events.set(nameOfEvent(webhookId, eventId), { webhookId, eventId, kind, subjectId })
}
