/** Freshness counts when it is decided: what was fresh when it came may not be so when the last one has come. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calm,
  feedsAt,
  httpFeed,
  startMs,
  text,
  providerBody,
  withLive,
  type Answering,
  type FeedsSpec,
} from '../../helpers/peers/provider.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import type { ManualClock } from '../../helpers/clock.ts'

/** Every feed may be an hour old but for the network, which may be a second. */
const impatient = (origin: string): FeedsSpec =>
  feedsAt(
    origin,
    { network_healthy: httpFeed(origin, 'network_healthy', { max_age_s: 1 }) },
    { max_age_s: 3_600 },
  )

test('a signal that grows stale while another is waited for is named, and nothing is decided', async () => {
  let clock: ManualClock | null = null
  let networkAnswered = Promise.withResolvers<void>()
  let takesMs = 0
  const answer: Answering = ({ signal }) => {
    const body = providerBody(calm[signal as SignalName], clock?.nowMs() ?? startMs)
    if (signal === 'network_healthy') {
      return (response) => {
        text(body)(response)
        response.on('finish', () => networkAnswered.resolve())
      }
    }
    if (signal !== 'cop_overridden') return text(body)
    // The payee is confirmed after the network has spoken, and time goes by.
    return (response) => {
      void networkAnswered.promise.then(() => {
        clock?.advance(takesMs)
        return text(providerBody(calm.cop_overridden, clock?.nowMs()))(response)
      })
    }
  }
  await withLive({ answer, feeds_file: impatient }, async ({ harness }) => {
    ;({ clock } = harness)
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    for (const [ms, status] of [
      [1_000, 200],
      [1_001, 503],
    ] as const) {
      takesMs = ms
      networkAnswered = Promise.withResolvers<void>()
      const answered = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
      assert.equal(answered.status, status, answered.text)
      if (status === 503) assert.deepEqual(answered.body.unavailable_signals, ['network_healthy'])
    }
    takesMs = 1_001
    networkAnswered = Promise.withResolvers<void>()
    const { body } = await harness.get(key, '/api/v1/corridors/GB-NG')
    const network = body.feeds.find((feed: { signal: string }) => feed.signal === 'network_healthy')
    assert.deepEqual([body.status, network.status, network.fault], ['IMPAIRED', 'unavailable', 'stale'])
  })
})

test('feeds that nobody has read yet are not ready, and are once they were read', async () => {
  await withLive(
    { answer: ({ signal }) => text(providerBody(calm[signal as SignalName])) },
    async ({ harness }) => {
      const look = async () => {
        const { body } = await harness.get(null, '/api/v1/readiness')
        return body.checklist.find((one: { item: string }) => one.item === 'live_feeds')
      }
      const before = await look()
      assert.equal(before.status, 'not_available')
      for (const signal of signalNames) assert.ok(before.detail.includes(`${signal} (not read yet)`), signal)
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 10 })).status, 200)
      assert.equal((await look()).status, 'ready')
    },
  )
})
