/** One POST: what arrives at the receiver, and what is told of its answer, whatever the answer is. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import type { SendOutcome } from '../../../src/app/ports/webhooks.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { openRaw } from './network.ts'
import { answered, empty, failed, openSending, wire } from './sending.ts'

test('the exact bytes and headers arrive, at the exact path', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const { send } = openSending(t)
  const { host } = new URL(receiver.url)
  const body = Buffer.from('{"text":"£5 \u0000 \u2603","n":1}\n')
  const headers = { 'content-type': 'application/json', 'User-Agent': 'Fairway', 'X-SVC-Signature': 'ab12' }
  const path = '/a%20b/../c//d;e=1?x=%2F&y=[z]&&q="'
  assert.deepEqual(await send(`http://${host}${path}`, body, headers), answered(200))
  const [request] = receiver.requests
  assert.ok(request)
  assert.equal(request.method, 'POST')
  assert.equal(request.path, '/c//d;e=1?x=%2F&y=[z]&&q=%22')
  assert.deepEqual(request.body, body)
  assert.deepEqual(request.headers, {
    'content-type': 'application/json',
    'user-agent': 'Fairway',
    'x-svc-signature': 'ab12',
    host,
    'content-length': String(body.byteLength),
    connection: 'keep-alive',
  })
})

test('the host header is the URL\u2019s, and cannot be given otherwise', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const { send } = openSending(t)
  const { port } = new URL(receiver.url)
  const forged = { Host: 'elsewhere.example.com', 'Content-Length': '1' }
  assert.deepEqual(await send(`http://Hooks.Example.com:0${port}`, Buffer.from('abc'), forged), answered(200))
  assert.equal(receiver.requests[0]?.headers.host, `hooks.example.com:${port}`)
  assert.equal(receiver.requests[0]?.path, '/')
  assert.equal(receiver.requests[0]?.body.toString(), 'abc')
})

test('every final status is an answer', async (t) => {
  for (const status of [200, 201, 204, 299, 300, 304, 400, 404, 410, 429, 500, 503, 599]) {
    const receiver = await openTestReceiver(() => status)
    t.after(() => receiver.close())
    assert.deepEqual(await openSending(t).send(receiver.url), answered(status))
  }
})

test('a redirect is not followed', async (t) => {
  const target = await openTestReceiver()
  t.after(() => target.close())
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await openTestReceiver(() => ({ status, headers: { location: target.url } }))
    t.after(() => receiver.close())
    assert.deepEqual(await openSending(t).send(receiver.url), answered(status))
  }
  assert.equal(target.connections(), 0)
})

/** Answers each request on a connection with the same bytes. */
const replying =
  (text: string, after?: (socket: Socket) => void) =>
  (socket: Socket): void => {
    socket.on('data', () => {
      socket.write(text)
      after?.(socket)
    })
  }

test('informational answers are passed over', async (t) => {
  const text = `${wire('100 Continue')}${wire('102 Processing')}${wire('103 Early Hints', ['link: </x>'])}`
  const { port } = await openRaw(t, replying(`${text}${empty('202 Accepted')}`))
  assert.deepEqual(await openSending(t).send(`http://127.0.0.1:${port}/`), answered(202))
})

const invalid: Readonly<Record<string, string>> = {
  'not HTTP': '220 smtp.example.com ESMTP\r\n\r\n',
  'a bad status': wire('abc Nonsense'),
  'a bad version': 'HTTP/9.9 200 OK\r\n\r\n',
  'a bad header': wire('200 OK', ['no colon here', 'content-length: 0']),
  'a bad length': wire('200 OK', ['content-length: ten']),
  'two lengths': wire('200 OK', ['content-length: 1', 'content-length: 2'], 'a'),
  'headers without end': wire('200 OK', [`x: ${'a'.repeat(20_000)}`, 'content-length: 0']),
  'a switch of protocols': wire('101 Switching Protocols', ['connection: upgrade', 'upgrade: websocket']),
  'a switch to nothing': wire('101 Switching Protocols'),
}

test('what is not an answer in HTTP is told as such, and ends the connection', async (t) => {
  for (const [label, text] of Object.entries(invalid)) {
    const closed = Promise.withResolvers<void>()
    const { port } = await openRaw(t, (socket) => {
      socket.on('close', () => closed.resolve())
      replying(text)(socket)
    })
    assert.deepEqual(
      await openSending(t).send(`http://127.0.0.1:${port}/`),
      failed('invalid_response'),
      label,
    )
    await closed.promise
  }
})

test('a receiver that is silent, or drips its headers, runs out of time', async (t) => {
  const drip = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    const timer = setInterval(() => socket.write('a'), 5)
    socket.on('close', () => clearInterval(timer))
  }
  const hints = (socket: Socket): void => {
    const timer = setInterval(() => socket.write(wire('102 Processing')), 30)
    socket.on('close', () => clearInterval(timer))
  }
  const runsOut = async (receive: (socket: Socket) => void): Promise<void> => {
    const closed = Promise.withResolvers<void>()
    const { port } = await openRaw(t, (socket) => {
      socket.on('close', () => closed.resolve()).resume()
      receive(socket)
    })
    const { send } = openSending(t, { timeoutMs: 200 })
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), failed('timeout'))
    await closed.promise
  }
  await Promise.all([() => undefined, drip, hints].map(runsOut))
})

test('a flood of informational answers, or of what is no body, is cut off long before the time is up', async (t) => {
  const flood = (bytes: string) => (socket: Socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket.on('drain', more)
    more()
  }
  const extension = `1;${'x'.repeat(15_000)}\r\na\r\n`
  const floods: readonly [(socket: Socket) => void, SendOutcome][] = [
    [flood(wire('100 Continue').repeat(100)), failed('invalid_response')],
    [flood(wire('103 Early Hints', [`link: ${'x'.repeat(8_000)}`])), failed('invalid_response')],
    [
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        flood(extension)(socket)
      },
      answered(200),
    ],
  ]
  for (const [start, outcome] of floods) {
    const closed = Promise.withResolvers<void>()
    const { port } = await openRaw(t, (socket) => {
      socket.on('close', () => closed.resolve())
      socket.on('error', () => undefined)
      socket.once('data', () => start(socket))
    })
    // So long that only a cut ends it within the test.
    const { send } = openSending(t, { timeoutMs: 600_000 })
    const { answer: _few, ...found } = { answer: '', ...(await send(`http://127.0.0.1:${port}/`)) }
    assert.deepEqual(found, outcome)
    await closed.promise
  }
})

test('a connection that is refused, reset or ended before the answer has failed', async (t) => {
  const { send } = openSending(t)
  const gone = await openTestReceiver()
  await gone.close()
  assert.deepEqual(await send(gone.url), failed('connection_failed'))
  const ends: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end(),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
  ]
  for (const end of ends) {
    const { port, connections } = await openRaw(t, (socket) => socket.once('data', () => end(socket)))
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), failed('connection_failed'))
    assert.equal(connections(), 1, 'a new connection is not tried again')
  }
})

test('the status is told however the body ends, and the body is cut off at 4 KiB', async (t) => {
  const bodies: Readonly<Record<string, (socket: Socket) => void>> = {
    'a long one': (socket) => socket.write(wire('200 OK', ['content-length: 4097'], 'a'.repeat(4_097))),
    'a long one that stops': (socket) =>
      socket.write(wire('200 OK', ['content-length: 1000000'], 'a'.repeat(4_097))),
    'one without end': (socket) => {
      const more = (): void => {
        while (socket.writable && socket.write('a'.repeat(1_024)));
      }
      socket.write(wire('200 OK', []))
      socket.on('drain', more)
      more()
    },
    'one of chunks without end': (socket) => {
      const more = (): void => {
        while (socket.writable && socket.write(`400\r\n${'a'.repeat(1_024)}\r\n`));
      }
      socket.write(wire('200 OK', ['transfer-encoding: chunked']))
      socket.on('drain', more)
      more()
    },
    'bad chunks': (socket) => socket.write(wire('200 OK', ['transfer-encoding: chunked'], 'zz\r\n')),
    'one that breaks off': (socket) => socket.end(wire('200 OK', ['content-length: 100'], 'abc')),
    'one that is reset': (socket) =>
      socket.write(wire('200 OK', ['content-length: 100'], 'abc'), () => socket.resetAndDestroy()),
    'one until the end of the connection': (socket) => socket.end(wire('200 OK', [], 'abc')),
  }
  for (const [label, answer] of Object.entries(bodies)) {
    const closed = Promise.withResolvers<void>()
    const { port } = await openRaw(t, (socket) => {
      socket.on('close', () => closed.resolve())
      socket.once('data', () => answer(socket))
    })
    const outcome = await openSending(t).send(`http://127.0.0.1:${port}/`)
    assert.ok(outcome.kind === 'answered' && outcome.status === 200, label)
    assert.match(outcome.answer ?? '', /^(?:abc|a{1000})?$/, label)
    await closed.promise
  }
})

test('the first 1,000 bytes of an answer are kept as text, whatever they are, and without half a character', async (t) => {
  const bodies: readonly (readonly [body: string | Buffer, kept: string | undefined])[] = [
    ['', undefined],
    ['{"ok":true}', '{"ok":true}'],
    ['x'.repeat(1_001), 'x'.repeat(1_000)],
    [`${'x'.repeat(999)}€`, 'x'.repeat(999)],
    [Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['a\u0000b', 'a\u0000b'],
  ]
  for (const [body, kept] of bodies) {
    const bytes = Buffer.from(body as string)
    const { port } = await openRaw(t, (socket) =>
      socket.once('data', () => {
        socket.write(wire('200 OK', [`content-length: ${bytes.byteLength}`]))
        socket.end(bytes)
      }),
    )
    assert.deepEqual(await openSending(t).send(`http://127.0.0.1:${port}/`), answered(200, kept))
  }
})

test('a body that never ends is waited for until the time is up, and the status is told', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { port } = await openRaw(t, (socket) => {
    socket.on('close', () => closed.resolve())
    replying(wire('503 Unavailable', ['content-length: 100'], 'abc'))(socket)
  })
  const { send } = openSending(t, { timeoutMs: 3_000 })
  assert.deepEqual(await send(`http://127.0.0.1:${port}/`), answered(503, 'abc'))
  await closed.promise
})

test('an answer before the whole request was read counts, and the rest is not sent', async (t) => {
  const bodyBytes = 64_000_000
  const arrived = Promise.withResolvers<Socket>()
  const { port } = await openRaw(t, (socket) => {
    socket.pause().write(empty('413 Too Large'))
    arrived.resolve(socket)
  })
  const outcome = await openSending(t).send(`http://127.0.0.1:${port}/`, Buffer.alloc(bodyBytes))
  assert.deepEqual(outcome, answered(413))
  const socket = await arrived.promise
  await once(socket.resume(), 'close')
  assert.ok(socket.bytesRead < bodyBytes)
})

test('headers that HTTP cannot carry end in a failure, not in a rejection', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const headers = { 'x-bad': 'a\r\nb: c' }
  const outcome = await openSending(t).send(receiver.url, Buffer.from('{}'), headers)
  assert.deepEqual(outcome, failed('connection_failed'))
  assert.equal(receiver.connections(), 0)
})

const hasIPv6 = Object.values(networkInterfaces()).some((own) =>
  own?.some(({ address }) => address === '::1'),
)

test('an IPv6 address in brackets is reached', { skip: !hasIPv6 }, async (t) => {
  const heard = Promise.withResolvers<string>()
  const { port } = await openRaw(
    t,
    (socket) => {
      socket.on('data', (chunk: Buffer) => heard.resolve(chunk.toString()))
      replying(empty('200 OK'))(socket)
    },
    '::1',
  )
  assert.deepEqual(await openSending(t).send(`http://[0:0::1]:${port}/`), answered(200))
  assert.ok((await heard.promise).includes(`host: [::1]:${port}\r\n`))
})
