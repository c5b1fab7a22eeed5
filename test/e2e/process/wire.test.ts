/** What only shows on a real socket: broken HTTP and repeated headers. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { checkedFetch, publishedPaths } from '../../helpers/process/checked-fetch.ts'
import { checkAnswer, checkError } from '../../helpers/contract.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { issueByCli, serve, type Served } from '../../helpers/process/process.ts'

let database: FreshDatabase
let server: Served
let key: string

before(async () => {
  database = await freshDatabase('sqlite')
  key = (await issueByCli(database.url)).key
  server = await serve({ DATABASE_URL: database.url })
})

after(async () => {
  await server.stop()
  await database.drop()
})

interface ErrorShape {
  readonly code?: string
  readonly request_id?: string
  readonly errors?: readonly { path: string }[]
}

async function raw(text: string | Buffer, url = server.url): Promise<{ status: number; body: ErrorShape }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const status = Number(head.split(' ')[1])
  const answer = JSON.parse(body) as ErrorShape
  // Any request that is no proper HTTP may get these; the document says so once for all.
  if ([400, 405, 408, 431].includes(status)) checkError(answer)
  else checkRaw(String(text), head, answer)
  return { status, body: answer }
}

function checkRaw(request: string, head: string, body: unknown): void {
  const [method = '', path = ''] = request.split(' ')
  const lines = head.split('\r\n').slice(1)
  const headers = lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]])
  const status = Number(head.split(' ')[1])
  checkAnswer(publishedPaths(), {
    method,
    path,
    status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  })
}

function post(headers: readonly string[], body = '{"corridor":"GB-NG"}'): string {
  const lines = [
    'POST /api/v1/verify HTTP/1.1',
    'Host: x',
    'Connection: close',
    'Content-Type: application/json',
  ]
  return [...lines, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n')
}

test('what is not HTTP gets an error of our shape', async () => {
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const { status, body } = await raw(text)
    assert.equal(status, 400, JSON.stringify(text))
    assert.equal(body.code, 'INVALID_REQUEST')
  }
  const large = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
  assert.equal(large.status, 431)
  assert.equal(large.body.code, 'HEADERS_TOO_LARGE')
})

test('what HTTP allows and nobody expects gets our shape too', async () => {
  const cases = [
    ['GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: the unexpected\r\n\r\n', 400],
    ['CONNECT example.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['QUERY /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['QUERY /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['PROPFIND /api/v1/verify HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['TRACE /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
  ] as const
  for (const [text, expected] of cases) {
    const { status, body } = await raw(text)
    assert.equal(status, expected, text)
    assert.ok(body.code !== undefined && body.request_id !== undefined, text)
  }
})

test('a request with two Host headers is refused, whatever its path and whether or not they agree', async () => {
  const auth = `Authorization: Bearer ${key}`
  const requests = [
    post([auth, 'Host: x']),
    post([auth, 'hOST: y']),
    'GET /api/health HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /nope HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
    'GET /api/health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
    'GET /nope HTTP/1.1\r\nConnection: close\r\n\r\n',
  ]
  for (const text of requests) {
    const { status, body } = await raw(text)
    assert.deepEqual(
      [status, body.code, body.errors?.[0]?.path],
      [400, 'INVALID_REQUEST', '/headers/host'],
      text,
    )
    assert.match(body.request_id ?? '', /^req_/)
  }
})

test('a caller who goes away in the middle is no fault of ours', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const [head = ''] = post([`Authorization: Bearer ${key}`]).split('\r\n\r\n')
  socket.write(`${head}\r\n\r\n{`)
  // Another request on another connection: when it is answered, the first one has been read that far.
  assert.equal((await checkedFetch(`${server.url}/api/health`)).status, 200)
  socket.destroy()
  await server.said(/caller disconnected/)
  assert.doesNotMatch(server.output(), /unexpected error/)
})

test('repeated idempotency keys must be the same one', async () => {
  const auth = `Authorization: Bearer ${key}`
  const same = await raw(post([auth, 'Idempotency-Key: one', 'Idempotency-Key: one']))
  assert.equal(same.status, 200)
  const differ = await raw(post([auth, 'Idempotency-Key: one', 'idempotency-key: two']))
  assert.equal(differ.status, 400)
  assert.equal(differ.body.errors?.[0]?.path, '/headers/idempotency-key')
})

test('a key given twice and different is 401, the same one twice is fine', async () => {
  const { key: other } = await issueByCli(database.url)
  const bearer = (one: string): string => `Authorization: Bearer ${one}`
  assert.equal((await raw(post([bearer(key), bearer(key)]))).status, 200)
  assert.equal((await raw(post([bearer(key), bearer(other)]))).status, 401)
  assert.equal((await raw(post([`X-API-Key: ${key}`, `X-API-Key: ${other}`]))).status, 401)
  assert.equal((await raw(post([`X-API-Key: ${key}`, `X-API-Key: ${key}`]))).status, 200)
})

test('a body shorter or longer than it says is no way in', async () => {
  const auth = `Authorization: Bearer ${key}`
  const longer = await raw(post([auth]).replace('Content-Length: 20', 'Content-Length: 5'))
  assert.equal(longer.status, 400)
  const chunked = await raw(post([auth, 'Transfer-Encoding: chunked']))
  assert.equal(chunked.status, 400)
})

test('a request that does not arrive in time is ended with 408, in our shape', async () => {
  await withHarness({}, async ({ app }) => {
    // The real mechanism with short bounds, so that nobody waits for ten seconds.
    app.server.headersTimeout = 50
    app.server.requestTimeout = 100
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { status, body } = await raw('GET /api/health HTTP/1.1\r\nHost: x\r\n', url)
    assert.equal(status, 408)
    assert.equal(body.code, 'REQUEST_TIMEOUT')
    assert.ok(body.request_id !== undefined)
  })
})
