/** Manages an owner's webhook endpoints: registration, removal, secret rotation and test events. */

import {
  defaultKinds,
  eventIdOf,
  subscribableKinds,
  type EventId,
  type SubscribableKind,
} from '../../core/events/event.ts'
import { webhookIdPrefix, webhookUrlLengthMax } from '../../core/events/webhook.ts'
import { prefixedId, type Ids } from '../verify/ids.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { Act, ActKind, Actor } from '../ports/records.ts'
import type {
  Delivery,
  EndpointGuard,
  NewWebhook,
  ResendResult,
  ResentSome,
  Webhook,
} from '../ports/webhooks.ts'
import type { Store } from '../ports/store.ts'
import type { InstallationKey } from '../log/installation-key.ts'
import { actsBy } from '../operate/acts.ts'
import { envelopeOf } from './delivery/event-body.ts'
import { generateSecret } from './delivery/signature.ts'
import { dayMs, iso } from '../../core/time/durations.ts'

export const webhooksPerOwnerMax = 20
/** A replaced secret continues to sign for this long. */
const secretOverlapMs = dayMs
/** An event is sent at most so often, by the schedule and on request. */
export const attemptsMax = 50

export interface WebhookDeps {
  readonly store: Store
  readonly guard: EndpointGuard
  readonly ids: Ids
  readonly clock: Clock
  readonly random: Random
  readonly key: () => Promise<InstallationKey>
}

/** An endpoint of an owner, and who changes it. */
interface Changing {
  readonly ownerId: string
  readonly by?: Actor
}

interface RegisterCommand extends Changing {
  readonly url: string
  /** Null subscribes to all kinds. */
  readonly events: readonly SubscribableKind[] | null
  readonly description: string | null
}

/** The only place that returns the secret. */
type RegisterOutcome =
  | { readonly kind: 'registered'; readonly webhook: Webhook; readonly secret: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'exists' }

type RotateOutcome =
  | {
      readonly kind: 'rotated'
      readonly webhook: Webhook
      readonly secret: string
      readonly overlapEndsAtMs: number
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'too_often' }

interface Announced {
  readonly eventId: EventId
  readonly createdAtMs: number
}

/** A delivery with the body that an attempt would send now; null if its subject no longer exists. */
interface DeliveryWithBody {
  readonly delivery: Delivery
  readonly body: string | null
}

/** The acts of people on endpoints are entries of the log; those of a key on its own are not. */
export interface Webhooks {
  register(command: RegisterCommand): Promise<RegisterOutcome>
  remove(changing: Changing, webhookId: string): Promise<boolean>
  rotateSecret(changing: Changing, webhookId: string): Promise<RotateOutcome>
  /** Null if there is no such endpoint. */
  test(changing: Changing, webhookId: string): Promise<Announced | null>
  /** Null if there is no such delivery. */
  delivery(ownerId: string, webhookId: string, eventId: EventId): Promise<DeliveryWithBody | null>
  resend(changing: Changing, webhookId: string, eventId: EventId): Promise<ResendResult | null>
  /** Sends again what was dropped or suspended in that time; the number of events, or null without such an endpoint. */
  resendAll(changing: Changing, webhookId: string, range: TimeRange): Promise<number | null>
}

interface TimeRange {
  readonly sinceMs: number
  /** Null for now. */
  readonly untilMs: number | null
}

export function createWebhooks(deps: WebhookDeps): Webhooks {
  return { ...endpointWork(deps), ...deliveryWork(deps) }
}

const endpointsOf = ({ store }: WebhookDeps, ownerId: string) => store.forOwner(ownerId).webhooks

/** None for a key. */
function actOf(
  deps: WebhookDeps,
  { ownerId, by }: Changing,
  what: { readonly kind: ActKind; readonly subject: string; readonly detail?: Act['detail'] },
): Act | undefined {
  if (by?.kind !== 'person') return undefined
  return actsBy(by.id, deps)({ ...what, detail: { owner_id: ownerId, ...what.detail } })
}

type EndpointWork = Pick<Webhooks, 'register' | 'remove' | 'rotateSecret'>

function endpointWork(deps: WebhookDeps): EndpointWork {
  const { guard, clock, random } = deps
  return {
    async register({ url, events, description, ...changing }) {
      const { ownerId } = changing
      const message = await guard.check(url)
      if (message !== null) return { kind: 'refused', message }
      const href = normalForm(url)
      if (href.length > webhookUrlLengthMax) {
        return {
          kind: 'refused',
          message: `must have at most ${webhookUrlLengthMax} characters after percent-encoding`,
        }
      }
      const secret = generateSecret(random)
      const webhookId = prefixedId(webhookIdPrefix, random)
      const { box } = await deps.key()
      const webhook: NewWebhook = {
        webhookId,
        ownerId,
        url: href,
        events: subscribableKinds.filter((kind) => (events ?? defaultKinds).includes(kind)),
        description,
        secrets: [{ secret: box.seal(secret, webhookId), endsAtMs: null }],
        createdAtMs: clock.nowMs(),
      }
      const act = actOf(deps, changing, { kind: 'webhook.registered', subject: webhookId })
      const inserted = await endpointsOf(deps, ownerId).insert(webhook, webhooksPerOwnerMax, act)
      if (inserted !== 'inserted') return { kind: inserted }
      return {
        kind: 'registered',
        webhook: { ...webhook, failing: null, heldUntilMs: null, suspendedAtMs: null },
        secret,
      }
    },

    remove(changing, webhookId) {
      const act = actOf(deps, changing, { kind: 'webhook.removed', subject: webhookId })
      return endpointsOf(deps, changing.ownerId).remove(webhookId, clock.nowMs(), act)
    },

    async rotateSecret(changing, webhookId) {
      const secret = generateSecret(random)
      const nowMs = clock.nowMs()
      const overlapEndsAtMs = nowMs + secretOverlapMs
      const sealed = (await deps.key()).box.seal(secret, webhookId)
      const added = { secret: sealed, nowMs, overlapEndsAtMs }
      const act = actOf(deps, changing, { kind: 'webhook.secret_rotated', subject: webhookId })
      const changed = await endpointsOf(deps, changing.ownerId).addSecret(webhookId, added, act)
      if (changed === 'unknown') return { kind: 'unknown' }
      if (changed === 'refused') return { kind: 'too_often' }
      return { kind: 'rotated', webhook: changed, secret, overlapEndsAtMs }
    },
  }
}

function deliveryWork(deps: WebhookDeps): Omit<Webhooks, keyof EndpointWork> {
  const { ids, clock } = deps
  return {
    async test(changing, webhookId) {
      const { id, atMs } = ids.next('evt')
      const eventId = eventIdOf(id)
      const event = { eventId, kind: 'webhook.test', createdAtMs: atMs } as const
      const detail = { event_id: eventId }
      const act = actOf(deps, changing, { kind: 'webhook.tested', subject: webhookId, detail })
      const announced = await endpointsOf(deps, changing.ownerId).announce(webhookId, event, act)
      return announced ? { eventId, createdAtMs: atMs } : null
    },

    async delivery(ownerId, webhookId, eventId) {
      const found = await endpointsOf(deps, ownerId).delivery(webhookId, eventId)
      if (found === null) return null
      const { delivery, subject } = found
      const body = subject === null ? null : JSON.stringify(envelopeOf({ ...delivery, subject }))
      return { delivery, body }
    },

    resend(changing, webhookId, eventId) {
      const detail = { event_id: eventId }
      const act = actOf(deps, changing, { kind: 'webhook.event_resent', subject: webhookId, detail })
      const resent = { nowMs: clock.nowMs(), attemptsMax }
      return endpointsOf(deps, changing.ownerId).resend(webhookId, eventId, resent, act)
    },

    async resendAll(changing, webhookId, { sinceMs, untilMs: endMs }) {
      const owned = endpointsOf(deps, changing.ownerId)
      const untilMs = endMs ?? clock.nowMs() + 1
      const detail = { since: iso(sinceMs), until: iso(untilMs) }
      const act = actOf(deps, changing, { kind: 'webhook.events_resent', subject: webhookId, detail })
      if (!(await owned.resume(webhookId, act))) return null
      let queued = 0
      let after: EventId | '' | null = ''
      while (after !== null) {
        const some: ResentSome = await owned.resendSome(webhookId, { sinceMs, untilMs, after, attemptsMax })
        queued += some.queued
        after = some.after
      }
      return queued
    },
  }
}

/**
 * One spelling for what leads to the same place: without a final dot of the name, and without an empty query, whose
 * question mark goes when it is set.
 */
function normalForm(text: string): string {
  const url = new URL(text)
  url.hostname = url.hostname.replace(/\.$/, '')
  if (url.search === '') url.search = ''
  return url.href
}
