/** Live answers are about the live world: nothing simulated stands in for what is not known. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { feedsOf, simulatedFeeds } from '../../helpers/live.ts'
import { errorsOf, post } from '../../helpers/post.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'

const liveKey = async (harness: Harness): Promise<string> => (await harness.issue({ prefix: 'pk_live_' })).key

const worlds = [
  { name: 'no feeds', options: {} },
  { name: 'some feeds', options: { feeds: feedsOf((query) => simulate(query), ['fraud_flags']) } },
  { name: 'all feeds', options: { feeds: simulatedFeeds } },
]

for (const { name, options } of worlds) {
  test(`with ${name}, a live verify of an unsupported corridor is DEGRADED and has no signals`, async () => {
    await withHarness(options, async (harness) => {
      const key = await liveKey(harness)
      const { status, body } = await harness.verify(key, { corridor: 'FR-DE', amount: 900 })
      assert.equal(status, 200)
      assert.deepEqual(
        [body.decision, body.score, body.confidence, body.corridor_supported, body.environment],
        ['DEGRADED', 0, 0, false, 'production'],
      )
      assert.deepEqual(body.reason_codes, ['CORRIDOR_UNSUPPORTED'])
      for (const signal of signalNames) {
        assert.equal(body.signals[signal], null, signal)
        assert.deepEqual(body.probe_details[signal], { signal: 'NO_DATA', risk_value: null })
      }
      const large = await harness.verify(key, { corridor: 'FR-DE', amount: 500_001 })
      assert.deepEqual([large.body.decision, large.body.score], ['NO-GO', 0])

      const id = String(body.request_id)
      const audit = await harness.get(key, `/api/v1/audit/${id}`)
      const explanation = await harness.get(key, `/api/v1/decision/${id}/explanation`)
      const provenance = await harness.get(key, `/api/v1/signals/${id}`)
      const exported = await harness.get(key, `/api/v1/audit/export/${id}`)
      for (const { signal_contributions: shown } of [audit.body]) {
        assert.ok(shown.every((one: { status: string }) => one.status === 'NO_DATA'))
      }
      for (const factor of explanation.body.factors) {
        assert.deepEqual([factor.status, factor.risk_value, factor.contribution], ['NO_DATA', null, 0])
        assert.match(factor.message, /^There is no data on the /)
      }
      for (const signal of provenance.body.signals) {
        assert.deepEqual(
          [signal.source, signal.label, signal.risk_value, signal.confidence],
          ['none', 'NO_DATA', null, 0],
        )
      }
      assert.deepEqual(verifyBundle(exported.text).findings, [])
    })
  })
}

test('a currency that the corridor does not take flags the operation in live mode as in shadow', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 49_999, currency: 'XAU' })
    assert.equal(body.signals.operation_valid, false)
    assert.ok(body.reason_codes.includes('OPERATION_INVALID'), body.reason_codes)
    const shadow = await harness.verify((await harness.issue()).key, {
      corridor: 'GB-NG',
      amount: 49_999,
      currency: 'XAU',
    })
    assert.equal(
      body.probe_details.operation_valid.risk_value,
      shadow.body.probe_details.operation_valid.risk_value,
    )
    for (const currency of ['GBP', 'NGN']) {
      const fine = await harness.verify(key, { corridor: 'NG-GB', amount: 5, currency })
      assert.equal(fine.body.signals.operation_valid, true, currency)
    }
    const id = String(body.request_id)
    assert.deepEqual(verifyBundle((await harness.get(key, `/api/v1/audit/export/${id}`)).text).findings, [])
  })
})

test('a live key without feeds sees that decisions are on hold and why, and nothing simulated', async () => {
  await withHarness({}, async (harness) => {
    const key = await liveKey(harness)
    const held = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    assert.equal(held.status, 503)
    assert.match(held.body.message, /No live feed is set up for .*FAIRWAY_LIVE_FEEDS/)
    for (const corridor of ['GB-NG', 'NG-GB']) {
      const { body } = await harness.get(key, `/api/v1/corridors/${corridor}`)
      assert.deepEqual([body.status, body.live_signals, body.data_environment], ['IMPAIRED', 0, 'mixed'])
      assert.match(
        body.advisory,
        /none of its signals can be read from a live feed, so live decisions are on hold/,
      )
      assert.doesNotMatch(body.advisory, /simulat|OPERATIONAL/)
      for (const bucket of Object.values(body.signals as Record<string, { status: string }>)) {
        assert.equal(bucket.status, 'NO_DATA')
      }
      assert.ok(body.feeds.every((feed: { fault: string }) => feed.fault === 'no_feed'))
    }
    const nowhere = await harness.get(key, '/api/v1/corridors/FR-DE')
    assert.deepEqual([nowhere.body.status, nowhere.body.signals.fx.status], ['DEGRADED', 'NO_DATA'])
    const health = await harness.get(null, '/api/health')
    assert.deepEqual([health.body.mode, health.body.modes], ['shadow', ['shadow']])
    const status = await harness.get(null, '/api/v1/status/signals')
    assert.deepEqual([status.body.modes, status.body.environment], [['shadow'], 'sandbox'])
  })
})

test('an installation with all feeds says that it serves live decisions, and one with some does not', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    assert.deepEqual((await harness.get(null, '/api/health')).body.modes, ['shadow', 'live'])
    const { body } = await harness.get(null, '/api/v1/status/signals')
    assert.deepEqual([body.modes, body.environment], [['shadow', 'live'], 'sandbox'])
  })
  await withHarness({ feeds: feedsOf((query) => simulate(query), ['fraud_flags']) }, async (harness) => {
    assert.deepEqual((await harness.get(null, '/api/health')).body.modes, ['shadow'])
  })
})

test('partners are never ranked by simulated scores for a live key', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const body = { corridor: 'GB-NG', amount: 5, partners: ['Alpha', 'Beta'] }
    const live = await post(harness, '/api/v1/decision/compare', body, { key: await liveKey(harness) })
    assert.equal(live.status, 400)
    const undeclared = 'is not a declared partner: no partner is declared for this corridor'
    assert.deepEqual(errorsOf(live), [
      ['/partners/0', undeclared],
      ['/partners/1', undeclared],
    ])
    const shadow = await post(harness, '/api/v1/decision/compare', body, { key: (await harness.issue()).key })
    assert.deepEqual([shadow.status, shadow.body.mode], [200, 'shadow'])
  })
})

test('test amounts can be switched off: the same amount is then any amount, and its record proves so', async () => {
  const settings = { FAIRWAY_TEST_AMOUNTS: 'false' }
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    for (const ending of [1, 5, 8, 9]) {
      const { status, body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1_000 + ending / 100 })
      assert.deepEqual([status, body.decision, body.reason_codes], [200, 'GO', ['HEALTHY_PARTNER']])
      const exported = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
      assert.deepEqual(verifyBundle(exported.text).findings, [])
      const { body: explained } = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
      assert.doesNotMatch(JSON.stringify(explained), /test amount/)
    }
    const demo = await post(harness, '/api/v1/demo-verify', { amount: 1_000.08 })
    assert.equal(demo.body.decision, 'GO')
  })
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1_000.08 })).body.decision, 'NO-GO')
    const demo = await post(harness, '/api/v1/demo-verify', { amount: 1_000.08 })
    assert.equal(demo.body.decision, 'NO-GO')
    assert.doesNotMatch(demo.body.validation_note, /Shadow mode/)
    assert.match(demo.body.validation_note, /Demo: .* nothing is recorded/)
  })
})
