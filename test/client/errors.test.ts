/** Every failure is a class of its own with the same members, and no failure repeats the key. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, test } from 'node:test'
import * as library from '../../client/src/index.ts'
import { ConnectionError, FairwayClient, FairwayError } from '../../client/src/index.ts'
import { statusOf } from '../../src/http/errors.ts'
import { failureOf, ManualWorld, refused, withScript } from '../helpers/peers/scripted.ts'

const classOf: Readonly<Record<number, typeof FairwayError>> = {
  400: library.InvalidRequestError,
  401: library.AuthenticationError,
  403: library.PermissionError,
  404: library.NotFoundError,
  405: library.InvalidRequestError,
  408: library.InvalidRequestError,
  409: library.ConflictError,
  413: library.InvalidRequestError,
  415: library.InvalidRequestError,
  422: library.UnprocessableError,
  429: library.RateLimitError,
  431: library.InvalidRequestError,
  500: library.ServerError,
  503: library.UnavailableError,
}

describe('each error code of the contract', () => {
  for (const [code, status] of Object.entries(statusOf)) {
    test(code, async () => {
      const more = {
        errors: [{ path: '/amount', message: 'is odd' }],
        unavailable_signals: ['fx_volatility'],
      }
      await withScript([refused(status, code, { 'retry-after': '9' }, more)], async ({ url }) => {
        const error = await failureOf(new ManualWorld().client(url, { maxRetries: 0 }).audit('SVC-1'))
        assert.ok(error instanceof FairwayError)
        assert.equal(error.constructor, classOf[status])
        assert.equal(error.name, classOf[status]?.name)
        const { message, requestId, retryAfterSeconds, unavailableSignals, errors, attempts } = error
        assert.deepEqual(
          {
            status: error.status,
            code: error.code,
            message,
            requestId,
            retryAfterSeconds,
            unavailableSignals,
            errors,
            attempts,
          },
          {
            status,
            code,
            message: `${code} it is.`,
            requestId: 'req_one',
            retryAfterSeconds: 9,
            unavailableSignals: ['fx_volatility'],
            errors: [{ path: '/amount', message: 'is odd' }],
            attempts: 1,
          },
        )
      })
    })
  }
})

test('an error of something in between has a status, no code, and a message that says so', async () => {
  const proxy = {
    status: 502,
    text: '<html>',
    headers: { 'content-type': 'text/html', 'x-request-id': 'edge-1' },
  }
  await withScript([proxy], async ({ url }) => {
    const error = await failureOf(new ManualWorld().client(url, { maxRetries: 0 }).health())
    assert.ok(error instanceof library.ServerError)
    assert.equal(error.code, null)
    assert.equal(error.requestId, 'edge-1')
    assert.match(error.message, /502/)
  })
})

test('what is done is not done twice: only a refusal is tried again', async () => {
  const body = { request_id: 'SVC-1', action: 'HOLD', reason_code: 'ANY', justification: 'Any.' } as const
  const access = { name: 'a', email: 'a@example.com', reason: 'b', recaptcha_token: 'c' }
  const acts: Record<string, (client: FairwayClient) => Promise<unknown>> = {
    override: (client) => client.override(body),
    reportOutcome: (client) => client.reportOutcome('SVC-1', { outcome: 'FAILED' }),
    registerWebhook: (client) => client.registerWebhook({ url: 'https://hooks.example.com/' }),
    rotateWebhookSecret: (client) => client.rotateWebhookSecret('wh_1'),
    testWebhook: (client) => client.testWebhook('wh_1'),
    removeWebhook: (client) => client.removeWebhook('wh_1'),
    requestAccess: (client) => client.requestAccess(access),
  }
  for (const [name, act] of Object.entries(acts)) {
    for (const answer of [
      'drop',
      'half',
      refused(500, 'INTERNAL_ERROR'),
      refused(503, 'STORE_UNAVAILABLE'),
    ] as const) {
      await withScript([answer, { status: 200 }], async ({ url, asked }) => {
        await failureOf(act(new ManualWorld().client(url)))
        assert.equal(asked.length, 1, `${name} after ${JSON.stringify(answer)}`)
      })
    }
    await withScript(
      [refused(429, 'RATE_LIMITED', { 'retry-after': '1' }), { status: 200 }],
      async ({ url, asked }) => {
        await act(new ManualWorld().client(url))
        assert.equal(asked.length, 2, `${name} after a refusal`)
      },
    )
  }
})

test('calls that a repetition does not change are repeated', async () => {
  const asks: Record<string, (client: FairwayClient) => Promise<unknown>> = {
    audit: (client) => client.audit('SVC-1'),
    history: (client) => client.verifications().page(),
    replay: (client) => client.replay({ corridor: 'GB-NG' }),
    comparePartners: (client) => client.comparePartners({ corridor: 'GB-NG', partners: ['a', 'b'] }),
    batchAssess: (client) => client.batchAssess({ transactions: [{ corridor: 'GB-NG' }] }),
    demoVerify: (client) => client.demoVerify(),
    calibration: (client) => client.calibration(),
    reportOutcomes: (client) => client.reportOutcomes([{ request_id: 'SVC-1', outcome: 'FAILED' }]),
    health: (client) => client.health(),
  }
  for (const [name, ask] of Object.entries(asks)) {
    await withScript(
      ['drop', refused(503, 'STORE_UNAVAILABLE'), { status: 200, body: [] }],
      async ({ url, asked }) => {
        await ask(new ManualWorld().client(url))
        assert.equal(asked.length, 3, name)
      },
    )
  }
})

describe('the key', () => {
  const apiKey = 'pk_test_0123456789topsecret'

  test('goes with keyed calls as a bearer token, and with no other', async () => {
    await withScript([{ status: 200 }], async ({ url, asked }) => {
      const client = new FairwayClient({ baseUrl: url, apiKey })
      await client.audit('SVC-1')
      assert.equal(asked[0]?.headers.authorization, `Bearer ${apiKey}`)
      await client.health()
      await client.demoVerify()
      assert.equal(asked[1]?.headers.authorization, undefined)
      assert.equal(asked[2]?.headers.authorization, undefined)
      assert.ok(asked.every(({ url: path }) => !path.includes('topsecret')))
    })
  })

  test('is in no error and not seen on the client', async () => {
    const shown: string[] = []
    for (const bad of [`${apiKey}\n`, ` ${apiKey}`, `${apiKey}ü`]) {
      const error = await failureOf(
        (async () => new FairwayClient({ baseUrl: 'http://127.0.0.1:1', apiKey: bad }))(),
      )
      assert.ok(error instanceof TypeError)
      shown.push(inspect(error))
    }
    let closed = ''
    await withScript([], async ({ url }) => void (closed = url))
    const client = new FairwayClient({ baseUrl: closed, apiKey, maxRetries: 0 })
    const error = await failureOf(client.verify({ corridor: 'GB-NG' }))
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /cannot be reached: .*ECONNREFUSED/)
    shown.push(
      inspect(error, { depth: 9, showHidden: true }),
      inspect(client, { depth: 9, showHidden: true }),
    )
    shown.push(JSON.stringify(client))
    assert.ok(shown.every((text) => !text.includes('topsecret')))
  })
})

for (const baseUrl of [
  '',
  'localhost:8080',
  '/api',
  'ftp://example.com',
  'https://a:b@example.com',
  'https://example.com?x=1',
  'https://example.com?',
  'https://example.com/#',
  'https://example.com/#x',
  'https://a@example.com',
]) {
  test(`baseUrl ${baseUrl}`, () => {
    assert.throws(() => new FairwayClient({ baseUrl }), TypeError)
  })
}

test('checked before anything is sent: limits must be numbers that end; what is given as undefined is not given', async () => {
  const baseUrl = 'https://fairway.example.com'
  const bad = [
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { maxRetries: Number.NaN },
    { timeoutMs: 0 },
    { totalTimeoutMs: -1 },
  ]
  for (const limits of bad) {
    assert.throws(() => new FairwayClient({ baseUrl, ...limits }), TypeError)
    await assert.rejects(new FairwayClient({ baseUrl }).health(limits), TypeError)
  }
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
    const none = {
      maxRetries: undefined,
      timeoutMs: undefined,
      totalTimeoutMs: undefined,
      signal: undefined,
    }
    const { runtime } = new ManualWorld()
    const client = new FairwayClient({ baseUrl: url, apiKey: undefined, runtime, ...none })
    await failureOf(client.health(none))
    assert.equal(asked.length, 5)
  })
  await withScript([{ status: 200 }], async ({ url }) => {
    const forever = { timeoutMs: Infinity, totalTimeoutMs: Infinity }
    await new FairwayClient({ baseUrl: url, ...forever }).health()
  })
})

test('checked before anything is sent: a base URL may have a path, and slashes at its end', async () => {
  await withScript([{ status: 200 }], async ({ url, asked }) => {
    await new FairwayClient({ baseUrl: `${url}/fairway//` }).health()
    assert.equal(asked[0]?.url, '/fairway/api/health')
  })
})

test('checked before anything is sent: an id stays one step of the path, whatever it is', async () => {
  await withScript([{ status: 200 }], async ({ url, asked }) => {
    const client = new ManualWorld().client(url)
    await client.audit('a/../../b?c#d e')
    assert.equal(asked[0]?.url, '/api/v1/audit/a%2F..%2F..%2Fb%3Fc%23d%20e')
    for (const bad of ['', '.', '..']) await assert.rejects(client.audit(bad), TypeError)
    assert.equal(asked.length, 1)
  })
})

test('a history whose next page cannot be asked for is not passed off as whole', async () => {
  const headers = { link: '</api/verifications>; rel="next"' }
  await withScript([{ status: 200, body: [{ request_id: 'SVC-1' }], headers }], async ({ url, asked }) => {
    const client = new ManualWorld().client(url)
    const walk = async (): Promise<void> => {
      for await (const one of client.verifications()) assert.ok(one.request_id)
    }
    await assert.rejects(walk, library.UnexpectedAnswerError)
    assert.equal(asked.length, 1)
  })
})

test('the next page is asked of the same address, wherever the answer says that it is', async () => {
  const headers = {
    link: '<https://elsewhere.example.com/api/verifications?limit=1&cursor=c%2F2>; rel="next"',
  }
  const pages = [
    { status: 200, body: [1], headers },
    { status: 200, body: [2] },
  ]
  await withScript(pages, async ({ url, asked }) => {
    const found: unknown[] = []
    for await (const one of new ManualWorld().client(url).verifications({ limit: 1 })) found.push(one)
    assert.deepEqual(found, [1, 2])
    assert.equal(asked[1]?.url, '/api/verifications?limit=1&cursor=c%2F2')
  })
})

test('a list that is none, or has no end, is not walked', async () => {
  const walk = async (client: FairwayClient): Promise<void> => {
    for await (const one of client.verifications()) assert.ok(one)
  }
  await withScript([{ status: 200, body: { items: [] } }], async ({ url }) => {
    await assert.rejects(walk(new ManualWorld().client(url)), library.UnexpectedAnswerError)
  })
  const headers = { link: '</api/verifications?cursor=same>; rel="next"' }
  await withScript([{ status: 200, body: [1], headers }], async ({ url, asked }) => {
    await assert.rejects(walk(new ManualWorld().client(url)), library.UnexpectedAnswerError)
    assert.equal(asked.length, 2)
  })
})

test('of a name with several addresses it is told what is wrong with each', async () => {
  const several = new AggregateError([
    new Error('connect ECONNREFUSED ::1:1'),
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
  ])
  const failing = async (): Promise<never> => {
    throw new TypeError('fetch failed', { cause: several })
  }
  const client = new FairwayClient({
    baseUrl: 'http://localhost:1',
    maxRetries: 0,
    runtime: { fetch: failing },
  })
  const error = await failureOf(client.health())
  assert.ok(error instanceof ConnectionError)
  assert.match(error.message, /::1:1; .*127\.0\.0\.1:1/)
})
