/** GET /metrics: figures for the operator, as Prometheus reads them, and of nobody's payments. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { samplesIn } from '../../helpers/samples.ts'
import { ask, degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

async function samplesOf(harness: Harness): Promise<Record<string, number>> {
  const { status, headers, text } = await harness.get(null, '/metrics')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  return samplesIn(text)
}

const attempts = (outcome: string): string => `fairway_webhook_attempts_total{outcome="${outcome}"}`
const dropped = 'fairway_webhook_events_dropped_total'

test('deliveries are counted by how each attempt ended, and what was dropped once', async () => {
  let status = 200
  const receiver = await openTestReceiver(() => status)
  const settings = { ...trial, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1' }
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    await register(harness, key, receiver.url)
    assert.equal((await samplesOf(harness))[dropped], 0)
    await override(harness, key, await degraded(harness, key))
    await harness.deliver()
    status = 500
    await harness.verify(key, { corridor: 'GB-NG' })
    await harness.deliver()
    harness.clock.advance(1_000)
    await harness.deliver()
    await receiver.close()
    for (let attempt = 3; attempt <= 6; attempt += 1) {
      harness.clock.advance(1_000)
      await harness.deliver()
    }
    const samples = await samplesOf(harness)
    assert.equal(samples[attempts('delivered')], 2)
    assert.equal(samples[attempts('refused')], 2)
    assert.equal(samples[attempts('connection_failed')], 3)
    assert.equal(samples[dropped], 1)
  })
})

test('the figures hold no key, secret, id, address or amount, and need no key', async () => {
  const receiver = await openTestReceiver()
  await withHarness({ settings: trial }, async (harness) => {
    const { key, record } = await harness.issue()
    const { webhook_id: id, secret } = await register(harness, key, receiver.url)
    const requestId = await degraded(harness, key, { amount: 13_579.24, correlation_id: 'order-7' })
    await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
    await harness.deliver()
    await receiver.close()
    await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
    await harness.deliver()
    const { text } = await harness.get(null, '/metrics')
    const inner = [key, record.keyId, record.ownerId, id, secret, requestId, receiver.url, '127.0.0.1']
    for (const one of [...inner, '13579', 'order-7', 'US-MX', 'whsec_']) {
      assert.ok(!text.includes(one), one)
    }
  })
})

test('the figures are read with GET alone, and are no part of the published contract', async () => {
  await withHarness({}, async ({ send, get }) => {
    const answer = await send({ method: 'POST', url: '/metrics' })
    assert.equal(answer.status, 405)
    assert.equal(answer.headers['allow'], 'GET, HEAD')
    assert.equal((await get(null, '/openapi.json')).body.paths['/metrics'], undefined)
  })
})
