/** POST /mcp as an endpoint: who may open it, from which pages, and what is refused before the protocol is spoken. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { Gate } from '../../helpers/gate.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { feedsOf } from '../../helpers/live.ts'
import { listen } from '../../helpers/mcp.ts'
import { person } from '../../helpers/people.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { until } from '../../helpers/process/streaming.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const
const accept = 'application/json, text/event-stream'

const json = { 'content-type': 'application/json', accept }

const callOf = (name: string, given: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given },
})

function post(
  { send }: Pick<Harness, 'send'>,
  payload: InjectOptions['payload'],
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return send({ method: 'POST', url: '/mcp', headers: { ...json, ...headers }, payload: payload ?? '' })
}

interface Called {
  readonly result: {
    readonly isError: boolean
    readonly structuredContent: { readonly data: { readonly code: string; readonly decision: string } }
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

test('an answer is one JSON body, without a session', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { status, headers, body } = await post(harness, list, bearer(key))
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.equal(headers['mcp-session-id'], undefined)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(body.result.tools.length, 11)
    const noted = await post(harness, { jsonrpc: '2.0', method: 'notifications/initialized' }, bearer(key))
    assert.deepEqual([noted.status, noted.text], [202, ''])
  })
})

test('a key is required, as on every other route, and a revoked one is none', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const strangers: readonly Readonly<Record<string, string>>[] = [{}, bearer('svc-sandbox-unknown')]
    for (const headers of strangers) {
      const { status, headers: answered, body } = await post(harness, list, headers)
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED'])
      assert.equal(answered['www-authenticate'], 'Bearer realm="fairway"')
    }
    assert.equal((await post(harness, list, { 'x-api-key': key })).status, 200)
    await harness.store.keys.revoke(record.keyId, harness.clock.nowMs())
    harness.clock.advance(1_000)
    assert.equal((await post(harness, list, bearer(key))).status, 401)
  })
})

test('the session of a person does not open it', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { headers } = await person(harness, ['viewer'], ownerId)
    const { status, body } = await post(harness, list, headers)
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
    assert.match(body.message, /API keys/)
  })
})

test('a page of another origin is refused, also one whose name was bound to this address', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const refused = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://evil.example', host: 'evil.example' },
      { origin: 'http://localhost:6274', host: 'localhost' },
    ]
    for (const headers of refused) {
      const { status, body } = await post(harness, callOf('verify', { corridor: 'GB-NG' }), {
        ...bearer(key),
        ...(headers as Record<string, string>),
      })
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], headers.origin)
    }
    assert.equal(await harness.store.countVerifications(), 0)
    const own = { origin: 'http://localhost', host: 'localhost' }
    assert.equal((await post(harness, list, { ...bearer(key), ...own })).status, 200)
  })
})

test('GET and DELETE are answered with the method that there is', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, headers, body } = await harness.send({
        method,
        url: '/mcp',
        headers: { ...bearer(key), accept },
      })
      assert.deepEqual([status, headers['allow'], body.code], [405, 'POST', 'METHOD_NOT_ALLOWED'])
    }
  })
})

test('what is no message is an error of JSON-RPC', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const headers = bearer(key)
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
    for (const payload of ['{', '', '\u0000', deep, Buffer.from([0xff]), '{"id":1,"id":2}']) {
      const { status, body } = await post(harness, payload, headers)
      assert.deepEqual([status, body.jsonrpc, body.error.code, body.id], [400, '2.0', -32_700, null])
    }
    for (const payload of [[list, list], [], 7, '"text"', null]) {
      const { status, body } = await post(harness, JSON.stringify(payload), headers)
      assert.deepEqual([status, body.error.code, body.id], [400, -32_600, null])
    }
    for (const payload of [
      {},
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
    ]) {
      const { status, body } = await post(harness, payload, headers)
      assert.equal(status, 400)
      assert.ok(body.error.code <= -32_600 && body.error.code >= -32_700, JSON.stringify(body))
    }
    const unknown = await post(harness, { ...list, method: 'tools/approve' }, headers)
    assert.equal(unknown.body.error.code, -32_601)
  })
})

test('an unknown revision of the protocol is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { status, body } = await post(harness, list, {
      ...bearer(key),
      'mcp-protocol-version': '1999-01-01',
    })
    assert.equal(status, 400)
    assert.equal(body.jsonrpc, '2.0')
    assert.match(body.error.message, /version/i)
  })
})

test('a body that is too large or of another type is refused like any other', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const large = await post(harness, { ...list, params: { text: 'x'.repeat(70_000) } }, bearer(key))
    assert.deepEqual([large.status, large.body.code], [413, 'PAYLOAD_TOO_LARGE'])
    const typed = await post(harness, 'a,b', { ...bearer(key), 'content-type': 'text/csv' })
    assert.deepEqual([typed.status, typed.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

test('a message counts for the limit of the key', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '2/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const statuses: number[] = []
    for (let one = 0; one < 3; one += 1) statuses.push((await post(harness, list, bearer(key))).status)
    assert.deepEqual(statuses, [200, 200, 429])
  })
})

test('no one holds a stream open', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    const { body } = await post(
      harness,
      { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params },
      { ...bearer(key), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    )
    assert.equal(typeof body.error.code, 'number')
  })
})

test('it is no part of the contract of the API', async () => {
  await withHarness({}, async ({ get }) => {
    assert.equal((await get(null, '/openapi.json')).body.paths['/mcp'], undefined)
  })
})

test('a call that is under way when the service stops is answered', async () => {
  const gate = new Gate()
  const feeds = feedsOf(() => 'network_healthy')
  const set = feeds.current()
  const waiting = {
    current: () => ({
      ...set,
      read: (...query: Parameters<typeof set.read>) => gate.pass().then(() => set.read(...query)),
    }),
  }
  await withHarness({ feeds: waiting }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const url = await listen(harness)
    const answer = checkedFetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...json, ...bearer(key) },
      body: JSON.stringify(callOf('verify', { corridor: 'GB-NG' })),
    })
    await gate.reached
    const closed = harness.app.close()
    gate.open()
    const { status } = await answer
    const { result } = (await (await answer).json()) as Called
    await closed
    assert.deepEqual(
      [status, result.isError, result.structuredContent.data.code],
      [200, true, 'SIGNALS_UNAVAILABLE'],
    )
  })
})

test('a call whose message arrives while the service stops is a hold', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const url = new URL('/mcp', await listen(harness))
    const arrived = once(harness.app.server, 'request')
    const request = httpRequest(url, { method: 'POST', headers: { ...json, ...bearer(key) } })
    const answered = once(request, 'response')
    const message = JSON.stringify(callOf('verify', { corridor: 'GB-NG' }))
    request.write(message.slice(0, 20))
    await arrived
    const closed = harness.app.close()
    await until(() => Promise.resolve(!harness.app.server.listening))
    request.end(message.slice(20))
    const [response] = (await answered) as [IncomingMessage]
    const { result } = JSON.parse(await textOf(response)) as Called
    await closed
    assert.deepEqual([result.isError, result.structuredContent.data.code], [true, 'STOPPING'])
    assert.equal(result.structuredContent.data.decision, 'HOLD')
    assert.equal(await harness.store.countVerifications(), 0)
  })
})
