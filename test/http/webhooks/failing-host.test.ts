/** What one owner's events may cost a host that fails. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

interface Attempt {
  readonly attempt: number
  readonly status_code: number | null
}

interface Delivery {
  readonly event_id: string
  readonly status: string
  readonly attempts: readonly Attempt[]
  readonly next_attempt: { readonly attempt: number; readonly due_at: string } | null
}

async function registerMany(harness: Harness, key: string, url: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    ids.push((await register(harness, key, `${url}/${place}`)).webhook_id)
  }
  return ids
}

/** Lets so many minutes pass, a minute at a time; in each, a failing host has its attempts one after the other. */
async function pass(harness: Harness, receiver: TestReceiver, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    harness.clock.advance(60_000)
    for (let before = -1; before !== receiver.requests.length;) {
      before = receiver.requests.length
      await harness.deliver()
    }
  }
}

const countBy = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(items, nameOf)].map(([name, group]) => [name, group.length]))

for (const engine of engines) {
  test(`each event to 20 endpoints of a failing host has its five attempts, one at a time once the host is known (${engine})`, async () => {
    let [underWay, most] = [0, 0]
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const ids = await registerMany(harness, key, receiver.url, 20)
          await degraded(harness, key)
          await harness.deliver()
          assert.equal(receiver.requests.length, 20)
          most = 0
          await pass(harness, receiver, 120)
          assert.equal(most, 1, 'attempts under way at once')
          for (const id of ids) {
            const [delivery] = (await harness.get(key, `${webhooksUrl}/${id}/deliveries`)).body
            assert.equal(delivery.status, 'dropped')
            assert.deepEqual(
              delivery.attempts.map(({ attempt, status_code: status }: Attempt) => [attempt, status]),
              [1, 2, 3, 4, 5].map((attempt) => [attempt, 500]),
            )
          }
          assert.equal(receiver.requests.length, 100, 'each attempt that is shown was made')
        }),
      async () => {
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        return 500
      },
    )
  })

  test(`of 200 events to an endpoint that is down for an hour none is dropped; they wait, and are caught up at once (${engine})`, async () => {
    let isDown = true
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const { webhook_id: id } = await register(harness, key, receiver.url)
          const deliveriesUrl = `${webhooksUrl}/${id}/deliveries?limit=500`
          for (let made = 0; made < 200; made += 1) await degraded(harness, key)
          await harness.deliver()
          await pass(harness, receiver, 60)
          const waiting: Delivery[] = (await harness.get(key, deliveriesUrl)).body
          assert.deepEqual(
            countBy(waiting, ({ status }) => status),
            { waiting_for_host: 200 },
          )
          for (const { next_attempt: next, attempts } of waiting) {
            assert.equal(next?.attempt, attempts.length + 1)
            assert.ok(Date.parse(next.due_at) > harness.clock.nowMs(), 'the time of the next attempt')
          }
          const { body: shown } = await harness.get(key, `${webhooksUrl}/${id}`)
          assert.deepEqual([shown.health.state, shown.status], ['failing', 'active'])
          const tried = receiver.requests.length
          assert.ok(tried < 80, `${tried} attempts to a host that is down`)
          isDown = false
          await pass(harness, receiver, 32)
          const delivered: Delivery[] = (await harness.get(key, deliveriesUrl)).body
          assert.deepEqual(
            countBy(delivered, ({ status }) => status),
            { delivered: 200 },
          )
          const sent = countBy(receiver.requests, ({ json }) => String(json.event_id))
          for (const { event_id: eventId, attempts } of delivered)
            assert.equal(attempts.length, sent[eventId], 'each attempt that is counted was made')
        }),
      () => (isDown ? 500 : 200),
    )
  })

  test(`a restart does not make a failing host as any other (${engine})`, async () => {
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          await register(harness, key, receiver.url)
          for (let made = 0; made < 60; made += 1) await degraded(harness, key)
          await harness.deliver()
          const before = receiver.requests.length
          const options = { engine, settings: trial }
          const restarted = await assemble(harness.databaseUrl, harness.clock, options)
          try {
            await restarted.deliver()
            assert.equal(receiver.requests.length, before)
            harness.clock.advance(60_000)
            for (const instance of [restarted, harness, restarted]) await instance.deliver()
            assert.equal(receiver.requests.length, before + 1, 'one attempt of both instances')
          } finally {
            await restarted.close()
          }
        }),
      () => 500,
    )
  })
}

test('a host that recovers gets all that is due, and other hosts and owners never wait for it', async () => {
  let status = 500
  await withReceiver(
    (failing) =>
      withReceiver((sound) =>
        withHarness({ settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const stranger = await harness.issue()
          await registerMany(harness, key, failing.url, 19)
          // Another name of the loopback interface is another host.
          await register(harness, key, sound.url.replace('127.0.0.1', 'localhost'))
          await register(harness, stranger.key, failing.url)
          await degraded(harness, key)
          await degraded(harness, key)
          await harness.deliver()
          assert.equal(sound.requests.length, 2)
          const before = failing.requests.length
          await degraded(harness, stranger.key)
          await harness.deliver()
          assert.equal(failing.requests.length, before + 1, "a stranger's events are sent")
          status = 200
          harness.clock.advance(60_000)
          await harness.deliver()
          harness.clock.advance(300_000)
          await harness.deliver()
          const delivered = new Set(
            failing.requests.map(({ json, path }) => `${path} ${json.data.request_id}`),
          )
          assert.equal(delivered.size, 19 * 2 + 1)
          const waiting = await harness.store.outbox.waiting({ after: '', limit: 100 })
          assert.deepEqual(waiting, [])
        }),
      ),
    () => status,
  )
})

test('an endpoint that does not fail gets its events at once, whatever others of its host do', async () => {
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, `${receiver.url}/broken`, { events: ['payment.decision.created'] })
        await register(harness, key, `${receiver.url}/sound`, { events: ['payment.override.created'] })
        const ids: string[] = []
        for (let made = 0; made < 60; made += 1) ids.push(await degraded(harness, key))
        await harness.deliver()
        const sentTo = (path: string) => receiver.requests.filter((one) => one.path === path).length
        const broken = sentTo('/hook/broken')
        assert.ok(broken >= 20 && broken < 60, `${broken} attempts`)
        for (const id of ids.slice(0, 5)) {
          await override(harness, key, id)
          await harness.deliver()
        }
        assert.equal(sentTo('/hook/sound'), 5, 'each at its first attempt')
        harness.clock.advance(60_000)
        await harness.deliver()
        assert.equal(sentTo('/hook/broken'), broken + 1, 'which says nothing of the one that fails')
      }),
    ({ path }) => (path === '/hook/broken' ? 500 : 200),
  )
})

test('an endpoint that failed once gets its turn beside a busy one that is dead, and loses nothing', async () => {
  let isDeploying = true
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, `${receiver.url}/dead`, { events: ['payment.decision.created'] })
        await register(harness, key, `${receiver.url}/sound`, { events: ['payment.override.created'] })
        const ids: string[] = []
        for (let made = 0; made < 30; made += 1) ids.push(await degraded(harness, key))
        await override(harness, key, ids[0] ?? '')
        await harness.deliver()
        isDeploying = false
        await override(harness, key, ids[1] ?? '')
        // The dead one always has something due, and asks first.
        for (let minute = 0; minute < 8; minute += 1) {
          for (let made = 0; made < 10; made += 1) await degraded(harness, key)
          await harness.deliver()
          harness.clock.advance(60_000)
          await harness.deliver()
        }
        const arrived = receiver.requests.filter(({ path }) => path === '/hook/sound')
        const overridden = new Set(arrived.map(({ json }) => String(json.data.request_id)))
        assert.deepEqual([...overridden].toSorted(), ids.slice(0, 2).toSorted())
      }),
    ({ path }) => (path === '/hook/sound' && !isDeploying ? 200 : 500),
  )
})
