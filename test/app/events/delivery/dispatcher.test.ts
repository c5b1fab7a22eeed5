/** The dispatcher beside a real store, with a network that does as it is told: leases, stops, and a store that fails. */

import { leafHashes } from '../../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { openStore } from '../../../../src/adapters/store/open.ts'
import { systemRandom } from '../../../../src/adapters/system.ts'
import {
  Dispatcher,
  type DeliveryObserver,
  type DispatcherDeps,
} from '../../../../src/app/events/delivery/dispatcher.ts'
import { createIds } from '../../../../src/app/verify/ids.ts'
import { StoreUnavailable, type Store } from '../../../../src/app/ports/store.ts'
import type { Outbox, OutboxTurn, SendOutcome, WebhookSender } from '../../../../src/app/ports/webhooks.ts'
import { createWebhooks, type Webhooks } from '../../../../src/app/events/webhooks.ts'
import { leaseMs, leaseNeededMs } from '../../../../src/core/events/retry-schedule.ts'
import { ManualClock } from '../../../helpers/clock.ts'
import { freshDatabase } from '../../../helpers/database/databases.ts'
import { keyOf } from '../../../helpers/installation-key.ts'
import { another } from '../../../helpers/webhooks.ts'

interface Sent {
  readonly eventId: string
  readonly attempt: string
  readonly answer: (outcome: SendOutcome) => void
}

const taken: SendOutcome = { kind: 'answered', status: 200 }

/** Keeps what is sent until the test answers it. */
class HeldNetwork implements WebhookSender {
  readonly sent: Sent[] = []
  readonly #arrivals = new EventEmitter()
  /** What is sent is answered at once with this, where it is set. */
  reflex: SendOutcome | null = null

  send({ headers }: Parameters<WebhookSender['send']>[0]): Promise<SendOutcome> {
    return new Promise((resolve) => {
      this.sent.push({
        eventId: headers['webhook-id'] ?? '',
        attempt: headers['x-svc-attempt'] ?? '',
        answer: resolve,
      })
      if (this.reflex !== null) resolve(this.reflex)
      this.#arrivals.emit('arrival')
    })
  }

  async has(count: number): Promise<void> {
    while (this.sent.length < count) await once(this.#arrivals, 'arrival')
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

interface Fixture {
  readonly store: Store
  readonly clock: ManualClock
  readonly webhooks: Webhooks
  readonly network: HeldNetwork
  readonly told: string[]
  /** Registers an endpoint and gives its id. */
  readonly endpoint: (ownerId: string) => Promise<string>
  readonly dispatcher: (outbox?: Outbox, sender?: WebhookSender) => Dispatcher
}

async function withStore(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const database = await freshDatabase('sqlite')
  const clock = new ManualClock()
  const random = systemRandom
  const { store } = await openStore({
    leafHashes,
    databaseUrl: database.url,
    clock,
    onFault: () => {},
  })
  const key = keyOf(store, clock)
  const guard = { check: () => Promise.resolve(null) }
  const webhooks = createWebhooks({ store, guard, ids: createIds({ clock, random }), clock, random, key })
  const network = new HeldNetwork()
  const told: string[] = []
  try {
    await work({
      store,
      clock,
      webhooks,
      network,
      told,
      async endpoint(ownerId) {
        const url = another('https://receiver.example/')
        const outcome = await webhooks.register({ ownerId, url, events: null, description: null })
        return outcome.kind === 'registered' ? outcome.webhook.webhookId : assert.fail(outcome.kind)
      },
      dispatcher: (outbox = store.outbox, sender = network) =>
        createDispatcher(key, { outbox, sender, clock, observer: observerOf(told) }),
    })
  } finally {
    await store.close()
    await database.drop()
  }
}

function createDispatcher(
  key: DispatcherDeps['key'],
  deps: Pick<DispatcherDeps, 'outbox' | 'sender' | 'clock' | 'observer'>,
): Dispatcher {
  const retryDelaysMs = [60_000, 60_000, 60_000, 60_000]
  const defer = (job: () => void): void => void setImmediate(job)
  return new Dispatcher({ ...deps, tracing: null, key, random: systemRandom, retryDelaysMs, defer })
}

function observerOf(told: string[]): DeliveryObserver {
  return {
    attempted: () => {},
    dropped: () => told.push('dropped'),
    abandoned: () => told.push('abandoned'),
    interrupted: () => told.push('interrupted'),
    resumed: () => told.push('resumed'),
    suspended: () => told.push('suspended'),
    failed: (_delivery, error) => told.push(String(error)),
  }
}

/** An outbox whose turns fail while it is told so. */
function failing(outbox: Outbox, isDown: () => boolean): Outbox {
  return {
    ...outbox,
    turn: (turn) => (isDown() ? Promise.reject(new StoreUnavailable('down')) : outbox.turn(turn)),
    waiting: (asked) => (isDown() ? Promise.reject(new StoreUnavailable('down')) : outbox.waiting(asked)),
  }
}

test('nothing is sent under a lease that could end before the attempt does', async () => {
  await withStore(async ({ store, clock, webhooks, network, endpoint, dispatcher }) => {
    const claimedAtMs = new Map<string, number>()
    const watched: Outbox = {
      ...store.outbox,
      async turn(turn: OutboxTurn) {
        const result = await store.outbox.turn(turn)
        for (const { eventId } of result.claimed) claimedAtMs.set(eventId, turn.nowMs)
        return result
      },
    }
    const webhookId = await endpoint('own_a')
    await webhooks.test({ ownerId: 'own_a' }, webhookId)
    const running = dispatcher(watched)
    await running.sweep()
    await network.has(1)
    for (let event = 0; event < 70; event += 1) await webhooks.test({ ownerId: 'own_a' }, webhookId)
    network.sent[0]?.answer(taken)
    await network.has(33)
    // 32 are under way and as many wait behind them; their lease is nearly over when the first ones end.
    clock.advance(leaseMs - leaseNeededMs + 1)
    const ages: number[] = []
    for (const one of network.sent.slice(1)) one.answer(taken)
    for (let seen = 33; seen < 71; seen += 1) {
      await network.has(seen + 1)
      const { eventId, answer } = network.sent[seen] ?? assert.fail()
      ages.push(clock.nowMs() - (claimedAtMs.get(eventId) ?? 0))
      answer(taken)
    }
    await running.settled()
    assert.deepEqual(
      ages,
      ages.map(() => 0),
      'each was claimed anew',
    )
    assert.equal(new Set(network.sent.map((one) => one.eventId)).size, 71)
    assert.equal(network.sent.length, 71, 'and sent once')
  })
})

test('a stop lets what is under way end, records it, and gives the rest to others at once', async () => {
  await withStore(async ({ webhooks, network, endpoint, dispatcher }) => {
    const webhookId = await endpoint('own_a')
    await webhooks.test({ ownerId: 'own_a' }, webhookId)
    const first = dispatcher()
    await first.sweep()
    await network.has(1)
    for (let event = 0; event < 50; event += 1) await webhooks.test({ ownerId: 'own_a' }, webhookId)
    network.sent[0]?.answer(taken)
    await network.has(33)
    const stopping = first.stop()
    for (const one of network.sent.slice(1)) one.answer(taken)
    await stopping
    assert.equal(network.sent.length, 33, 'nothing more is sent')

    const others = new HeldNetwork()
    others.reflex = taken
    const second = dispatcher(undefined, others)
    await second.sweep()
    await second.settled()
    const all = [...network.sent, ...others.sent].map((one) => one.eventId)
    assert.equal(others.sent.length, 18)
    assert.equal(new Set(all).size, 51, 'each was sent once')
  })
})

test('a stop ends although the store does not answer', async () => {
  await withStore(async ({ store, webhooks, network, endpoint, dispatcher, told }) => {
    let isDown = false
    await webhooks.test({ ownerId: 'own_a' }, await endpoint('own_a'))
    const running = dispatcher(failing(store.outbox, () => isDown))
    await running.sweep()
    await network.has(1)
    isDown = true
    const stopping = running.stop()
    network.sent[0]?.answer(taken)
    await stopping
    assert.deepEqual(told, ['interrupted'])
  })
})

test('what ended while the store was away is recorded when it is back, and not sent again; it is told once each way', async () => {
  await withStore(async ({ store, clock, webhooks, network, endpoint, dispatcher, told }) => {
    let isDown = false
    const webhookId = await endpoint('own_a')
    await webhooks.test({ ownerId: 'own_a' }, webhookId)
    const running = dispatcher(failing(store.outbox, () => isDown))
    await running.sweep()
    await network.has(1)
    isDown = true
    network.sent[0]?.answer(taken)
    for (let sweep = 0; sweep < 5; sweep += 1) await running.sweep()
    clock.advance(leaseMs * 2)
    isDown = false
    await running.sweep()
    await running.settled()
    await running.sweep()
    await running.settled()
    assert.equal(network.sent.length, 1)
    assert.deepEqual(told, ['interrupted', 'resumed'])
    const asked = { limit: 5, before: null, ended: null }
    const [delivery] = (await store.forOwner('own_a').webhooks.deliveries(webhookId, asked)) ?? []
    assert.deepEqual([delivery?.state, delivery?.attempts.length], ['delivered', 1])
  })
})

test('however many endpoints have something due, the sweeps find them all', async () => {
  await withStore(async ({ webhooks, network, endpoint, dispatcher }) => {
    for (let owner = 0; owner < 55; owner += 1) {
      for (let one = 0; one < 20; one += 1)
        await webhooks.test({ ownerId: `own_${owner}` }, await endpoint(`own_${owner}`))
    }
    network.reflex = taken
    const running = dispatcher()
    await running.sweep()
    await running.settled()
    assert.ok(network.sent.length < 1_100, 'a sweep is bounded')
    await running.sweep()
    await running.settled()
    assert.equal(network.sent.length, 1_100)
  })
})
