/** GET /metrics: what the figures say of requests, decisions, limits, store, log and feeds is what has happened. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { acceptNewKey } from '../../../src/app/log/installation-key.ts'
import { testKey } from '../../helpers/installation-key.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { samplesIn } from '../../helpers/samples.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { register, trial } from '../../helpers/webhooks.ts'

async function samplesOf(harness: Harness): Promise<Record<string, number>> {
  // What lies in the database is told again for a second.
  harness.clock.advance(1_000)
  return samplesIn((await harness.get(null, '/metrics')).text)
}

const decisions = (verdict: string, source: string): string =>
  `fairway_decisions_total{verdict="${verdict}",mode="shadow",source="${source}"}`

test('decisions are counted by verdict and by how the answer came about, holds apart', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const once = { headers: { 'idempotency-key': 'one' } }
    await harness.verify(key, { corridor: 'GB-NG', amount: 100 }, once)
    await harness.verify(key, { corridor: 'GB-NG', amount: 100 }, once)
    await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    await harness.verify(key, { corridor: 'GB-NG', amount: 100 })
    await harness.verify(key, { corridor: 'NG-GB', amount: 100.09 })
    const samples = await samplesOf(harness)
    assert.equal(samples[decisions('GO', 'computed')], 1)
    assert.equal(samples[decisions('GO', 'replay')], 1)
    assert.equal(samples[decisions('NO-GO', 'computed')], 1)
    assert.equal(samples[decisions('NO-GO', 'cooldown')], 1)
    assert.equal(samples['fairway_decisions_held_total{mode="shadow",reason="SIGNALS_UNAVAILABLE"}'], 1)
    assert.equal(samples['fairway_cooldowns_open'], 1)
    assert.equal(samples['fairway_records'], 3)
    assert.equal(samples['fairway_store_duration_seconds_count{operation="look"}'], 5)
    assert.equal(samples['fairway_store_duration_seconds_count{operation="commit"}'], 3)
    harness.clock.advance(90_000)
    assert.equal((await samplesOf(harness))['fairway_cooldowns_open'], 0)
  })
})

test('requests are counted by the pattern of their route and the class of their status, and no caller makes a new label', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 1, windowMs: 60_000 } })
    const one = await harness.verify(key, { corridor: 'GB-NG' })
    await harness.verify(key, { corridor: 'GB-NG' })
    await harness.get(key, `/api/v1/audit/${one.body.request_id}`)
    const before = await samplesOf(harness)
    for (let path = 0; path < 50; path += 1) {
      await harness.get(key, `/api/v1/audit/unknown-${path}`)
      await harness.get(null, `/nothing/here/${path}`)
    }
    for (const method of ['PUT', 'PROPFIND', 'LINK'] as const) {
      await harness.send({ method, url: '/api/v1/verify' })
    }
    const after = await samplesOf(harness)
    const requests = (method: string, route: string, status: string): string =>
      `fairway_http_requests_total{method="${method}",route="${route}",status="${status}"}`
    assert.equal(after[requests('POST', '/api/v1/verify', '2xx')], 1)
    assert.equal(after[requests('POST', '/api/v1/verify', '4xx')], 1)
    assert.equal(after[requests('other', '/api/v1/verify', '4xx')], 3)
    assert.equal(after[requests('GET', '/api/v1/audit/:request_id', '2xx')], 1)
    assert.equal(after[requests('GET', '/api/v1/audit/:request_id', '4xx')], 50)
    assert.equal(after[requests('GET', '(none)', '4xx')], 50)
    assert.equal(after['fairway_rate_limited_total{limit="verify"}'], 1)
    const added = Object.keys(after).filter((name) => before[name] === undefined)
    assert.deepEqual(
      added.filter((name) => name.startsWith('fairway_http_requests_total')).length,
      4,
      added.join('\n'),
    )
  })
})

for (const engine of engines) {
  test(`the log and the outbox are told as they are in the database (${engine})`, async () => {
    const receiver = await openTestReceiver(() => 500)
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const quiet = await samplesOf(harness)
      assert.equal(quiet['fairway_store_up'], 1)
      assert.equal(quiet['fairway_outbox_pending'], 0)
      assert.equal(quiet['fairway_outbox_oldest_age_seconds'], 0)
      assert.equal(quiet['fairway_log_checkpoint_age_seconds'], undefined)
      await register(harness, key, receiver.url)
      await Promise.all(Array.from({ length: 7 }, () => harness.verify(key, { corridor: 'GB-NG' })))
      const waiting = await samplesOf(harness)
      assert.equal(waiting['fairway_log_waiting'], 7)
      assert.equal(waiting['fairway_log_size'], 0)
      await harness.seal()
      await harness.journal.passed('webhooks')
      harness.clock.advance(41_000)
      const sealed = await samplesOf(harness)
      assert.equal(sealed['fairway_log_waiting'], 0)
      assert.equal(sealed['fairway_log_size'], 7)
      assert.equal(sealed['fairway_log_backlog'], 0)
      assert.equal(sealed['fairway_log_checkpoint_age_seconds'], 42)
      assert.equal(sealed['fairway_outbox_pending'], 7)
      assert.equal(sealed['fairway_outbox_oldest_age_seconds'], 43)
      assert.equal(sealed['fairway_log_key_change_age_seconds'], undefined, 'the first key is no change')
      const deps = {
        ...harness,
        random: systemRandom,
        ...testKey,
        keys: [Buffer.alloc(32, 1).toString('base64')],
      }
      await acceptNewKey(deps, { by: 'ada', reference: 'CHANGE-7' })
      harness.clock.advance(5_000)
      assert.equal((await samplesOf(harness))['fairway_log_key_change_age_seconds'], 6)
    })
    await receiver.close()
  })
}
