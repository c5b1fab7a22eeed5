/** An outbox with endpoints of one owner, for the tests of the store. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { openStore, type Opened } from '../../../src/adapters/store/open.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import type { ClaimedDelivery, EndedClaim, NewWebhook, OutboxTurn } from '../../../src/app/ports/webhooks.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { eventIdOf, type EventId } from '../../../src/core/events/event.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase, type Engine } from '../../helpers/database/databases.ts'

export const leaseMs = 15_000
export const sound = { heldUntilMs: null, isSuspended: false }
export const pauses = { minMs: 60_000, maxMs: 1_800_000 }

interface Fixture {
  readonly store: Store
  readonly url: string
  readonly clock: ManualClock
  /** Another instance on the same database. */
  readonly again: () => Promise<Store>
  readonly webhook: (webhookId: string) => Promise<void>
  /** Puts so many events on their way. */
  readonly announce: (webhookId: string, count: number) => Promise<EventId[]>
  /** A turn that claims. */
  readonly claim: (
    store: Store,
    webhookId: string,
    count: number,
    lease?: string,
  ) => Promise<readonly ClaimedDelivery[]>
  /** A turn that records. */
  readonly end: (store: Store, ...ended: EndedClaim[]) => Promise<number>
}

export async function withOutbox(engine: Engine, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const database = await freshDatabase(engine)
  const clock = new ManualClock()
  const ids = createIds({ clock, random: systemRandom })
  const opened: Opened[] = []
  const again = async (): Promise<Store> => {
    const one = await openStore({
      leafHashes,
      databaseUrl: database.url,
      clock,
      onFault: () => {},
    })
    opened.push(one)
    return one.store
  }
  const store = await again()
  const turn = (more: Partial<OutboxTurn>): OutboxTurn => ({
    ended: [],
    wanted: [],
    lease: 'a.1',
    nowMs: clock.nowMs(),
    leaseEndsAtMs: clock.nowMs() + leaseMs,
    pauses,
    ...more,
  })
  try {
    await work({
      store,
      url: database.url,
      clock,
      again,
      webhook: async (webhookId) => {
        const inserted = await store.forOwner('own_a').webhooks.insert(webhookWith(webhookId), 20)
        assert.equal(inserted, 'inserted')
      },
      async announce(webhookId, count) {
        const eventIds = Array.from({ length: count }, () => eventIdOf(ids.next('evt').id))
        for (const eventId of eventIds) {
          const event = { eventId, kind: 'webhook.test' as const, createdAtMs: clock.nowMs() }
          assert.ok(await store.forOwner('own_a').webhooks.announce(webhookId, event))
        }
        return eventIds
      },
      claim: async (by, webhookId, count, lease = 'a.1') =>
        (await by.outbox.turn(turn({ wanted: [{ webhookId, count }], lease }))).claimed,
      end: async (by, ...ended) => (await by.outbox.turn(turn({ ended }))).recorded.size,
    })
  } finally {
    for (const one of opened) await one.store.close()
    await database.drop()
  }
}

function webhookWith(webhookId: string): NewWebhook {
  return {
    webhookId,
    ownerId: 'own_a',
    url: `https://receiver.example/${webhookId}`,
    events: ['payment.decision.created'],
    description: null,
    secrets: [{ secret: 'whsec_AAAA', endsAtMs: null }],
    createdAtMs: 0,
  }
}

export function only(claimed: readonly ClaimedDelivery[]): ClaimedDelivery {
  assert.equal(claimed.length, 1)
  return claimed[0] ?? assert.fail()
}

export function delivered(delivery: ClaimedDelivery, atMs: number): EndedClaim {
  const attempt = { number: delivery.attemptNumber, atMs, durationMs: 3, status: 200, fault: null }
  return {
    delivery,
    result: 'delivered',
    state: 'delivered',
    attemptNumber: delivery.attemptNumber,
    dueAtMs: atMs,
    attempts: [attempt],
  }
}

export function failed(delivery: ClaimedDelivery, atMs: number, dueAtMs: number): EndedClaim {
  const attempt = { number: delivery.attemptNumber, atMs, durationMs: 3, status: 500, fault: null }
  const attempts = [...delivery.attempts, attempt]
  return {
    delivery,
    result: 'failed',
    state: 'pending',
    attemptNumber: delivery.attemptNumber + 1,
    dueAtMs,
    attempts,
  }
}
