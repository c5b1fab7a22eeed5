/** What the world knows on its own account: who asked what, what was answered, what was written, and what must be told to whom. */

import type { CommitCommand, Override } from '../../src/app/ports/records.ts'
import type { KeyRecord } from '../../src/app/ports/keys.ts'
import type { Webhook } from '../../src/app/ports/webhooks.ts'
import { eventIdOf, type SubscribableKind } from '../../src/core/events/event.ts'
import type { Mode } from '../../src/core/identity/api-key.ts'
import type { Corridor } from '../../src/core/reference/corridor.ts'
import type { OverrideOutcome } from '../../src/app/events/override.ts'
import type { Made } from './faulty-driver.ts'
import type { AskOutcome, OneAdmission } from './instance.ts'
import type { Life } from './schedule.ts'

export interface Caller {
  readonly record: KeyRecord
  readonly key: string
}

/** What somebody wants to know, however often it is asked. */
export interface Payment {
  /** Its correlation id, by which its record is known. */
  readonly name: string
  readonly caller: Caller
  readonly asked: Mode | null
  readonly mode: Mode
  readonly corridor: Corridor
  readonly amount: number | null
  readonly idempotencyKey: string | null
  readonly asks: Ask[]
}

/** One request for it. */
export interface Ask {
  readonly payment: Payment
  readonly life: Life
  /** What had happened before. */
  readonly startedAt: number
  readonly faultsBefore: number
  /** All that the wall clock showed meanwhile. */
  wall: { min: number; max: number }
  /** At some moment of it every live feed was well. */
  sawFeedsWell: boolean
  /** Null while it is under way. */
  outcome: AskOutcome | { readonly kind: 'cut_off' } | null
  faultsAfter: number
}

export interface OverrideAsk {
  readonly requestId: string
  readonly life: Life
  outcome: OverrideOutcome | { readonly kind: 'unavailable' | 'cut_off' } | null
}

export interface KnownEndpoint {
  readonly webhook: Webhook
  isRemoved: boolean
}

/** One event that one endpoint must get. */
export interface OwedEvent {
  readonly webhookId: string
  readonly eventId: string
  readonly kind: SubscribableKind
}

export const nameOfEvent = (webhookId: string, eventId: string): string => `${webhookId} ${eventId}`

export class Books {
  readonly payments: Payment[] = []
  /** Under way, or ended since the last look. */
  readonly open = new Set<Ask>()
  readonly overrideAsks: OverrideAsk[] = []
  readonly endpoints = new Map<string, KnownEndpoint>()
  readonly owed = new Map<string, OwedEvent>()
  /** When each record was written, by its id: how much had happened. */
  readonly writtenAt = new Map<string, number>()
  readonly overridesWritten = new Set<string>()
  readonly admissions: OneAdmission[] = []
  /** How often each kind of thing came about: what never does is not tested. */
  readonly seen = new Map<string, number>()

  saw(what: string, count = 1): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + count)
  }

  /** In the order in which the database made them. */
  note({ name, values, result }: Made, happened: number): void {
    if (name === 'commit') {
      for (const { record } of values[0] as readonly CommitCommand[]) {
        this.writtenAt.set(record.requestId, happened)
        this.#owe(record.ownerId, record.requestId, 'payment.decision.created')
      }
    } else if (name === 'override' && result !== null) {
      const override = values[0] as Override
      this.overridesWritten.add(override.overrideId)
      this.#owe(override.ownerId, override.overrideId, 'payment.override.created')
    } else if (name === 'insertWebhook' && result === true) {
      const webhook = values[0] as Webhook
      this.endpoints.set(webhook.webhookId, { webhook, isRemoved: false })
    } else if (name === 'removeWebhook' && result === true) {
      const known = this.endpoints.get(String(values[1]))
      if (known !== undefined) known.isRemoved = true
    }
  }

  #owe(ownerId: string, subjectId: string, kind: SubscribableKind): void {
    const eventId = eventIdOf(subjectId)
    for (const { webhook, isRemoved } of this.endpoints.values()) {
      if (isRemoved || webhook.ownerId !== ownerId || !webhook.events.includes(kind)) continue
      const { webhookId } = webhook
      this.owed.set(nameOfEvent(webhookId, eventId), { webhookId, eventId, kind })
    }
  }
}
