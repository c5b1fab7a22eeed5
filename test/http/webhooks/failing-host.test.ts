/** What one owner's events may cost a host that fails. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const delaysMs = [60_000, 300_000, 900_000, 1_800_000]

async function registerMany(harness: Harness, key: string, url: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    ids.push((await register(harness, key, `${url}/${place}`)).webhook_id)
  }
  return ids
}

for (const engine of engines) {
  test(`one decision and 20 endpoints of one failing host are 24 requests, not 100, and every event ends (${engine})`, async () => {
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const ids = await registerMany(harness, key, receiver.url, 20)
          await degraded(harness, key)
          await harness.deliver()
          assert.equal(receiver.requests.length, 20)
          for (const [retry, delayMs] of delaysMs.entries()) {
            harness.clock.advance(delayMs)
            await harness.deliver()
            assert.equal(receiver.requests.length, 20 + retry + 1, 'one attempt shows whether it still fails')
          }
          const errors = new Set<string>()
          for (const id of ids) {
            const [delivery] = (await harness.get(key, `${webhooksUrl}/${id}/deliveries`)).body
            assert.equal(delivery.status, 'dropped')
            assert.deepEqual(
              delivery.attempts.map(({ attempt }: { attempt: number }) => attempt),
              [1, 2, 3, 4, 5],
            )
            for (const { error } of delivery.attempts) errors.add(String(error))
          }
          assert.deepEqual([...errors].toSorted(), ['host_failing', 'null'])
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
