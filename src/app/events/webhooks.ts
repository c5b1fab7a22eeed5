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
import type { EndpointGuard, Webhook } from '../ports/webhooks.ts'
import type { Store } from '../ports/store.ts'
import type { InstallationKey } from '../log/installation-key.ts'
import { generateSecret } from './delivery/signature.ts'
import { dayMs } from '../../core/time/durations.ts'

export const webhooksPerOwnerMax = 20
/** A replaced secret continues to sign for this long. */
const secretOverlapMs = dayMs

export interface WebhookDeps {
  readonly store: Store
  readonly guard: EndpointGuard
  readonly ids: Ids
  readonly clock: Clock
  readonly random: Random
  readonly key: () => Promise<InstallationKey>
}

interface RegisterCommand {
  readonly ownerId: string
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

export interface Webhooks {
  register(command: RegisterCommand): Promise<RegisterOutcome>
  remove(ownerId: string, webhookId: string): Promise<boolean>
  rotateSecret(ownerId: string, webhookId: string): Promise<RotateOutcome>
  /** Null if there is no such endpoint. */
  test(ownerId: string, webhookId: string): Promise<Announced | null>
}

export function createWebhooks(deps: WebhookDeps): Webhooks {
  const { store, guard, ids, clock, random } = deps
  const of = (ownerId: string) => store.forOwner(ownerId).webhooks
  return {
    async register({ ownerId, url, events, description }) {
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
      const webhook: Webhook = {
        webhookId,
        ownerId,
        url: href,
        events: subscribableKinds.filter((kind) => (events ?? defaultKinds).includes(kind)),
        description,
        secrets: [{ secret: box.seal(secret, webhookId), endsAtMs: null }],
        createdAtMs: clock.nowMs(),
      }
      const inserted = await of(ownerId).insert(webhook, webhooksPerOwnerMax)
      return inserted === 'inserted' ? { kind: 'registered', webhook, secret } : { kind: inserted }
    },

    remove: (ownerId, webhookId) => of(ownerId).remove(webhookId, clock.nowMs()),

    async rotateSecret(ownerId, webhookId) {
      const secret = generateSecret(random)
      const nowMs = clock.nowMs()
      const overlapEndsAtMs = nowMs + secretOverlapMs
      const sealed = (await deps.key()).box.seal(secret, webhookId)
      const added = { secret: sealed, nowMs, overlapEndsAtMs }
      const changed = await of(ownerId).addSecret(webhookId, added)
      if (changed === 'unknown') return { kind: 'unknown' }
      if (changed === 'refused') return { kind: 'too_often' }
      return { kind: 'rotated', webhook: changed, secret, overlapEndsAtMs }
    },

    async test(ownerId, webhookId) {
      const { id, atMs } = ids.next('evt')
      const eventId = eventIdOf(id)
      const announced = await of(ownerId).announce(webhookId, {
        eventId,
        kind: 'webhook.test',
        createdAtMs: atMs,
      })
      return announced ? { eventId, createdAtMs: atMs } : null
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
