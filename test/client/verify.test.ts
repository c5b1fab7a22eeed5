/** A verify by the client: retries that cannot decide twice, a hold that is no decision, and ends that always come. */

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import {
  allows,
  ConflictError,
  ConnectionError,
  FairwayClient,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
import {
  decided,
  failureOf,
  ManualWorld,
  refused,
  withScript,
  wordOf,
  type Scripted,
} from '../helpers/peers/scripted.ts'

const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Answers first, then a decision; how long it waited each time. */
async function waitsFor(...answers: Scripted[]): Promise<number[]> {
  const world = new ManualWorld()
  await withScript([...answers, decided()], async ({ url, asked }) => {
    const result = await world.client(url).verify(payment)
    assert.equal(wordOf(result), 'GO')
    assert.equal(asked.length, answers.length + 1)
  })
  return world.waits
}

describe('the idempotency key', () => {
  test('a verify without one gets one, the same at every try and another for every call', async () => {
    const world = new ManualWorld()
    const faults = [refused(500, 'INTERNAL_ERROR'), 'drop', refused(429, 'RATE_LIMITED')] as const
    await withScript([...faults, decided()], async ({ url, asked }) => {
      const client = world.client(url)
      await client.verify(payment)
      const keys = asked.map(({ json }) => json.idempotency_key as string)
      assert.equal(keys.length, 4)
      assert.equal(new Set(keys).size, 1)
      assert.match(keys[0] ?? '', uuidPattern)
      await client.verify(payment)
      assert.notEqual(asked.at(-1)?.json.idempotency_key, keys[0])
    })
  })

  test('the body is the same at every try, byte for byte', async () => {
    await withScript(['drop', 'half', decided()], async ({ url, asked }) => {
      await new ManualWorld().client(url).verify(payment)
      assert.equal(asked.length, 3)
      assert.equal(new Set(asked.map(({ text }) => text)).size, 1)
    })
  })

  test("the caller's own is taken from the options or the body, and must be one", async () => {
    await withScript([decided()], async ({ url, asked }) => {
      const client = new ManualWorld().client(url)
      await client.verify(payment, { idempotencyKey: 'pay-1' })
      await client.verify({ ...payment, idempotency_key: ' pay 2 ' })
      await client.verify({ ...payment, idempotency_key: 'pay-3' }, { idempotencyKey: 'pay-3' })
      assert.deepEqual(
        asked.map(({ json }) => json.idempotency_key),
        ['pay-1', ' pay 2 ', 'pay-3'],
      )
      const both = client.verify({ ...payment, idempotency_key: 'a' }, { idempotencyKey: 'b' })
      await assert.rejects(both, TypeError)
      for (const bad of ['', 'ä', 'a\nb', 'x'.repeat(256)]) {
        await assert.rejects(client.verify(payment, { idempotencyKey: bad }), TypeError, bad)
      }
      assert.equal(asked.length, 3, 'nothing was sent')
    })
  })

  test('a failure tells the key, so that the caller can ask again later', async () => {
    await withScript(['drop'], async ({ url, asked }) => {
      const client = new ManualWorld().client(url, { maxRetries: 0 })
      const error = await failureOf(client.verify(payment))
      assert.ok(error instanceof ConnectionError)
      assert.equal(error.idempotencyKey, asked[0]?.json.idempotency_key)
    })
  })
})

test('retries wait 1, 2, 4 and 8 seconds after faults, and then the fault is told', async () => {
  const world = new ManualWorld()
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
    const error = await failureOf(world.client(url).verify(payment))
    assert.ok(error instanceof ServerError)
    assert.equal(error.attempts, 5)
    assert.equal(asked.length, 5)
    assert.deepEqual(world.waits, [1000, 2000, 4000, 8000])
  })
})

test('retries follow Retry-After first', async () => {
  const limited = refused(429, 'RATE_LIMITED', { 'retry-after': '7' })
  const held = refused(503, 'SIGNALS_UNAVAILABLE', { 'retry-after': '3' }, { unavailable_signals: [] })
  assert.deepEqual(await waitsFor(limited, held, refused(500, 'INTERNAL_ERROR')), [7000, 3000, 4000])
})

test('retries come after lost connections, half answers and the faults of proxies', async () => {
  const proxy = { status: 502, text: '<html>', headers: { 'content-type': 'text/html' } }
  assert.deepEqual(await waitsFor('drop', 'half', proxy, { ...proxy, status: 504 }), [1000, 2000, 4000, 8000])
})

test('retries are not made for what asking again does not mend', async () => {
  for (const status of [400, 401, 403, 404, 409, 413, 415, 422]) {
    await withScript([refused(status, 'ANY'), decided()], async ({ url, asked }) => {
      const error = await failureOf(new ManualWorld().client(url).verify(payment))
      assert.equal((error as ConflictError).status, status)
      assert.equal(asked.length, 1, String(status))
    })
  }
})

test('retries are bounded in number by the call or the client', async () => {
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
    await failureOf(new ManualWorld().client(url).verify(payment, { maxRetries: 1 }))
    assert.equal(asked.length, 2)
    await failureOf(new ManualWorld().client(url, { maxRetries: 0 }).verify(payment))
    assert.equal(asked.length, 3)
  })
})

test('retries are bounded in time: what would end too late is not waited for at all', async () => {
  const world = new ManualWorld()
  await withScript([refused(429, 'RATE_LIMITED', { 'retry-after': '61' })], async ({ url, asked }) => {
    const error = await failureOf(world.client(url).verify(payment))
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.retryAfterSeconds, 61)
    assert.deepEqual(world.waits, [])
    assert.equal(asked.length, 1)
    await failureOf(world.client(url, { maxRetries: 100, totalTimeoutMs: 200_000 }).verify(payment))
    assert.deepEqual(world.waits, [61_000, 61_000, 61_000])
  })
})

test('retries are not begun with less than a second left: what is done then would be told as a timeout', async () => {
  for (const [totalTimeoutMs, tries] of [
    [1999, 1],
    [2000, 2],
  ] as const) {
    await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
      await failureOf(new ManualWorld().client(url, { totalTimeoutMs, maxRetries: 1 }).verify(payment))
      assert.equal(asked.length, tries, String(totalTimeoutMs))
    })
  }
})

test('retries one try has what is left of the time, and no more than its own', async () => {
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

describe('a hold', () => {
  const held = refused(
    503,
    'SIGNALS_UNAVAILABLE',
    { 'retry-after': '120' },
    { unavailable_signals: ['fx_volatility', 'network_healthy'] },
  )

  test('is the result of a 503, with what is known of it, and is not waited out', async () => {
    const world = new ManualWorld()
    await withScript([held], async ({ url, asked }) => {
      const result = await world.client(url).verify(payment, { idempotencyKey: 'pay-1' })
      assert.deepEqual(result, {
        held: true,
        message: 'SIGNALS_UNAVAILABLE it is.',
        code: 'SIGNALS_UNAVAILABLE',
        requestId: 'req_one',
        retryAfterSeconds: 120,
        unavailableSignals: ['fx_volatility', 'network_healthy'],
        signalsWithoutFeed: [],
        idempotencyKey: 'pay-1',
      })
      assert.equal(allows(result), false)
      assert.equal(asked.length, 1)
      assert.deepEqual(world.waits, [])
    })
  })

  test('is waited for where the caller gives the time', async () => {
    const world = new ManualWorld()
    await withScript([held, decided()], async ({ url }) => {
      const result = await world.client(url, { totalTimeoutMs: 300_000 }).verify(payment)
      assert.equal(wordOf(result), 'GO')
      assert.deepEqual(world.waits, [120_000])
    })
  })

  test('is also what a 503 of something in between means', async () => {
    const proxy = { status: 503, text: 'no backend', headers: { 'content-type': 'text/plain' } }
    await withScript([proxy], async ({ url }) => {
      const result = await new ManualWorld().client(url, { maxRetries: 0 }).verify(payment)
      assert.ok(result.held)
      assert.equal(result.code, null)
      assert.equal(result.retryAfterSeconds, 120)
      assert.deepEqual(result.unavailableSignals, [])
    })
  })
})

describe('what is no decision never passes for one', () => {
  const rows: [string, Scripted][] = [
    ['a page', { status: 200, text: '<html>GO</html>', headers: { 'content-type': 'text/html' } }],
    ['an empty body', { status: 200, text: '' }],
    ['null', { status: 200, text: 'null' }],
    ['a text', { status: 200, text: '"GO"' }],
    ['an object without a decision', { status: 200, body: { score: 1 } }],
    ['another word', { status: 200, body: { decision: 'MAYBE' } }],
    ['a list', { status: 200, body: ['GO'] }],
    ['a 202', { status: 202, body: { decision: 'GO' } }],
    ['a 204', { status: 204, text: '' }],
  ]
  for (const [name, answer] of rows) {
    test(name, async () => {
      await withScript([answer], async ({ url }) => {
        const error = await failureOf(new ManualWorld().client(url).verify(payment))
        assert.ok(error instanceof UnexpectedAnswerError, String(error))
      })
    })
  }

  test('a redirect is not followed, nor asked for twice: the key goes to the address that was given and to no other', async () => {
    await withScript([decided()], async (elsewhere) => {
      for (const status of [301, 302, 307, 308]) {
        const redirect = { status, headers: { location: `${elsewhere.url}/api/v1/verify` } }
        await withScript([redirect], async ({ url, asked }) => {
          const error = await failureOf(new ManualWorld().client(url).verify(payment))
          assert.ok(error instanceof UnexpectedAnswerError)
          assert.match(error.message, /redirects/)
          assert.equal(asked.length, 1)
          assert.equal(elsewhere.asked.length, 0)
        })
      }
    })
  })

  test('and its key is told, since something may have been decided', async () => {
    await withScript([{ status: 200, text: '{"decision":' }], async ({ url }) => {
      const error = await failureOf(
        new ManualWorld().client(url).verify(payment, { idempotencyKey: 'pay-1' }),
      )
      assert.ok(error instanceof UnexpectedAnswerError)
      assert.equal(error.idempotencyKey, 'pay-1')
    })
  })
})

test('the end of a call: a try that takes too long is given up, and tried again', async () => {
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

test('the end of a call: without an answer in time the failure is a timeout', async () => {
  const world = new ManualWorld()
  await withScript(['hang'], async ({ url, came }) => {
    const failed = failureOf(world.client(url).verify(payment, { maxRetries: 0, timeoutMs: 250 }))
    await came(1)
    world.timers[0]?.work()
    const error = await failed
    assert.ok(error instanceof TimeoutError)
    assert.match(error.message, /250 ms/)
    assert.equal(error.status, null)
  })
})

test('the end of a call: an aborted signal ends it at once with its reason: before, while it is asked, while it waits', async () => {
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

test('the end of a call: a signal that is used for many calls gathers no listeners', async () => {
  await withScript([refused(500, 'INTERNAL_ERROR'), decided()], async ({ url }) => {
    const { signal } = new AbortController()
    const client = new ManualWorld().client(url)
    for (let call = 0; call < 3; call += 1) await client.verify(payment, { signal })
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})
