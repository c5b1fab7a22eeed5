/** A slow or dead receiver harms nobody. */

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { laneLimits } from '../../../../src/core/events/delivery-lanes.ts'
import { withHarness, type Harness } from '../../../helpers/harness.ts'
import { post } from '../../../helpers/post.ts'
import { openTestReceiver, type TestReceiver } from '../../../helpers/peers/receiver.ts'
import { another } from '../../../helpers/webhooks.ts'

const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true', FAIRWAY_LIMIT_KEYED: '100000/60' }
/** Nobody runs out of it here: what is looked at is who has which place. */
const receiverTimeoutMs = 600_000
const owners = 25
const endpointsEach = 20

/** A receiver that never answers, and a way to wait until it was asked so often. */
async function openHanging(): Promise<{ receiver: TestReceiver; asked: (count: number) => Promise<void> }> {
  const arrivals = new EventEmitter()
  const receiver = await openTestReceiver(() => {
    arrivals.emit('arrival')
    return 'hang'
  })
  return {
    receiver,
    async asked(count) {
      while (receiver.requests.length < count) await once(arrivals, 'arrival')
    },
  }
}

async function register(harness: Harness, key: string, url: string): Promise<string> {
  const { body } = await post(harness, '/api/v1/webhooks', { url: another(url) }, { key })
  return body.webhook_id
}

/** A decision whose events are in the outbox. */
async function decide(harness: Harness, key: string): Promise<void> {
  await harness.verify(key, { corridor: 'GB-NG' })
  await harness.journal.passed('webhooks')
}

test('500 endpoints that hang do not keep an event from a healthy one, and each has only its own place', async () => {
  const { receiver: hanging, asked } = await openHanging()
  const arrivals = new EventEmitter()
  const healthy = await openTestReceiver(() => {
    arrivals.emit('arrival')
    return 200
  })
  await withHarness({ settings, receiverTimeoutMs }, async (harness) => {
    const keys = await Promise.all(Array.from({ length: owners }, () => harness.issue()))
    for (const { key } of keys) {
      for (let endpoint = 0; endpoint < endpointsEach; endpoint += 1)
        await register(harness, key, hanging.url)
      // Three events for each endpoint: one is under way, two wait on disk.
      for (let event = 0; event < 3; event += 1) await decide(harness, key)
    }
    await asked(owners * endpointsEach)
    const { key } = await harness.issue()
    const webhookId = await register(harness, key, healthy.url)
    for (let event = 1; event <= 50; event += 1) {
      await decide(harness, key)
      while (healthy.requests.length < event) await once(arrivals, 'arrival')
    }
    assert.equal(
      hanging.requests.length,
      owners * endpointsEach,
      'none of those that hang has ended, and none has a second',
    )
    const { body } = await harness.get(key, `/api/v1/webhooks/${webhookId}/deliveries`)
    assert.equal(body.length, 50)
    await hanging.close()
  })
  await healthy.close()
})

test('of 500 endpoints whose hosts keep failing one is tried for each owner and host, and nobody else waits', async () => {
  let reaction: 500 | 'hang' = 500
  const arrivals = new EventEmitter()
  const failing = await openTestReceiver(() => {
    arrivals.emit('arrival')
    return reaction
  })
  const healthy = await openTestReceiver(() => {
    arrivals.emit('arrival')
    return 200
  })
  await withHarness({ settings, receiverTimeoutMs }, async (harness) => {
    const keys = await Promise.all(Array.from({ length: owners }, () => harness.issue()))
    for (const { key } of keys) {
      for (let endpoint = 0; endpoint < endpointsEach; endpoint += 1)
        await register(harness, key, failing.url)
      await decide(harness, key)
    }
    await harness.deliver()
    assert.equal(failing.requests.length, owners * endpointsEach)
    reaction = 'hang'
    harness.clock.advance(60_000)
    for (const { key } of keys) await decide(harness, key)
    while (failing.requests.length < owners * (endpointsEach + 1)) await once(arrivals, 'arrival')
    const { key } = await harness.issue()
    await register(harness, key, healthy.url)
    for (let event = 1; event <= 50; event += 1) {
      await decide(harness, keys[event % owners]?.key ?? '')
      await decide(harness, key)
      while (healthy.requests.length < event) await once(arrivals, 'arrival')
    }
    assert.equal(failing.requests.length, owners * (endpointsEach + 1))
    assert.deepEqual(new Set(healthy.requests.map(({ json }) => json.attempt)), new Set([1]))
    await failing.close()
  })
  await healthy.close()
})

test('however many wait, no more are under way than there are places, and what waits is on disk', async () => {
  const { receiver: hanging, asked } = await openHanging()
  await withHarness({ settings, receiverTimeoutMs }, async (harness) => {
    const ownersMany = 45
    for (let owner = 0; owner < ownersMany; owner += 1) {
      const { key } = await harness.issue()
      for (let endpoint = 0; endpoint < endpointsEach; endpoint += 1)
        await register(harness, key, hanging.url)
      await decide(harness, key)
    }
    await asked(laneLimits.heldMax)
    await decide(harness, (await harness.issue()).key)
    assert.equal(hanging.requests.length, laneLimits.heldMax, `of ${ownersMany * endpointsEach}`)
    await hanging.close()
  })
})

test('one endpoint has at most its own places under way, however much is due for it', async () => {
  let isFirst = true
  const arrivals = new EventEmitter()
  const receiver = await openTestReceiver(() => {
    arrivals.emit('arrival')
    if (!isFirst) return 'hang'
    isFirst = false
    return 200
  })
  await withHarness({ settings, receiverTimeoutMs }, async (harness) => {
    const { key } = await harness.issue()
    await register(harness, key, receiver.url)
    await Promise.all(Array.from({ length: 200 }, () => decide(harness, key)))
    while (receiver.requests.length < 1 + laneLimits.inFlightMax) await once(arrivals, 'arrival')
    await decide(harness, key)
    assert.equal(receiver.requests.length, 1 + laneLimits.inFlightMax)
    await receiver.close()
  })
})
