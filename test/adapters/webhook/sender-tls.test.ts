/** https: certificates and names are verified, whatever the environment says, and no proxy of it is used. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { before, test, type TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { openRaw, openSentinel } from './network.ts'
import { answered, failed, openSending } from './sending.ts'

interface Certificate {
  readonly key: string
  readonly cert: string
}

let authority: Certificate
let certificate: Certificate

before(async () => {
  const ca = await generate([{ name: 'commonName', value: 'Fairway test authority' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  authority = { key: ca.private, cert: ca.cert }
  const altNames = [
    { type: 2 as const, value: 'hooks.example.com' },
    { type: 7 as const, ip: '127.0.0.1' },
  ]
  const own = await generate([{ name: 'commonName', value: 'hooks.example.com' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    ca: authority,
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  certificate = { key: own.private, cert: own.cert }
})

const accept: RequestListener = (_request, response) => void response.writeHead(200).end()

async function openSecure(t: TestContext, answer = accept) {
  const names: unknown[] = []
  let requests = 0
  const server = createServer(certificate, (request, response) => {
    requests += 1
    answer(request, response)
  })
  server.on('secureConnection', (socket: TLSSocket & { servername?: unknown }) =>
    names.push(socket.servername),
  )
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, names, requests: () => requests }
}

test('a certificate of a known authority for the name is accepted, and one connection serves many sends', async (t) => {
  const { port, names } = await openSecure(t)
  const { send } = openSending(t, { ca: [authority.cert] })
  for (const host of ['hooks.example.com', 'hooks.example.com', 'HOOKS.example.com.']) {
    assert.deepEqual(await send(`https://${host}:${port}/`), answered(200))
  }
  assert.deepEqual(names, ['hooks.example.com'])
})

test('an address is verified as an address, and TLS is told no name for it', async (t) => {
  const { port, names } = await openSecure(t)
  const { send } = openSending(t, { ca: [authority.cert] })
  assert.deepEqual(await send(`https://127.0.0.1:${port}/`), answered(200))
  assert.deepEqual(names, [false])
})

test('an unknown authority, another name, another address and no TLS at all are failures of TLS', async (t) => {
  const { port, requests } = await openSecure(t)
  const trusting = openSending(t, { ca: [authority.cert] })
  assert.deepEqual(await openSending(t).send(`https://hooks.example.com:${port}/`), failed('tls_failed'))
  assert.deepEqual(await openSending(t).send(`https://127.0.0.1:${port}/`), failed('tls_failed'))
  assert.deepEqual(await trusting.send(`https://other.example.com:${port}/`), failed('tls_failed'))
  const elsewhere = openSending(t, { ca: [authority.cert] })
  assert.deepEqual(await elsewhere.send(`https://localhost:${port}/`), failed('tls_failed'))
  const plain = await openTestReceiver()
  t.after(() => plain.close())
  assert.deepEqual(await trusting.send(plain.url.replace('http:', 'https:')), failed('tls_failed'))
  assert.equal(requests(), 0)
  assert.equal(plain.requests.length, 0)
})

test('a connection that the receiver closes as it is taken again is replaced, over TLS too', async (t) => {
  const known = new WeakSet<Socket>()
  const { port, names } = await openSecure(t, (request, response) => {
    if (known.has(request.socket)) request.socket.destroy()
    else accept(request, response)
    known.add(request.socket)
  })
  const { send } = openSending(t, { ca: [authority.cert] })
  const url = `https://hooks.example.com:${port}/`
  assert.deepEqual([await send(url), await send(url)], [answered(200), answered(200)])
  assert.equal(names.length, 2)
})

test('a receiver that hangs up in the middle of the handshake, or never begins it, has failed', async (t) => {
  const hangsUp = await openRaw(t, (socket) => socket.once('data', () => socket.destroy()))
  const { send } = openSending(t, { timeoutMs: 200 })
  assert.deepEqual(await send(`https://127.0.0.1:${hangsUp.port}/`), failed('connection_failed'))
  const silent = await openRaw(t, (socket) => socket.resume())
  assert.deepEqual(await send(`https://127.0.0.1:${silent.port}/`), failed('timeout'))
})

/** A process of its own, whose environment wants a proxy and no verification. */
async function inChild(script: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  return said
}

const senderUrl = new URL('../../../src/adapters/webhook/sender.ts', import.meta.url).href

test('proxy variables do not matter, nor those that turn verification off', async (t) => {
  const proxy = await openSentinel(t)
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const secure = await openSecure(t)
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const environment = {
    NODE_USE_ENV_PROXY: '1',
    NODE_NO_WARNINGS: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    ...Object.fromEntries(names.map((name) => [name, proxyUrl])),
  }
  const urls = [receiver.url, receiver.url.replace('127.0.0.1', 'hooks.example.com')]
  const secureUrls = [`https://127.0.0.1:${secure.port}/`, `https://hooks.example.com:${secure.port}/`]
  const sends = `
    import { createWebhookSender } from ${JSON.stringify(senderUrl)}
    const resolver = { resolve: async () => ['127.0.0.1'] }
    const sender = createWebhookSender({ resolver, allowPrivate: true, ownAddresses: () => [] })
    const outcomes = []
    for (const url of ${JSON.stringify([...urls, ...secureUrls])}) {
      outcomes.push(await sender.send({ url, headers: {}, body: Buffer.from('{}') }))
    }
    await sender.close()
    console.log(JSON.stringify(outcomes))`
  const outcomes = JSON.parse(await inChild(sends, environment)) as unknown
  assert.deepEqual(outcomes, [answered(200), answered(200), failed('tls_failed'), failed('tls_failed')])
  assert.equal(receiver.requests.length, 2)
  assert.equal(secure.requests(), 0)
  await proxy.assertUntouched()

  // The variables do work: a request that knows nothing of us goes to the proxy.
  const asks = `
    import { get } from 'node:http'
    get(${JSON.stringify(receiver.url)}).on('error', () => undefined)`
  await inChild(asks, environment)
  await assert.rejects(proxy.assertUntouched(), /connections at the sentinel/)
})
