/** Timers and signals of the TypeScript client: a call ends by either, and leaves none behind. */

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { FairwayClient } from '../../client/src/index.ts'
import { decided, failureOf, ManualWorld, refused, withScript, wordOf } from '../helpers/peers/scripted.ts'

const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }

test('one try has what is left of the time, and no more than its own', async () => {
  const world = new ManualWorld()
  const tried: number[] = []
  const { after } = world.runtime
  const runtime = {
    ...world.runtime,
    after: (ms: number, work: () => void) => {
      tried.push(ms)
      return after?.(ms, work) ?? (() => undefined)
    },
  }
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url }) => {
    await failureOf(world.client(url, { runtime, totalTimeoutMs: 11_500 }).verify(payment))
    assert.deepEqual(tried, [10_000, 10_000, 8_500, 4_500])
  })
})

test('a try that takes too long is given up, and tried again', async () => {
  const world = new ManualWorld()
  await withScript(['hang', decided()], async ({ url, came }) => {
    const result = world.client(url).verify(payment)
    await came(1)
    assert.deepEqual(
      world.timers.map(({ ms }) => ms),
      [10_000],
    )
    world.timers[0]?.work()
    assert.equal(wordOf(await result), 'GO')
    assert.deepEqual(world.timers, [], 'no timer is left')
  })
})

test('an aborted signal ends it at once with its reason: before, while it is asked, while it waits', async () => {
  const reason = new Error('the caller went home')
  await withScript(['hang'], async ({ url, asked, came }) => {
    const client = new FairwayClient({ baseUrl: url, apiKey: 'pk_test_any' })
    const before = await failureOf(client.verify(payment, { signal: AbortSignal.abort(reason) }))
    assert.equal(before, reason)
    assert.equal(asked.length, 0)
    const during = new AbortController()
    const failed = failureOf(client.verify(payment, { signal: during.signal }))
    await came(1)
    during.abort(reason)
    assert.equal(await failed, reason)
    assert.equal(asked.length, 1)
  })
  await withScript([refused(429, 'RATE_LIMITED', { 'retry-after': '50' })], async ({ url, asked, came }) => {
    const waiting = new AbortController()
    const client = new FairwayClient({ baseUrl: url, apiKey: 'pk_test_any' })
    const failed = failureOf(client.verify(payment, { signal: waiting.signal }))
    await came(1)
    setImmediate(() => waiting.abort(reason))
    assert.equal(await failed, reason)
    assert.equal(asked.length, 1)
  })
})

test('a signal that is used for many calls gathers no listeners', async () => {
  await withScript([refused(500, 'INTERNAL_ERROR'), decided()], async ({ url }) => {
    const { signal } = new AbortController()
    const client = new ManualWorld().client(url)
    for (let call = 0; call < 3; call += 1) await client.verify(payment, { signal })
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})
