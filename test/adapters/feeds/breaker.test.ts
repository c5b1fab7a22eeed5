/** A feed that fails again and again is left alone for a while: it is not asked, its signal stays unavailable, and all can see it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaker } from '../../../src/adapters/feeds/breaker.ts'
import { FeedError, type FaultAbout } from '../../../src/adapters/feeds/source.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { gist, withFeeds } from '../../helpers/peers/feeds.ts'
import type { Harness } from '../../helpers/harness.ts'
import {
  calm,
  feedsAt,
  httpFeed,
  startMs,
  text,
  providerBody,
  unwell,
  values,
  withLive,
  type Answering,
  type FeedSpec,
  type FeedsSpec,
  type Question,
  type Reply,
} from '../../helpers/peers/provider.ts'

const signal = 'network_healthy'
/** Longer than any test. */
const forLong = 600_000

const fileWith =
  (breaker: FeedSpec, deadline_ms = 30_000) =>
  (origin: string): FeedsSpec => ({
    ...feedsAt(origin, { [signal]: httpFeed(origin, signal, { breaker }) }),
    deadline_ms,
  })

const healthy = values()

/** The signal's provider does as it is told, the others are well. */
function oneSick() {
  let reply: Reply | null = null
  const answer: Answering = (question: Question) =>
    question.signal === signal && reply !== null ? reply : healthy(question)
  return { answer, tell: (next: Reply | null) => void (reply = next) }
}

test('after so many outages in a row a provider is not asked, and its signal stays unavailable', async () => {
  const { answer, tell } = oneSick()
  const feeds_file = fileWith({ failures: 3, reset_ms: forLong })
  await withLive({ answer, feeds_file }, async ({ harness, provider }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const ask = async (): Promise<unknown[]> => {
      const { status, body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      return [status, body.unavailable_signals]
    }
    tell(text('', 500))
    for (let times = 0; times < 8; times += 1) assert.deepEqual(await ask(), [503, [signal]])
    assert.equal(provider.asked(signal), 3)
    assert.equal(provider.asked('fraud_flags'), 8)
    // That it is well again nobody knows before the time has come to try.
    tell(null)
    assert.deepEqual(await ask(), [503, [signal]])
    assert.equal(provider.asked(signal), 3)
  })
})

test('an answer in between begins the count anew', async () => {
  const { answer, tell } = oneSick()
  await withFeeds(
    { answer, spec: fileWith({ failures: 3, reset_ms: forLong }) },
    async ({ read, provider }) => {
      for (let times = 0; times < 4; times += 1) {
        tell(text('', 500))
        await read(signal)
        await read(signal)
        tell(null)
        assert.equal(gist(await read(signal)), 1_000)
      }
      assert.equal(provider.asked(signal), 12)
    },
  )
})

test('only what says that the provider is unwell opens the breaker, not that it has no good answer', async () => {
  const rows: [what: string, reply: Reply, opens: boolean][] = [
    ['500', text('', 500), true],
    ['503', text('', 503), true],
    ['408', text('', 408), true],
    ['429', text('', 429), true],
    ['302', text('', 302, { location: '/' }), true],
    ['reset', unwell.reset(), true],
    ['cut short', unwell['cut short'](providerBody(1)), true],
    ['oversized', unwell.oversized(providerBody(1)), true],
    ['no JSON', text('{'), true],
    ['400', text('', 400), false],
    ['401', text('', 401), false],
    ['404', text('', 404), false],
    ['422', text('', 422), false],
    ['no value', text('{}'), false],
    ['wrong type', text(providerBody('1')), false],
    ['out of range', text(providerBody(2)), false],
    ['stale', text(providerBody(1, 0)), false],
  ]
  const found: [string, number][] = []
  for (const [what, reply] of rows) {
    const spec = (origin: string): FeedsSpec => {
      const feed = httpFeed(origin, signal, { breaker: { failures: 2, reset_ms: forLong } })
      return { deadline_ms: 30_000, signals: { [signal]: feed } }
    }
    await withFeeds({ answer: () => reply, spec }, async ({ read, provider }) => {
      for (let times = 0; times < 5; times += 1) assert.equal((await read(signal)).kind, 'failed')
      found.push([what, provider.asked(signal)])
    })
  }
  assert.deepEqual(
    found,
    rows.map(([what, , opens]) => [what, opens ? 2 : 5]),
  )
})

test('a hang opens the breaker too, and whoever comes after it does not wait', async () => {
  const { answer, tell } = oneSick()
  await withFeeds(
    { answer, spec: fileWith({ failures: 1, reset_ms: forLong }, 2_000) },
    async ({ read, provider }) => {
      tell(unwell.hanging())
      assert.equal(gist(await read(signal)), 'timeout')
      for (let amount = 0; amount < 20; amount += 1)
        assert.equal(gist(await read(signal, { amount })), 'breaker_open')
      assert.equal(provider.asked(signal), 1)
    },
  )
})

test('after a while one question is a trial: an answer closes the breaker, a failure opens it again', async () => {
  const { answer, tell } = oneSick()
  const spec = fileWith({ failures: 2, reset_ms: 5_000 })
  await withFeeds({ answer, spec }, async ({ read, provider, feeds, clock }) => {
    const state = () => {
      const found = feeds.states().find((one) => one.signal === signal)
      return [found?.breaker, found?.lastFault]
    }
    tell(text('', 500))
    for (let times = 0; times < 2; times += 1) assert.equal(gist(await read(signal)), 'bad_status')
    assert.deepEqual(state(), ['open', 'bad_status'])
    // One failed trial opens it again, and for as long.
    for (let trials = 1; trials <= 3; trials += 1) {
      clock.advance(4_999)
      assert.equal(gist(await read(signal)), 'breaker_open')
      clock.advance(1)
      assert.equal(gist(await read(signal)), 'bad_status')
      assert.equal(gist(await read(signal)), 'breaker_open')
      assert.equal(provider.asked(signal), 2 + trials)
      assert.deepEqual(state(), ['open', 'bad_status'])
    }
    tell(null)
    assert.equal(gist(await read(signal)), 'breaker_open')
    clock.advance(5_000)
    assert.equal(gist(await read(signal)), 1_000)
    assert.deepEqual(state(), ['closed', null])
    // And it takes as many outages as before to open it.
    tell(text('', 500))
    assert.equal(gist(await read(signal)), 'bad_status')
    assert.deepEqual(state(), ['closed', 'bad_status'])
  })
})

test('a wall clock that is set does not hold a breaker open, nor close it', async () => {
  const { answer, tell } = oneSick()
  await withFeeds({ answer, spec: fileWith({ failures: 1, reset_ms: 5_000 }) }, async ({ read, clock }) => {
    tell(text('', 500))
    await read(signal)
    tell(null)
    clock.setWall(startMs + 60_000)
    assert.equal(gist(await read(signal)), 'breaker_open')
    clock.setWall(startMs - 60_000)
    clock.advance(60_000)
    assert.equal(gist(await read(signal)), 1_000)
  })
})

test('while a trial is under way nobody else asks', async () => {
  const held: (() => void)[] = []
  const { answer, tell } = oneSick()
  const spec = fileWith({ failures: 1, reset_ms: 5_000 })
  await withFeeds({ answer, spec }, async ({ read, provider, feeds, clock }) => {
    tell(text('', 500))
    await read(signal)
    tell((response) => void held.push(() => text('', 500)(response)))
    clock.advance(5_000)
    const trial = read(signal, { amount: 0 })
    await provider.reached(signal, 2)
    assert.equal(feeds.states().find((one) => one.signal === signal)?.breaker, 'half_open')
    const others = Array.from({ length: 20 }, (_, amount) => read(signal, { amount: amount + 1 }))
    held.shift()?.()
    assert.equal(gist(await trial), 'bad_status')
    for (const found of await Promise.all(others)) assert.equal(gist(found), 'breaker_open')
    assert.equal(provider.asked(signal), 2)
  })
})

/** A breaker by itself, and work that ends on request. */
function bareBreaker() {
  const clock = new ManualClock()
  const breaker = createBreaker({ failures: 1, resetMs: 5_000 }, clock)
  const start = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const ended = breaker.run(() => promise).then(String, (error: FeedError) => error.fault)
    return {
      answers: async () => (resolve('answered'), ended),
      fails: async (about: FaultAbout) => (reject(new FeedError('bad_status', '', about)), ended),
      ended,
    }
  }
  return { breaker, clock, start }
}

test('requests that wait for a trial go ahead unless it is an outage', async () => {
  for (const end of ['answers', 'fails'] as const) {
    const { breaker, clock, start } = bareBreaker()
    await start().fails('provider')
    clock.advance(5_000)
    const trial = start()
    const other = start()
    assert.equal(breaker.state(), 'half_open')
    await trial[end]('answer')
    assert.equal(breaker.state(), 'closed')
    assert.equal(await other.answers(), 'answered')
  }
})

test('a request that began before the breaker opened changes nothing in it afterwards', async () => {
  const { breaker, clock, start } = bareBreaker()
  const late = Array.from({ length: 4 }, start)
  await late[0]?.fails('provider')
  await late[1]?.answers()
  assert.equal(breaker.state(), 'open')
  clock.advance(5_000)
  const trial = start()
  await late[2]?.fails('provider')
  assert.equal(breaker.state(), 'half_open')
  await trial.answers()
  await late[3]?.fails('provider')
  assert.equal(breaker.state(), 'closed')
})

test('a feed that hangs takes no connection from another, be it at the same provider', async () => {
  const { answer, tell } = oneSick()
  const spec = (origin: string): FeedsSpec => ({
    ...feedsAt(origin, {}, { connections: 1 }),
    deadline_ms: 3_000,
  })
  await withFeeds({ answer, spec }, async ({ feeds, provider, read }) => {
    tell(unwell.hanging())
    const amounts = Array.from({ length: 10 }, (_, amount) => amount)
    const found = await Promise.all(amounts.map((amount) => read('fraud_flags', { amount })))
    assert.ok(found.every(({ kind }) => kind === 'read'))
    assert.equal(provider.asked('fraud_flags'), 10)
    const failing = feeds.states().filter(({ lastFault }) => lastFault !== null)
    assert.deepEqual(
      failing.map((one) => one.signal),
      [signal],
    )
  })
})

test('all signals are asked at once: no provider needs to have answered before another is asked', async () => {
  const held: (() => void)[] = []
  const answer: Answering = (question) => (response) => {
    held.push(() => healthy(question)(response))
    if (held.length === signalNames.length) for (const release of held) release()
  }
  await withLive({ answer }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1 })).body.decision, 'GO')
  })
})

test('that a feed fails, and that it works again, is told once each', async () => {
  const { answer, tell } = oneSick()
  await withFeeds({ answer, spec: fileWith({ failures: 1_000 }) }, async ({ read, turns }) => {
    const heard = () => turns.splice(0).map((turn) => [turn.signal, turn.fault])
    await read(signal)
    assert.deepEqual(heard(), [])
    tell(text('', 500))
    for (let times = 0; times < 3; times += 1) await read(signal)
    assert.deepEqual(heard(), [[signal, 'bad_status']])
    tell(text('{'))
    for (let times = 0; times < 3; times += 1) await read(signal)
    assert.deepEqual(heard(), [[signal, 'unreadable']])
    tell(null)
    for (let times = 0; times < 3; times += 1) await read(signal)
    assert.deepEqual(heard(), [[signal, null]])
  })
})

/** What the service tells of the feed, in its three places. */
async function seen({ get }: Harness, key: string) {
  const feeds = (await get(null, '/api/v1/status/signals')).body.available.feeds
  const live = feeds.find((one: { feed: string }) => one.feed === `live:${signal}`).live
  const corridor = (await get(key, '/api/v1/corridors/GB-NG')).body
  const feed = corridor.feeds.find((one: { signal: string }) => one.signal === signal)
  const { checklist } = (await get(null, '/api/v1/readiness')).body
  const item = checklist.find((one: { item: string }) => one.item === 'live_feeds')
  return {
    status: [live.status, live.breaker, live.last_fault],
    corridor: [feed.status, feed.breaker, feed.fault, corridor.live_signals],
    readiness: [item.status, item.detail],
  }
}

test('how a feed is doing shows in the status of the signals, in the corridor and in the readiness', async () => {
  const { answer, tell } = oneSick()
  await withLive(
    { answer, feeds_file: fileWith({ failures: 2, reset_ms: forLong }) },
    async ({ harness }) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      assert.deepEqual(await seen(harness, key), {
        status: ['not_read_yet', 'closed', null],
        corridor: ['fresh', 'closed', null, 7],
        readiness: [
          'ready',
          '2 of 2 live corridors have a feed for each of the 7 signals, and the last read of each succeeded.',
        ],
      })
      tell(text('', 500))
      await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      const { status, corridor, readiness } = await seen(harness, key)
      assert.deepEqual(status, ['failing', 'open', 'bad_status'])
      assert.deepEqual(corridor, ['unavailable', 'open', 'breaker_open', 6])
      assert.equal(readiness[0], 'not_available')
      assert.match(readiness[1], /failing: network_healthy \(bad_status, breaker open\)/)
    },
  )
})

test('whatever time a provider tells, the status of the signals can be shown', async () => {
  const times: [format: string, at: unknown][] = [
    ['age_s', 1e15],
    ['age_s', 1e300],
    ['epoch_s', 0],
    ['epoch_ms', 1e300],
    ['iso8601', '0000-01-01T00:00:00Z'],
  ]
  for (const [format, at] of times) {
    const answer: Answering = ({ signal: asked }) =>
      text(JSON.stringify({ value: calm[asked as keyof typeof calm], at }))
    const feeds_file = (origin: string): FeedsSpec =>
      feedsAt(origin, {}, { observed_at: { pointer: '/at', format } })
    await withLive({ answer, feeds_file }, async ({ harness }) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1 })).status, 503)
      for (const path of ['/api/v1/status/signals', '/api/v1/corridors/GB-NG', '/api/v1/readiness']) {
        assert.equal((await harness.get(key, path)).status, 200, `${path} after ${format} ${String(at)}`)
      }
    })
  }
})

test('what a live feed said is shown only to the owner whose payment it was about', async () => {
  const answer: Answering = ({ signal: asked }) =>
    text(providerBody(asked === 'fraud_flags' ? 7 : asked === 'historical_failure_rate' ? 0.0377 : 0.8377))
  assert.ok(calm.network_healthy !== 0.8377)
  await withLive({ answer }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    for (const path of [
      '/api/v1/status/signals',
      '/api/v1/readiness',
      '/api/v1/cip/status',
      '/api/health',
      '/metrics',
    ]) {
      const { status, text: shown } = await harness.get(null, path)
      assert.equal(status, 200, path)
      // Sizes and durations of the process may have any digits.
      const figures =
        path === '/metrics' ? shown.split('\n').filter((line) => line.includes('signal=')) : [shown]
      assert.notEqual(figures.length, 0)
      assert.doesNotMatch(figures.join('\n'), /837|0\.03[78]/, path)
    }
    const { body } = await harness.get(null, '/api/v1/status/signals')
    const live = body.available.feeds.filter((one: { source: string }) => one.source === 'live')
    assert.equal(live.length, 7)
    for (const one of live) {
      assert.deepEqual([one.last_observation, one.observations], [null, []])
      assert.equal(one.live.last_observed_at, '2026-03-01T12:00:00.000Z')
    }
  })
})
