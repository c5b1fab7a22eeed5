/** The health of a declared corridor: as verify would decide, with each partner's own feeds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Harness } from '../../helpers/harness.ts'
import { feedsAt, httpFeed, text, withLive, type FeedsSpec } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'

const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key

test('partners are in the order of verify, the recommended one is that of verify, and left-out ones come last', async () => {
  await withLive({ answer: networks({ alpha: 0.9 }), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const page = async (amount: number) => {
      const { body } = await harness.get(key, `/api/v1/corridors/GB-KE?amount=${amount}`)
      const rows = body.partners as { partner: string; decision: string | null; available: boolean }[]
      const { body: verified } = await harness.verify(key, { corridor: 'GB-KE', amount })
      assert.equal(body.recommended_partner, verified.recommended_partner)
      return rows.map((row) => `${row.partner} ${row.decision} ${row.available}`)
    }
    assert.deepEqual(await page(1_000), ['beta GO true', 'alpha GO true'])
    assert.deepEqual(await page(20_001), ['beta GO true', 'alpha null false'])
  })
})

test('a corridor none of whose partners can be read is impaired, with the signals that are missing', async () => {
  await withLive({ answer: () => text('', 500), feeds_file: worldAt }, async ({ harness }) => {
    const { body } = await harness.get(await liveKey(harness), '/api/v1/corridors/GB-KE')
    assert.deepEqual([body.status, body.live_signals, body.recommended_partner], ['IMPAIRED', 0, null])
    assert.deepEqual(
      body.partners.map((row: { unavailable_signals: string[] }) => row.unavailable_signals.length),
      [7, 7],
    )
  })
})

test("a partner's row shows its own feed, with its own breaker", async () => {
  const feeds_file = (origin: string): FeedsSpec => {
    const own = (partner: string) => ({
      network_healthy: httpFeed(origin, 'network_healthy', {
        url: `${origin}/network_healthy/${partner}`,
        breaker: { failures: 1, reset_ms: 600_000 },
      }),
    })
    return {
      ...feedsAt(origin),
      corridors: { 'GB-GH': { signals: own('ghana') }, 'GB-KE': { partners: ['alpha', 'beta'] } },
      partners: { alpha: { signals: own('alpha') }, beta: { signals: own('beta') } },
    }
  }
  const well = networks()
  const answer = (question: Parameters<typeof well>[0]) =>
    question.partner === 'beta' ? text('', 500) : well(question)
  await withLive({ answer, feeds_file }, async ({ harness }) => {
    const key = await liveKey(harness)
    await harness.get(key, '/api/v1/corridors/GB-KE')
    const { body } = await harness.get(key, '/api/v1/corridors/GB-KE')
    const networkOf = (partner: string) => {
      const row = body.partners.find((one: { partner: string }) => one.partner === partner)
      return row.feeds.find(({ signal }: { signal: string }) => signal === 'network_healthy')
    }
    assert.deepEqual([networkOf('alpha').status, networkOf('alpha').breaker], ['fresh', 'closed'])
    assert.deepEqual([networkOf('beta').fault, networkOf('beta').breaker], ['breaker_open', 'open'])
    const { body: ghana } = await harness.get(key, '/api/v1/corridors/GB-GH')
    assert.equal(
      ghana.feeds.find(({ signal }: { signal: string }) => signal === 'network_healthy').breaker,
      'closed',
    )
  })
})

test('every feed that is used is listed for live keys alone, and one that is overridden everywhere holds nothing up', async () => {
  const feeds_file = (origin: string): FeedsSpec => {
    const { corridors: _all, ...world } = worldAt(origin)
    return { ...world, corridors: { 'GB-KE': { partners: ['alpha', 'beta'] } } }
  }
  await withLive({ answer: networks(), feeds_file }, async ({ harness }) => {
    const key = await liveKey(harness)
    await harness.get(key, '/api/v1/corridors/GB-KE')
    const { body } = await harness.get(key, '/api/v1/feeds')
    assert.deepEqual(
      body.feeds.map((feed: { signal: string; partner: string | null; status: string }) => [
        `${feed.signal} ${feed.partner ?? ''}`.trim(),
        feed.status,
      ]),
      [
        ['fraud_flags', 'healthy'],
        ['balance_sufficient', 'healthy'],
        ['fx_volatility', 'healthy'],
        ['operation_valid', 'healthy'],
        ['historical_failure_rate', 'healthy'],
        ['cop_overridden', 'healthy'],
        ['network_healthy alpha', 'healthy'],
        ['network_healthy beta', 'healthy'],
      ],
    )
    const { body: readiness } = await harness.get(null, '/api/v1/readiness')
    const item = readiness.checklist.find((one: { item: string }) => one.item === 'live_feeds')
    assert.equal(item.status, 'ready', item.detail)
    assert.deepEqual((await harness.get((await harness.issue()).key, '/api/v1/feeds')).body, { feeds: [] })
    // Neither public page names a partner.
    const { text: publicStatus } = await harness.get(null, '/api/v1/status/signals')
    const { text: figures } = await harness.get(null, '/metrics')
    assert.doesNotMatch(publicStatus + figures + JSON.stringify(readiness), /alpha|beta|GB-KE/)
  })
})
