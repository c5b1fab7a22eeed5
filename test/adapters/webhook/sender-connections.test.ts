/** The connections of the sender: kept and taken again, bounded in number, judged as they are made, closed at the end. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { test } from 'node:test'
import { createAgents, faultOf, idle } from '../../../src/adapters/webhook/agents.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { openRaw } from './network.ts'
import { answered, empty, failed, openSending } from './sending.ts'

const ok = empty('200 OK')

test('sends one after the other go over one connection, also with a body of 4 KiB', async (t) => {
  const receiver = await openTestReceiver(() => ({ status: 200, body: 'a'.repeat(4_096) }))
  t.after(() => receiver.close())
  const { send } = openSending(t)
  const kept = answered(200, 'a'.repeat(1_000))
  for (let number = 0; number < 5; number += 1) assert.deepEqual(await send(receiver.url), kept)
  assert.equal(receiver.connections(), 1)
  assert.equal(receiver.requests.length, 5)
})

test('a body of more than 4 KiB costs its connection', async (t) => {
  const receiver = await openTestReceiver(() => ({ status: 200, body: 'a'.repeat(4_097) }))
  t.after(() => receiver.close())
  const { send } = openSending(t)
  const kept = answered(200, 'a'.repeat(1_000))
  for (let number = 0; number < 3; number += 1) assert.deepEqual(await send(receiver.url), kept)
  assert.equal(receiver.connections(), 3)
})

test('a connection that the receiver closed while idle is not missed', async (t) => {
  const closed: Promise<unknown>[] = []
  const { port, connections } = await openRaw(t, (socket) => {
    closed.push(once(socket, 'close'))
    socket.on('data', () => socket.end(ok))
  })
  const { send } = openSending(t)
  for (let number = 1; number <= 3; number += 1) {
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), answered(200))
    await Promise.all(closed)
    assert.equal(connections(), number)
  }
})

/** Answers the first request of each connection, and does something else with the next. */
const answersOnce =
  (then: (socket: Socket) => void) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(ok)
      socket.once('data', () => then(socket))
    })
  }

test('a connection that the receiver closes as it is taken again is replaced at once', async (t) => {
  const ends: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end(),
    (socket) => socket.destroy(),
  ]
  for (const end of ends) {
    const { port, connections } = await openRaw(t, answersOnce(end))
    const { send } = openSending(t)
    const url = `http://127.0.0.1:${port}/`
    assert.deepEqual([await send(url), await send(url)], [answered(200), answered(200)])
    assert.equal(connections(), 2)
  }
})

test('it is replaced once: a new connection that fails is a failure', async (t) => {
  let isFirst = true
  const { port, connections } = await openRaw(t, (socket) => {
    if (isFirst) answersOnce((again) => again.destroy())(socket)
    else socket.once('data', () => socket.destroy())
    isFirst = false
  })
  const { send } = openSending(t)
  const url = `http://127.0.0.1:${port}/`
  assert.deepEqual([await send(url), await send(url)], [answered(200), failed('connection_failed')])
  assert.equal(connections(), 2)
})

test('it is not replaced once a part of the answer has come, nor when the time is up', async (t) => {
  const url = (port: number): string => `http://127.0.0.1:${port}/`
  const part = await openRaw(
    t,
    answersOnce((socket) => socket.end('HTTP/1.1 2')),
  )
  const { send } = openSending(t)
  assert.deepEqual(
    [await send(url(part.port)), await send(url(part.port))],
    [answered(200), failed('connection_failed')],
  )
  assert.equal(part.connections(), 1)

  const silent = await openRaw(
    t,
    answersOnce(() => undefined),
  )
  const hasty = openSending(t, { timeoutMs: 3_000 })
  assert.deepEqual(
    [await hasty.send(url(silent.port)), await hasty.send(url(silent.port))],
    [answered(200), failed('timeout')],
  )
  assert.equal(silent.connections(), 1)
})

/** Keeps count of the connections that are open, and tells when some number of them has been closed. */
function counting() {
  let open = 0
  let closed = 0
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  return {
    open: () => open,
    count: (socket: Socket): void => {
      open += 1
      socket.on('data', () => socket.write(ok))
      socket.on('close', () => {
        open -= 1
        closed += 1
        for (const { count, resolve } of waiting) if (closed >= count) resolve()
      })
    },
    closed: (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, resolve })
      if (closed >= count) resolve()
      return promise
    },
  }
}

test('of many connections to one host a bounded number stays open', async (t) => {
  const { open, closed, count } = counting()
  const { port } = await openRaw(t, count)
  const { send } = openSending(t)
  const sends = Array.from({ length: idle.socketsPerHostMax + 10 }, () => send(`http://127.0.0.1:${port}/`))
  await Promise.all(sends)
  await closed(10)
  assert.equal(open(), idle.socketsPerHostMax)
})

test('of connections to many hosts a bounded number stays open, the latest ones', async (t) => {
  const { open, closed, count } = counting()
  const { port, connections } = await openRaw(t, count)
  const { send } = openSending(t)
  const total = idle.socketsMax + 5
  for (let number = 0; number < total; number += 1) await send(`http://host-${number}.example.com:${port}/`)
  await closed(5)
  assert.equal(open(), idle.socketsMax)
  assert.equal(connections(), total)
  await send(`http://host-${total - 1}.example.com:${port}/`)
  assert.equal(connections(), total, 'the latest is there still')
  await send(`http://host-0.example.com:${port}/`)
  assert.equal(connections(), total + 1, 'the first made room')
})

test('the address that was really connected to is judged before anything is written', async (t) => {
  const judged: string[] = []
  // A look-up that lies, as if the judgement before the connection were not there.
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  const mayConnect = (address: string): boolean => {
    judged.push(address)
    return false
  }
  const agents = createAgents({ lookup, mayConnect }, true)
  t.after(() => agents.destroy())
  for (const isSecure of [false, true]) {
    for (const host of ['hooks.example.com', '127.0.0.1']) {
      let bytes = 0
      const closed = Promise.withResolvers<void>()
      const { port, connections } = await openRaw(t, (socket) => {
        socket.on('data', (chunk: Buffer) => (bytes += chunk.byteLength))
        socket.on('close', () => closed.resolve())
      })
      const options = { host, port, method: 'POST', headers: { secret: 'x' } }
      const request = isSecure
        ? secureRequest({ ...options, agent: agents.secure })
        : plainRequest({ ...options, agent: agents.plain })
      request.end('body')
      const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException]
      assert.equal(faultOf(error, isSecure), 'address_refused')
      await closed.promise
      assert.deepEqual([connections(), bytes], [1, 0])
    }
  }
  assert.deepEqual(
    judged,
    Array.from({ length: 4 }, () => '127.0.0.1'),
  )
})

test('closing ends what is under way and what is idle, and nothing is sent after it', async (t) => {
  const { open, closed, count } = counting()
  const idling = await openRaw(t, count)
  const reached = Promise.withResolvers<void>()
  // Its connection is taken again, and yet it is not to be replaced when the sender closes it.
  const silent = await openRaw(
    t,
    answersOnce(() => reached.resolve()),
  )
  const { sender, send } = openSending(t)
  await send(`http://127.0.0.1:${idling.port}/`)
  assert.equal(open(), 1)
  await send(`http://127.0.0.1:${silent.port}/`)
  const underWay = send(`http://127.0.0.1:${silent.port}/`)
  await reached.promise
  await sender.close()
  assert.deepEqual(await underWay, failed('connection_failed'))
  await closed(1)
  assert.deepEqual(await send(`http://127.0.0.1:${idling.port}/`), failed('connection_failed'))
  assert.deepEqual([idling.connections(), silent.connections()], [1, 1])
})

test('closing while a name is looked up ends the send', async (t) => {
  const asked = Promise.withResolvers<void>()
  const resolve = async (): Promise<string[]> => {
    asked.resolve()
    return new Promise(() => undefined)
  }
  const { sender, send } = openSending(t, { resolver: { resolve } })
  const underWay = send('http://never.example.com/')
  await asked.promise
  await sender.close()
  assert.deepEqual(await underWay, failed('connection_failed'))
})
