/** GET /api/v1/readiness and GET /api/v1/status/signals: looked up, never a static list. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness, type HarnessOptions } from '../../helpers/harness.ts'
import { observeFeeds } from '../../helpers/observations.ts'
import { feedsOf, simulatedFeeds } from '../../helpers/live.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { ask, publicUrl, register, webhooksUrl } from '../../helpers/webhooks.ts'

const onlyFx = feedsOf((query) => simulate(query), ['fx_volatility'])

interface Item {
  readonly item: string
  readonly status: string
  readonly detail: string
}

const items = [
  'store_reachable',
  'migrations_current',
  'durable_commits',
  'records_write_once',
  'shared_store',
  'api_keys_active',
  'live_keys_active',
  'captcha_configured',
  'tls_proxy_trusted',
  'rate_limits_in_force',
  'cooldown_in_force',
  'webhooks_configured',
  'webhook_addresses_guarded',
  'live_feeds',
  'corridor_probe',
  'telemetry_quality_gate',
]

async function readiness({ get }: Harness) {
  const { status, body } = await get(null, '/api/v1/readiness')
  assert.equal(status, 200)
  return body
}

async function itemOf(harness: Harness, name: string): Promise<Item> {
  const { checklist } = await readiness(harness)
  return (checklist as Item[]).find(({ item }) => item === name) ?? assert.fail(`${name} is missing`)
}

const statusOf = async (harness: Harness, name: string): Promise<string> =>
  (await itemOf(harness, name)).status

for (const engine of engines) {
  test(`sixteen items, counted as they are, without a key (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const body = await readiness(harness)
      const checklist = body.checklist as Item[]
      assert.deepEqual(
        checklist.map(({ item }) => item),
        items,
      )
      assert.equal(body.items_total, 16)
      assert.equal(body.enterprise_readiness, checklist.filter(({ status }) => status === 'ready').length)
      for (const { item, detail } of checklist) assert.match(detail, /^[A-Z0-9].*\.$/, item)
      for (const name of ['store_reachable', 'migrations_current', 'durable_commits', 'records_write_once']) {
        assert.equal(await statusOf(harness, name), 'ready', name)
      }
      assert.equal(await statusOf(harness, 'shared_store'), engine === 'postgres' ? 'ready' : 'not_available')
      assert.equal(body.sandbox_capability, 'not_ready', 'nobody has a key')
      await harness.issue()
      assert.equal((await readiness(harness)).sandbox_capability, 'ready')
      assert.equal((await readiness(harness)).production_capability, 'not_ready')
    })
  })

  test(`each item turns when its cause does: keys, webhooks, guards (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      assert.equal(await statusOf(harness, 'api_keys_active'), 'not_available')
      const { key } = await harness.issue()
      assert.equal(await statusOf(harness, 'api_keys_active'), 'ready')
      assert.equal(await statusOf(harness, 'live_keys_active'), 'not_available')
      const live = await harness.issue({ prefix: 'pk_live_' })
      assert.equal(await statusOf(harness, 'live_keys_active'), 'ready')
      await harness.store.keys.revoke(live.record.keyId, harness.clock.nowMs())
      assert.equal(await statusOf(harness, 'live_keys_active'), 'not_available')
      assert.equal(await statusOf(harness, 'webhooks_configured'), 'not_available')
      const { webhook_id: id } = await register(harness, key, publicUrl)
      assert.equal(await statusOf(harness, 'webhooks_configured'), 'ready')
      await ask(harness, key, 'DELETE', `${webhooksUrl}/${id}`)
      assert.equal(await statusOf(harness, 'webhooks_configured'), 'not_available')
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run(
          engine === 'sqlite'
            ? 'DROP TRIGGER verifications_no_update'
            : 'ALTER TABLE verifications DISABLE TRIGGER verifications_no_change',
        ),
      )
      assert.equal(await statusOf(harness, 'records_write_once'), 'not_available')
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run("INSERT INTO schema_migrations (number, name, applied_at_ms) VALUES (99, 'later', 0)"),
      )
      const { status, detail } = await itemOf(harness, 'migrations_current')
      assert.equal(status, 'not_available')
      assert.match(detail, /schema 99.*: upgrade this instance, too\.$/)
    })
  })
}

test('each item turns with the setting that it speaks of', async () => {
  const rows: [options: HarnessOptions, item: string, status: string][] = [
    [{}, 'tls_proxy_trusted', 'not_available'],
    [{ settings: { FAIRWAY_TRUST_PROXY: '1' } }, 'tls_proxy_trusted', 'ready'],
    [{}, 'webhook_addresses_guarded', 'ready'],
    [{ settings: { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' } }, 'webhook_addresses_guarded', 'not_available'],
    [{}, 'cooldown_in_force', 'ready'],
    [{ settings: { FAIRWAY_COOLDOWN_S: '0' } }, 'cooldown_in_force', 'not_available'],
    [{}, 'rate_limits_in_force', 'ready'],
    [{ settings: { FAIRWAY_LIMIT_VERIFY: '101/60' } }, 'rate_limits_in_force', 'not_available'],
    [{ settings: { FAIRWAY_LIMIT_VERIFY: '200/120' } }, 'rate_limits_in_force', 'not_available'],
    [{ settings: { FAIRWAY_LIMIT_VERIFY: '50/30' } }, 'rate_limits_in_force', 'ready'],
    [{ settings: { FAIRWAY_LIMIT_VERIFY: '51/30' } }, 'rate_limits_in_force', 'not_available'],
    [{ settings: { FAIRWAY_LIMIT_VERIFY: '100/3600' } }, 'rate_limits_in_force', 'ready'],
    [{}, 'live_feeds', 'not_available'],
    [{ feeds: simulatedFeeds }, 'live_feeds', 'ready'],
    [{ feeds: onlyFx }, 'live_feeds', 'not_available'],
    [{}, 'captcha_configured', 'not_available'],
    [{ settings: { FAIRWAY_RECAPTCHA_SECRET: 'a-secret' } }, 'captcha_configured', 'ready'],
    [{ settings: { FAIRWAY_CIP_PROBE_S: '0' } }, 'corridor_probe', 'not_available'],
  ]
  for (const [options, item, status] of rows) {
    await withHarness(options, async (harness) => {
      assert.equal(await statusOf(harness, item), status, `${item} with ${JSON.stringify(options.settings)}`)
    })
  }
})

test('the probe is ready while it observes, and no longer once it is silent', async () => {
  await withHarness({}, async (harness) => {
    assert.equal(await statusOf(harness, 'corridor_probe'), 'not_available')
    await harness.probe()
    assert.equal(await statusOf(harness, 'corridor_probe'), 'ready')
    harness.clock.advance(180_000)
    assert.equal(await statusOf(harness, 'corridor_probe'), 'ready')
    harness.clock.advance(11_000)
    assert.equal(await statusOf(harness, 'corridor_probe'), 'not_available')
  })
})

test('the probe is ready only while every supported corridor is observed', async () => {
  await withHarness({}, async (harness) => {
    await harness.probe()
    await withDirectDatabase(harness.databaseUrl, ({ run }) =>
      run("UPDATE cip_observations SET observed_at_ms = observed_at_ms - 600000 WHERE corridor = 'NG-GB'"),
    )
    assert.equal(await statusOf(harness, 'corridor_probe'), 'not_available')
  })
})

for (const engine of engines) {
  test(`a store that answers with an error is told of, and not with a 500 (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DROP TABLE cip_days'))
      assert.equal(await statusOf(harness, 'store_reachable'), 'not_available')
    })
  })
}

test('the quality gate is passed after fourteen complete days of observations', async () => {
  await withHarness({}, async (harness) => {
    for (let day = 1; day <= 15; day += 1) {
      await observeFeeds(harness)
      assert.equal(
        await statusOf(harness, 'telemetry_quality_gate'),
        day < 15 ? 'planned' : 'ready',
        String(day),
      )
      harness.clock.advance(86_400_000)
    }
    harness.clock.advance(86_400_000)
    assert.equal(await statusOf(harness, 'telemetry_quality_gate'), 'planned', 'it is out of date now')
  })
})

test('nor is it passed by days of simulated observations, however many', async () => {
  await withHarness({}, async (harness) => {
    for (let day = 1; day <= 16; day += 1) {
      await harness.probe()
      harness.clock.advance(86_400_000)
    }
    await harness.probe()
    assert.equal(await statusOf(harness, 'telemetry_quality_gate'), 'planned')
  })
})

test('while the store is down readiness answers, and says so', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    await harness.issue()
    assert.equal((await readiness(harness)).sandbox_capability, 'ready')
    const gone = new URL(harness.databaseUrl)
    const name = gone.pathname.slice(1)
    gone.pathname = '/postgres'
    await withDirectDatabase(gone.href, ({ run }) => run(`DROP DATABASE ${name} WITH (FORCE)`))
    const body = await readiness(harness)
    const statuses = new Map((body.checklist as Item[]).map(({ item, status }) => [item, status]))
    assert.equal(statuses.get('store_reachable'), 'not_available')
    assert.equal(statuses.get('records_write_once'), 'not_available')
    assert.equal(statuses.get('cooldown_in_force'), 'ready')
    assert.equal(body.sandbox_capability, 'not_ready')
    assert.equal((await harness.get(null, '/api/v1/cip/status')).status, 503)
  })
})

test('the feeds that exist are told with what was last seen of each, and the others as to come', async () => {
  await withHarness({}, async (harness) => {
    const look = async () => (await harness.get(null, '/api/v1/status/signals')).body
    const before = await look()
    assert.equal(before.environment, 'sandbox')
    assert.equal(before.last_updated, '2026-03-01')
    assert.ok(
      before.available.feeds.every((feed: { last_observation: unknown }) => feed.last_observation === null),
    )
    harness.clock.advance(86_400_000)
    await harness.probe()
    const after = await look()
    assert.equal(after.last_updated, '2026-03-02')
    const simulated = after.available.feeds.filter((feed: { source: string }) => feed.source === 'simulation')
    assert.deepEqual(
      simulated.map((feed: { signal: string }) => feed.signal),
      signalNames,
    )
    const seen = (await harness.get((await harness.issue()).key, '/api/v1/corridors/GB-NG?amount=1000')).body
    for (const { signal, last_observation: last } of simulated) {
      assert.equal(last.observed_at, '2026-03-02T12:00:00.000Z')
      if (signal === 'network_healthy') assert.equal(last.risk_value, seen.signals.network.risk_value)
    }
    assert.deepEqual(
      after.roadmap.feeds.map((feed: { signal: string }) => feed.signal),
      signalNames,
    )
    // With live feeds nothing simulated is observed, and only the signals without one are to come.
    const live = await assemble(harness.databaseUrl, harness.clock, { feeds: onlyFx })
    const { body } = await live.get(null, '/api/v1/status/signals')
    await live.close()
    assert.equal(body.environment, 'sandbox')
    assert.ok(
      body.available.feeds.every((feed: { last_observation: unknown }) => feed.last_observation === null),
    )
    assert.deepEqual(
      body.roadmap.feeds.map((feed: { signal: string }) => feed.signal),
      signalNames.filter((signal) => signal !== 'fx_volatility'),
    )
  })
})
