/** A feed's connections: kept for the next question, and no more of them than the file says. */

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { withFeeds } from '../../helpers/peers/feeds.ts'
import { httpFeed, providerBody, type Answering } from '../../helpers/peers/provider.ts'

test('many questions at once go over as many connections as the file allows, and later ones over the same', async () => {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let togetherCount = 2
  // Answers go out in pairs: with one connection only, none ever would.
  const answer: Answering = () => (response) => {
    if (response.socket !== null) sockets.add(response.socket)
    waiting.push(() => response.end(providerBody(1)))
    if (waiting.length >= togetherCount) for (const reply of waiting.splice(0)) reply()
  }
  const spec = (origin: string) => ({
    deadline_ms: 20_000,
    signals: { network_healthy: httpFeed(origin, 'network_healthy', { connections: 2, cache_ms: 0 }) },
  })
  await withFeeds({ answer, spec }, async ({ read, provider }) => {
    const ask = async (amount: number): Promise<void> => {
      assert.equal((await read('network_healthy', { amount })).kind, 'read')
    }
    await Promise.all(Array.from({ length: 12 }, (_, amount) => ask(amount)))
    assert.deepEqual([sockets.size, provider.asked('network_healthy')], [2, 12])
    togetherCount = 1
    for (let amount = 100; amount < 106; amount += 1) await ask(amount)
    assert.deepEqual([sockets.size, provider.asked('network_healthy')], [2, 18])
  })
})
