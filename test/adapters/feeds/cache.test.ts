/** A feed's answer serves further questions for its stated lifetime, questions at once are one, and failures serve nobody. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorOf, currencyOf } from '../../helpers/check.ts'
import { gist, withFeeds } from '../../helpers/peers/feeds.ts'
import {
  httpFeed,
  startMs,
  text,
  providerBody,
  withLive,
  type FeedSpec,
  type FeedsSpec,
  type Reply,
} from '../../helpers/peers/provider.ts'

const signal = 'network_healthy'
const fileWith =
  (more: FeedSpec) =>
  (origin: string): FeedsSpec => ({
    deadline_ms: 30_000,
    signals: { [signal]: httpFeed(origin, signal, more) },
  })

test('one request serves all within the lifetime of an answer, and none after it', async () => {
  await withFeeds({ spec: fileWith({ cache_ms: 5_000 }) }, async ({ read, provider, clock }) => {
    for (let times = 0; times < 10; times += 1) assert.equal(gist(await read(signal)), 1_000)
    assert.equal(provider.questions.length, 1)
    clock.advance(4_999)
    await read(signal)
    assert.equal(provider.questions.length, 1)
    clock.advance(1)
    await read(signal)
    assert.equal(provider.questions.length, 2)
  })
})

test('the lifetime goes by time that passes: a wall clock that is set back does not prolong it', async () => {
  await withFeeds(
    { spec: fileWith({ cache_ms: 5_000, observed_at: undefined }) },
    async ({ read, provider, clock }) => {
      await read(signal)
      clock.advance(5_000)
      clock.setWall(startMs)
      await read(signal)
      assert.equal(provider.questions.length, 2)
    },
  )
})

test('without a lifetime every question is asked', async () => {
  await withFeeds({ spec: fileWith({ cache_ms: 0 }) }, async ({ read, provider }) => {
    for (let times = 1; times <= 3; times += 1) {
      await read(signal)
      assert.equal(provider.questions.length, times)
    }
  })
})

test('an answer from the cache keeps the time at which it was observed, and its latency', async () => {
  await withFeeds({ spec: fileWith({ cache_ms: 60_000 }) }, async ({ read, clock }) => {
    const first = await read(signal)
    clock.advance(30_000)
    assert.deepEqual(await read(signal), first)
    assert.equal(first.kind === 'read' && first.observedAtMs, startMs)
  })
})

test('questions at once are one request to the provider, and all get its answer', async () => {
  const waiting: (() => void)[] = []
  const answer = (): Reply => (response) => void waiting.push(() => text(providerBody(0.5))(response))
  await withFeeds({ answer, spec: fileWith({}) }, async ({ read, provider }) => {
    const many = Array.from({ length: 50 }, () => read(signal))
    await provider.reached(signal, 1)
    const more = Array.from({ length: 50 }, () => read(signal))
    waiting.shift()?.()
    const found = await Promise.all([...many, ...more])
    assert.deepEqual(new Set(found.map(gist)), new Set([500]))
    assert.equal(provider.questions.length, 1)
  })
})

test('questions at once share a failure too, and the next one is asked anew', async () => {
  const waiting: ((reply: Reply) => void)[] = []
  const answer = (): Reply => (response) => void waiting.push((reply) => reply(response))
  await withFeeds({ answer, spec: fileWith({ cache_ms: 60_000 }) }, async ({ read, provider }) => {
    const many = Array.from({ length: 20 }, () => read(signal))
    await provider.reached(signal, 1)
    waiting.shift()?.(text('', 500))
    assert.deepEqual(new Set((await Promise.all(many)).map(gist)), new Set(['bad_status']))
    const next = read(signal)
    await provider.reached(signal, 2)
    waiting.shift()?.(text(providerBody(0.5)))
    assert.equal(gist(await next), 500)
  })
})

test('another amount, corridor or currency is another question', async () => {
  const url = (origin: string): string => `${origin}/${signal}?c={corridor}&a={amount}&u={currency}`
  const kinds: ((origin: string) => FeedSpec)[] = [
    (origin) => ({ url: url(origin) }),
    () => ({ method: 'POST' }),
  ]
  for (const more of kinds) {
    const spec = (origin: string): FeedsSpec => fileWith({ cache_ms: 60_000, ...more(origin) })(origin)
    await withFeeds({ spec }, async ({ read, provider }) => {
      const queries = [
        {},
        { amount: 2 },
        { amount: null },
        { corridor: corridorOf('NG-GB') },
        { currency: currencyOf('NGN') },
      ]
      for (let times = 0; times < 2; times += 1) for (const query of queries) await read(signal, query)
      assert.equal(provider.questions.length, queries.length)
    })
  }
})

test('what the address does not hold makes no other question', async () => {
  const spec = (origin: string): FeedsSpec =>
    fileWith({ cache_ms: 60_000, url: `${origin}/${signal}` })(origin)
  await withFeeds({ spec }, async ({ read, provider }) => {
    for (const query of [{}, { amount: 2 }, { corridor: corridorOf('NG-GB') }]) await read(signal, query)
    assert.equal(provider.questions.length, 1)
  })
})

test('a failure is never kept: the next question is asked anew', async () => {
  const rows: [fault: string, reply: Reply][] = [
    ['bad_status', text('', 500)],
    ['unreadable', text('{')],
    ['no_value', text('{}')],
    ['out_of_range', text(providerBody(2))],
    ['wrong_type', text(providerBody('1'))],
    ['stale', text(providerBody(1, startMs - 300_001))],
  ]
  for (const [fault, reply] of rows) {
    let now = reply
    await withFeeds(
      { answer: () => now, spec: fileWith({ cache_ms: 60_000 }) },
      async ({ read, provider }) => {
        assert.equal(gist(await read(signal)), fault)
        now = text(providerBody(0.5))
        assert.equal(gist(await read(signal)), 500, fault)
        assert.equal(provider.questions.length, 2)
      },
    )
  }
})

test('an answer that has grown too old within its lifetime is asked for anew', async () => {
  let observedAtMs = startMs
  const answer = (): Reply => text(providerBody(0.5, observedAtMs))
  await withFeeds(
    { answer, spec: fileWith({ cache_ms: 600_000, max_age_s: 60 }) },
    async ({ read, clock, provider }) => {
      await read(signal)
      clock.advance(60_001)
      observedAtMs = clock.nowMs()
      assert.equal(gist(await read(signal)), 500)
      assert.equal(provider.questions.length, 2)
    },
  )
})

test('an answer from the cache says nothing of how the provider is doing now', async () => {
  let now = text(providerBody(0.5))
  await withFeeds(
    { answer: () => now, spec: fileWith({ cache_ms: 60_000 }) },
    async ({ read, feeds, turns }) => {
      await read(signal, { amount: 1 })
      now = text('', 500)
      for (let times = 0; times < 3; times += 1) {
        assert.equal(gist(await read(signal, { amount: 2 })), 'bad_status')
        assert.equal(gist(await read(signal, { amount: 1 })), 500)
        assert.equal(feeds.states()[0]?.lastFault, 'bad_status')
      }
      assert.deepEqual(
        turns.map(({ fault }) => fault),
        ['bad_status'],
      )
    },
  )
})

test('the cache has an end: the oldest question makes room, and the newest are kept', async () => {
  await withFeeds({ spec: fileWith({ cache_ms: 60_000 }) }, async ({ read, provider }) => {
    const cachedMax = 1_000
    for (let from = 0; from <= cachedMax; from += 143) {
      const amounts = Array.from({ length: Math.min(143, cachedMax + 1 - from) }, (_, place) => from + place)
      await Promise.all(amounts.map((amount) => read(signal, { amount })))
    }
    assert.equal(provider.questions.length, cachedMax + 1)
    await read(signal, { amount: cachedMax })
    await read(signal, { amount: 500 })
    assert.equal(provider.questions.length, cachedMax + 1)
    const oldest = provider.questions[0]?.amount ?? null
    await read(signal, { amount: oldest })
    assert.equal(provider.questions.length, cachedMax + 2)
  })
})

test('payments at once are one question of each feed that does not ask for the amount', async () => {
  const feeds_file = (origin: string): FeedsSpec => {
    const constant = (value: number): FeedSpec => ({ source: 'constant', value })
    return {
      deadline_ms: 30_000,
      signals: {
        fraud_flags: constant(0),
        network_healthy: httpFeed(origin, signal, {
          url: `${origin}/${signal}?c={corridor}`,
          cache_ms: 5_000,
        }),
        balance_sufficient: constant(1),
        fx_volatility: constant(1),
        operation_valid: constant(1),
        historical_failure_rate: constant(0),
        cop_overridden: constant(1),
      },
    }
  }
  await withLive({ feeds_file }, async ({ harness, provider }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const amounts = Array.from({ length: 30 }, (_, amount) => amount)
    const answers = await Promise.all(
      amounts.map((amount) => harness.verify(key, { corridor: 'GB-NG', amount })),
    )
    assert.ok(answers.every(({ status, body }) => status === 200 && body.decision === 'GO'))
    assert.equal(provider.questions.length, 1)
  })
})
