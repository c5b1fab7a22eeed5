/** `fairway webhooks listen`: events of a real server, shown and judged on the command line. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import {
  runInProcess,
  serveInProcess,
  startInProcess,
  type Running,
} from '../../helpers/process/in-process.ts'
import { ask, issueByCli, start } from '../../helpers/process/process.ts'

const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const command = (port: string, ...args: string[]): string[] => ['webhooks', 'listen', '--port', port, ...args]

/** Starts the receiver and waits until it says where it listens. */
async function listen(...args: string[]): Promise<Running & { readonly url: string }> {
  const running = startInProcess(command('0', ...args))
  const [url] = await running.said(/http:\S+\//)
  return { ...running, url }
}

async function register(
  url: string,
  key: string,
  endpoint: string,
): Promise<{ secret: string; webhook_id: string }> {
  const answer = await checkedFetch(`${url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: endpoint }),
  })
  return (await answer.json()) as { secret: string; webhook_id: string }
}

test('each event is printed, with whether its signatures hold, as text or as a line of JSON', async () => {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url)
  const server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' })
  // Its secret is not the endpoint's: that is known only when the address is, and is what is to be seen here.
  const wrong = await listen('--secret', otherSecret)
  const { secret } = await register(server.url, key, wrong.url)
  const { request_id: id } = (await (await ask(server.url, key, { corridor: 'GB-NG' })).json()) as {
    request_id: string
  }
  await wrong.said(/webhook-signature .*\n(?: {4}.*\n)+/)
  const text = wrong.output()
  assert.match(text, /POST \/ {2}payment\.decision\.created {2}evt_\w{26} {2}attempt 1\n/)
  assert.match(text, /X-SVC-Signature +INVALID/)
  assert.match(text, /webhook-signature +INVALID/)
  assert.ok(text.includes(`request_id: ${id}`))
  assert.equal(await wrong.stop('SIGINT'), 0)

  const port = new URL(wrong.url).port
  const right = start(command(port, '--secret', secret, '--json'), {})
  await once(right.stderr ?? assert.fail(), 'data')
  await ask(server.url, key, { corridor: 'GB-NG' })
  const [line] = (await once(right.stdout ?? assert.fail(), 'data')) as [Buffer]
  const shown = JSON.parse(line.toString())
  assert.deepEqual(shown.signatures, { 'x-svc-signature': 'valid', 'webhook-signature': 'valid' })
  assert.equal(shown.body.event, 'payment.decision.created')
  right.kill('SIGTERM')
  assert.deepEqual(await once(right, 'exit'), [0, null])
  assert.equal(await server.stop(), 0)
  await database.drop()
})

test('what is no event is shown as such, and nothing in it reaches the terminal as a command', async () => {
  const { output, said, stop, url } = await listen('--secret', otherSecret, '--status', '503')
  const answer = await fetch(`${url}x`, {
    method: 'POST',
    headers: {
      'x-svc-signature': 'short',
      'webhook-id': 'a',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,x',
    },
    body: '{"event":"\\u001b[2J\\nforged","data":{"a\\u0007":"\\u001b]0;x"}}',
  })
  assert.equal(answer.status, 503)
  await fetch(url, { method: 'POST', body: 'no JSON' })
  await said(/not an event(?:\n {2}.+){2}\n/)
  assert.doesNotMatch(output(), /[^\P{Cc}\n]/u)
  assert.match(output(), /7 bytes, not an event/)
  assert.match(output(), /missing/)
  assert.equal((await fetch(url)).status, 405)
  assert.equal(await stop('SIGINT'), 0)
})

test('options that cannot be used are one clear line', async () => {
  const secret = ['--secret', otherSecret]
  for (const [args, told] of [
    [['--port', '70000', ...secret], /port from 0 to 65535/],
    [['--port', 'x', ...secret], /port from 0 to 65535/],
    [['--port', '0', '--secret', 'hunter2'], /whsec_/],
    [['--port', '0', ...secret, '--status', '99'], /200 to 599/],
    [['--port', '0'], /--secret/],
    [secret, /--port/],
    [['--port', otherSecret, '--secret', otherSecret], /\[secret\]/],
  ] as const) {
    const { code, stdout, stderr } = await runInProcess(['webhooks', 'listen', ...args])
    assert.notEqual(code, 0)
    assert.equal(stdout, '')
    assert.match(stderr, told)
    assert.ok(!stderr.includes('    at '), 'no stack')
    assert.ok(!stderr.includes('hunter2') && !stderr.includes(otherSecret), 'a secret is not repeated')
  }
  const { stop, url } = await listen(...secret)
  const { code, stderr } = await runInProcess(command(new URL(url).port, ...secret))
  assert.equal(code, 1)
  assert.match(stderr, /^fairway: cannot listen on port \d+: .*EADDRINUSE/)
  assert.equal(await stop('SIGINT'), 0)
})
