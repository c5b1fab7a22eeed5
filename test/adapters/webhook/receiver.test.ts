/** The small receiver: it shows what arrives, and answers as it is told. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openReceiver, type ReceivedRequest } from '../../../src/adapters/webhook/receiver.ts'

async function open(t: TestContext, status = 200) {
  const requests: ReceivedRequest[] = []
  const receiver = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    status,
    onRequest: (request) => requests.push(request),
  })
  t.after(() => receiver.close())
  return { receiver, requests }
}

const post = (url: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: 'POST', body, headers: { 'x-svc-signature': 'ab12' } })

test('each POST is shown with its exact bytes and answered with the status, without a body', async (t) => {
  const { receiver, requests } = await open(t, 503)
  const response = await post(`${receiver.url}/a/b?c=1`, '{"a": "£"}')
  assert.equal(response.status, 503)
  assert.equal(await response.text(), '')
  const [request] = requests
  assert.ok(request)
  assert.equal(request.path, '/a/b?c=1')
  assert.equal(request.body.toString(), '{"a": "£"}')
  assert.equal(request.headers['x-svc-signature'], 'ab12')
  assert.ok(request.at instanceof Date)
})

test('other methods are not allowed', async (t) => {
  const { receiver, requests } = await open(t)
  const response = await fetch(receiver.url)
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'POST')
  assert.deepEqual(requests, [])
})

test('a body of one mebibyte is taken, a longer one is not', async (t) => {
  const { receiver, requests } = await open(t)
  assert.equal((await post(receiver.url, new Uint8Array(1_048_576))).status, 200)
  assert.equal((await post(receiver.url, new Uint8Array(1_048_577))).status, 413)
  assert.equal((await post(receiver.url, new Uint8Array(8_000_000))).status, 413)
  assert.deepEqual(
    requests.map(({ body }) => body.byteLength),
    [1_048_576],
  )
})

test('a port that is taken is an error', async (t) => {
  const { receiver } = await open(t)
  const port = Number(new URL(receiver.url).port)
  const options = { host: '127.0.0.1', port, status: 200, onRequest: () => undefined }
  await assert.rejects(openReceiver(options), { code: 'EADDRINUSE' })
})

test('after closing nobody listens', async (t) => {
  const { receiver } = await open(t)
  await post(receiver.url, '{}')
  await receiver.close()
  await assert.rejects(post(receiver.url, '{}'))
})
