/** `fairway mcp` as a process of its host: what it needs, what it writes, how it ends, and what a missing server means. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { releaseVersion } from '../../src/core/operate/release.ts'
import { withFolder } from '../helpers/folder.ts'
import { withHarness } from '../helpers/harness.ts'
import { bareEnvironment, listen, program, withHost } from '../helpers/mcp.ts'
import { finished, start } from '../helpers/process/process.ts'
import { answering, homeIn, nowhere, writeConfig } from '../helpers/process/user.ts'

const stdio = { transport: 'stdio', mode: 'legacy' } as const
const payment = { corridor: 'GB-NG', amount: 500, currency: 'GBP', idempotency_key: 'invoice-1' }

test('it lists its tools and resources without a key and without a server, and a call says what is missing', async () => {
  await withHost(stdio, { url: await nowhere(), key: null }, async ({ client, call }) => {
    assert.deepEqual(
      [client.getServerVersion()?.title, client.getServerVersion()?.version],
      ['Fairway', releaseVersion],
    )
    assert.equal((await client.listTools()).tools.length, 11)
    assert.equal((await client.listResources()).resources.length, 1)
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1)
    const { contents } = await client.readResource({ uri: 'fairway://methodology' })
    assert.ok(contents[0] !== undefined && 'text' in contents[0])
    assert.match(contents[0].text, /^# /)
    const { isError, line } = await call('verify', payment)
    assert.ok(isError)
    assert.equal(
      line,
      'NO DECISION: the request was refused. Do not pay. No API key: set FAIRWAY_API_KEY, run fairway login, or get a sandbox key with fairway quickstart.',
    )
    assert.match((await call('list_corridors')).line, /^REFUSED: .*set FAIRWAY_API_KEY/)
  })
})

test('no server at the address is a hold', async () => {
  const url = await nowhere()
  await withHost(stdio, { url, key: 'svc-sandbox-key' }, async ({ call }) => {
    const { isError, line, data } = await call('verify', payment)
    assert.deepEqual([isError, data.decision, data.idempotency_key], [true, 'HOLD', 'invoice-1'])
    assert.match(line, /^HOLD: no answer is a hold: do not pay\./)
    assert.ok(line.includes(`No server at ${url}`))
    assert.match((await call('history')).line, /^HOLD: no answer is a hold: do not pay because of it\./)
  })
})

test('a server that stops between two calls is a hold, and a key that is revoked is named with its source', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const url = await listen(harness)
    await withHost(stdio, { url, key }, async ({ call }) => {
      assert.equal((await call('verify', payment)).data.decision, 'GO')
      await harness.store.keys.revoke(record.keyId, harness.clock.nowMs())
      harness.clock.advance(1_000)
      const refused = await call('verify', payment)
      assert.deepEqual([refused.data.code, refused.data.decision], ['UNAUTHORIZED', null])
      assert.match(refused.data.message, /The key from FAIRWAY_API_KEY was not accepted.*expired or revoked/)
      await harness.app.close()
      const held = await call('verify', payment)
      assert.deepEqual([held.isError, held.data.decision], [true, 'HOLD'])
    })
  })
})

const strangers = {
  'a page of a proxy': '<html>Welcome</html>',
  'JSON without a decision': '{"status":"ok"}',
  'a decision that nobody knows': '{"decision":"YES","request_id":"SVC-1"}',
}
for (const [name, body] of Object.entries(strangers)) {
  test(`an answer that is not Fairway’s is a hold: ${name}`, async () => {
    await answering(200, { 'content-type': 'application/json' }, body, async (url) => {
      await withHost(stdio, { url, key: 'svc-sandbox-key' }, async ({ call }) => {
        const { isError, data } = await call('verify', payment)
        assert.deepEqual([isError, data.decision, data.idempotency_key], [true, 'HOLD', 'invoice-1'])
      })
    })
  })
}

test('it reads the settings for each call, and sends a stored key to its own address alone', async () => {
  await withFolder(async (folder) => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue()
      const url = await listen(harness)
      await withHost(stdio, { url, key: null, environment: homeIn(folder) }, async ({ call }) => {
        assert.match((await call('verify', payment)).line, /No API key/)
        writeConfig(folder, JSON.stringify({ url: 'http://127.0.0.1:9', api_key: key }))
        assert.match((await call('verify', payment)).line, /is not sent to/)
        writeConfig(folder, JSON.stringify({ url, api_key: key }))
        assert.equal((await call('verify', payment)).data.decision, 'GO')
      })
    })
  })
})

const message = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

const opening = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'host', version: '1' },
})

const nobody = { FAIRWAY_URL: 'http://127.0.0.1:9', FAIRWAY_API_KEY: 'svc-sandbox-key' }

const run = () => start(['mcp'], bareEnvironment(nobody), { stdin: 'pipe', entry: program })

test('standard output carries the protocol alone, also for what is no message, and the end of input ends it', async () => {
  const child = run()
  const ended = finished(child)
  child.stdin?.end(`${opening}this is no message\n${message(2, 'tools/list')}`)
  const { code, stdout } = await ended
  assert.equal(code, 0)
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null })
  assert.ok(answers.every(({ jsonrpc }) => jsonrpc === '2.0'))
  assert.deepEqual(
    answers.filter(({ id }) => id !== null).map(({ id }) => id),
    [1, 2],
  )
})

test('a message that is not JSON-RPC is named on standard error without its text', async () => {
  const child = run()
  const ended = finished(child)
  child.stdin?.end(`${opening}{"jsonrpc":"2.0","id":2,"method":7,"Jane Doe":"GB33BUKB20201555555555"}\n`)
  const { code, stderr } = await ended
  assert.deepEqual([code, stderr], [0, 'fairway: mcp: ignored a message that is not JSON-RPC\n'])
})

test('a fault of the program is a hold, and keeps standard output clean', async () => {
  const child = run()
  const output = textOf(child.stdout ?? assert.fail())
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const call = message(2, 'tools/call', {
    name: 'verify',
    arguments: { corridor: 'DEEP', idempotency_key: 'invoice-1' },
  })
  const warned = once(child.stderr ?? assert.fail(), 'data')
  child.stdin?.write(opening + call.replace('"DEEP"', deep))
  assert.match(String(await warned), /^fairway: mcp: unexpected error: RangeError/)
  child.stdin?.end()
  const answer = (await output).trimEnd().split('\n').at(-1) ?? ''
  const { result } = JSON.parse(answer) as { result: { isError: boolean; content: [{ text: string }] } }
  const [{ text }] = result.content
  assert.ok(result.isError)
  assert.match(text, /^HOLD: no answer is a hold: do not pay\. .* the idempotency_key below\./)
  assert.match(text, /"idempotency_key":"invoice-1"/)
})

test('a signal ends it', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const child = run()
    const ended = finished(child)
    child.stdin?.write(opening)
    await once(child.stdout ?? assert.fail(), 'data')
    child.kill(signal)
    assert.equal((await ended).code, 0, signal)
  }
})

test('a call that a server leaves without an answer does not keep it', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}))
  const asked = once(server, 'connection')
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { FAIRWAY_URL: `http://127.0.0.1:${port}`, FAIRWAY_API_KEY: 'svc-sandbox-key' }
  const child = start(['mcp'], bareEnvironment(settings), { stdin: 'pipe', entry: program })
  const output = textOf(child.stdout ?? assert.fail())
  child.stdin?.write(opening + message(2, 'tools/call', { name: 'verify', arguments: payment }))
  await asked
  child.stdin?.end()
  const [code] = (await once(child, 'exit')) as [number]
  server.close()
  assert.equal(code, 0)
  assert.doesNotMatch(await output, /"id":2/)
})
