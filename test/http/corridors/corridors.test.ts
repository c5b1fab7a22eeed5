/** GET /api/v1/corridors/{corridor}: health that moves with the signals. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames, type Readings, type SignalName } from '../../../src/core/decision/signals.ts'
import { readingsWith } from '../../helpers/check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { feedsOf } from '../../helpers/live.ts'
import { rowCounts } from '../../helpers/post.ts'

const url = (corridor: string, query = ''): string => `/api/v1/corridors/${corridor}${query}`

const noData = { status: 'NO_DATA', risk_value: null, signals: [] }

test('the status moves with the signals: a larger payment finds the corridor in a worse state', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    const rows: [query: string, status: string][] = [
      ['', 'OPERATIONAL'],
      ['?amount=15000', 'OPERATIONAL'],
      ['?amount=85000', 'DEGRADED'],
      ['?amount=500000', 'IMPAIRED'],
    ]
    for (const [query, status] of rows) {
      const { body } = await get(key, url('GB-NG', query))
      assert.equal(body.status, status, query)
      assert.equal(body.corridor_supported, true)
      assert.deepEqual([body.data_environment, body.live_signals], ['simulation', 0])
      assert.deepEqual(Object.keys(body.signals), ['fx', 'network', 'settlement', 'liquidity', 'compliance'])
    }
    const { body } = await get(key, url('GB-NG', '?amount=500000'))
    assert.deepEqual(body.signals.liquidity, {
      status: 'CRITICAL',
      risk_value: 0.2,
      signals: ['balance_sufficient'],
    })
    assert.match(body.advisory, /^For payments of 500,000 GBP, GB-NG is impaired: .*partner liquidity/)
    assert.deepEqual([body.amount, body.currency], [500_000, 'GBP'])
  })
})

test('a live key sees the live signals, as they turn, and what cannot be read is told as such', async () => {
  let now: Readings | SignalName = readingsWith({})
  await withHarness({ feeds: feedsOf(() => now) }, async ({ issue, get }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    const look = async () => (await get(key, url('GB-NG'))).body
    assert.equal((await look()).status, 'OPERATIONAL')
    now = readingsWith({ network_healthy: 300 })
    const degraded = await look()
    assert.deepEqual([degraded.status, degraded.live_signals], ['DEGRADED', 7])
    assert.equal(degraded.signals.network.status, 'ELEVATED')
    now = readingsWith({ network_healthy: 100 })
    assert.equal((await look()).status, 'IMPAIRED')
    now = 'network_healthy'
    const blind = await look()
    assert.deepEqual([blind.status, blind.data_environment, blind.live_signals], ['IMPAIRED', 'mixed', 6])
    assert.deepEqual(blind.signals.network, noData)
    assert.match(blind.advisory, /settlement network cannot be read, so live decisions are on hold/)
    const shadow = await issue()
    assert.equal((await get(shadow.key, url('GB-NG'))).body.live_signals, 0)
  })
})

test('without any feed a live key sees no signals, never simulated ones, and that decisions are on hold', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    const { body } = await get(key, url('GB-NG'))
    assert.deepEqual([body.status, body.data_environment, body.live_signals], ['IMPAIRED', 'mixed', 0])
    assert.equal(
      body.advisory,
      'GB-NG cannot be assessed: none of its signals can be read from a live feed, so live decisions are on hold.',
    )
    for (const bucket of Object.values<object>(body.signals)) assert.deepEqual(bucket, noData)
    assert.deepEqual(
      body.feeds.map((feed: { signal: string; status: string; fault: string }) => [
        feed.signal,
        feed.status,
        feed.fault,
      ]),
      signalNames.map((signal) => [signal, 'unavailable', 'no_feed']),
    )
  })
})

test('an unsupported corridor has no signals for a live key, with feeds or without', async () => {
  for (const feeds of [undefined, feedsOf(() => readingsWith({}))]) {
    await withHarness(feeds === undefined ? {} : { feeds }, async ({ issue, get }) => {
      const { key } = await issue({ prefix: 'pk_live_' })
      const { body } = await get(key, url('GB-KE'))
      assert.deepEqual(
        [body.status, body.data_environment, body.live_signals, body.feeds],
        ['DEGRADED', 'mixed', 0, []],
      )
      assert.match(body.advisory, /no data for GB-KE/)
      for (const bucket of Object.values<object>(body.signals)) assert.deepEqual(bucket, noData)
    })
  }
})

test('an open cooldown is shown while verify repeats its NO-GO, to its own owner, mode and corridor alone', async () => {
  await withHarness({ feeds: feedsOf(() => readingsWith({})) }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const stranger = await harness.issue({ prefix: 'pk_live_' })
    const shadow = await harness.issue()
    const cooldownOf = async (asker: string, corridor = 'GB-NG'): Promise<unknown> =>
      (await harness.get(asker, url(corridor))).body.cooldown
    assert.equal(await cooldownOf(key), null)
    const { body: blocked } = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    harness.clock.advance(89_999)
    assert.deepEqual(await cooldownOf(key), {
      source_request_id: blocked.request_id,
      expires_at: '2026-03-01T12:01:30.000Z',
    })
    assert.equal(await cooldownOf(key, 'NG-GB'), null)
    assert.equal(await cooldownOf(stranger.key), null)
    assert.equal(await cooldownOf(shadow.key), null)
    harness.clock.advance(1)
    assert.equal(await cooldownOf(key), null)
  })
})

test('an unsupported corridor is 200 with an honest advisory and no figures', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const corridor of ['GB-KE', 'XX-YY', 'NG-NG']) {
      const { status, body } = await get(key, url(corridor))
      assert.equal(status, 200)
      assert.deepEqual([body.corridor_supported, body.status, body.live_signals], [false, 'DEGRADED', 0])
      assert.match(body.advisory, new RegExp(`no data for ${corridor}`))
      for (const bucket of Object.values<object>(body.signals)) {
        assert.deepEqual(bucket, noData)
      }
    }
  })
})

test('every spelling that verify takes is taken, and anything else is 400', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const spelling of [
      'gb-ng',
      'UK-NG',
      'GBR-NGA',
      'United%20Kingdom-Nigeria',
      'united_kingdom-nigeria',
    ]) {
      assert.equal((await get(key, url(spelling))).body.corridor, 'GB-NG', spelling)
    }
    for (const spelling of ['GBNG', 'GB-', '-', 'G1-NG', '%00', '%ff', 'x'.repeat(3_000), 'GB-NG-GB']) {
      const { status, body } = await get(key, url(spelling))
      assert.equal(status, 400, spelling)
      assert.equal(body.code, 'INVALID_REQUEST')
      assert.equal(body.errors[0].path, '/corridor')
    }
    for (const query of ['?amount=-1', '?amount=abc', '?amount=1e3', '?amount=1e400', '?amount=']) {
      assert.equal((await get(key, url('GB-NG', query))).status, 400, query)
    }
    const huge = await get(key, url('GB-NG', `?amount=${'9'.repeat(20)}`))
    assert.deepEqual(huge.body.errors, [{ path: '/amount', message: 'must be at most 1000000000000000' }])
    assert.equal((await get(null, url('GB-NG'))).status, 401)
  })
})

test('an amount is all that can be asked: whatever else is in the query is ignored', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const amount of ['amount=1000', 'amount=85000']) {
      const plain = await get(key, url('GB-NG', `?${amount}`))
      for (const more of ['currency=JPY', 'currency=ABC', 'currency=', 'colour=blue', 'mode=live']) {
        const { status, body } = await get(key, url('GB-NG', `?${amount}&${more}`))
        assert.deepEqual([status, body], [200, plain.body], more)
      }
    }
  })
})

test('looking stores nothing, sets no cooldown, and test amounts do not act', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const { body } = await harness.get(key, url('GB-NG', '?amount=1000.08'))
    assert.equal(body.status, 'OPERATIONAL')
    await harness.get(key, url('GB-NG', '?amount=600000'))
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1 })).body.decision, 'GO')
  })
})
