/** The connections of the Python clients: kept, shared, given up in time, and never to a stranger. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { generate } from 'selfsigned'
import { startPython, runPython } from '../../helpers/process/python.ts'
import { decided, withScript } from '../../helpers/peers/scripted.ts'

const script = join(import.meta.dirname, 'connections.py')
const run = (check: string, given: object): Promise<string> => runPython(script, given, check)

interface Listening {
  readonly port: number
  /** How many connections were ever opened. */
  readonly connections: () => number
}

async function withServer(
  server: Server | ReturnType<typeof createTcpServer>,
  work: (listening: Listening) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket.on('error', () => undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work({ port: (server.address() as AddressInfo).port, connections: () => connections })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

const healthy: RequestListener = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{"status":"ok"}')

test('calls one after the other share a connection, also those of a client with other limits', () =>
  withServer(createServer(healthy), async ({ port, connections }) => {
    await run('reuse', { url: `http://127.0.0.1:${port}` })
    assert.equal(connections(), 2, 'one of each client')
  }))

/** Answers each connection's first request with bytes, and says on standard input when all of them were sent. */
async function afterFirstAnswer(check: string, answer: string, isEnd: boolean): Promise<string> {
  let python: ReturnType<typeof startPython> | null = null
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    const sent = (): void => python?.write('sent\n')
    socket.once('data', () => (isEnd ? socket.end(answer, sent) : socket.write(answer, sent)))
  })
  let printed = ''
  await withServer(server, async ({ port }) => {
    python = startPython(script, { url: `http://127.0.0.1:${port}` }, check)
    printed = await python.done()
  })
  assert.equal(connections, 6, 'each call has a connection of its own')
  return printed
}

const httpAnswer = (body: object): string => {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

test('a connection that the server has ended is not used again', async () => {
  await afterFirstAnswer('closed', httpAnswer({ status: 'ok' }), true)
})

test('an answer that nobody asked for is never that of the next payment', async () => {
  const answers = httpAnswer({ decision: 'NO-GO' }) + httpAnswer({ decision: 'GO' })
  const printed = await afterFirstAnswer('unasked', answers, false)
  assert.equal(printed, "{'decision': 'NO-GO'}\n".repeat(6))
})

test('an answer that comes long after the one that was asked for is never that of the next payment', async () => {
  let python: ReturnType<typeof startPython> | null = null
  let last: Socket | null = null
  const server = createTcpServer((socket) => {
    socket.once('data', (data) => {
      if (data.toString() === 'next')
        last?.write(httpAnswer({ decision: 'GO' }), () => python?.write('sent\n'))
      else last = socket
      if (last === socket) socket.write(httpAnswer({ decision: 'NO-GO' }))
    })
  })
  await withServer(server, async ({ port }) => {
    python = startPython(script, { url: `http://127.0.0.1:${port}`, port }, 'late')
    assert.equal(await python.done(), "{'decision': 'NO-GO'}\n".repeat(6))
  })
})

test('a client may be used in one event loop after another, by threads, and after a fork', () =>
  withServer(createServer(healthy), async ({ port, connections }) => {
    const url = `http://127.0.0.1:${port}`
    await run('loops', { url })
    assert.equal(connections(), 2)
    await run('forks', { url })
    assert.equal(connections(), 4, 'the child has one of its own')
    assert.equal(await run('threads', { url }), '80\n')
  }))

test('the connections of a burst of calls do not stay open', async () => {
  let python: ReturnType<typeof startPython> | null = null
  let ended = 0
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    held.push(() => healthy(request, response))
    if (held.length === 8) for (const answer of held) answer()
    if (held.length > 8) healthy(request, response)
  })
  // The server would close them, too.
  server.keepAliveTimeout = 0
  server.on('connection', (socket: Socket) =>
    socket.once('close', () => {
      ended += 1
      if (ended === 7) python?.write('ended\n')
    }),
  )
  await withServer(server, async ({ port }) => {
    python = startPython(script, { url: `http://127.0.0.1:${port}` }, 'burst')
    await python.done()
  })
})

test('a body that is refused before its end fails as the server says, and is sent once', async () => {
  const refuse: RequestListener = (_request, response) =>
    response.writeHead(413, { connection: 'close' }).end('{"message":"too large"}')
  const printed = '413 too large\n'.repeat(2)
  await withServer(createServer(refuse), async ({ port, connections }) => {
    assert.equal(await run('large', { url: `http://127.0.0.1:${port}` }), printed)
    assert.equal(connections(), 2)
  })
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
  })
  await withServer(createTlsServer({ key, cert }, refuse), async ({ port, connections }) => {
    const url = `https://localhost:${port}`
    assert.equal(await run('large', { url, certificate: cert }), printed)
    assert.equal(connections(), 2)
  })
})

test('an address of a host that does not work leaves the time for the others', () =>
  withServer(createServer(healthy), async ({ port }) => {
    assert.equal(await run('addresses', { url: `http://fairway.test:${port}`, port }), 'ok\nok\n')
  }))

test('cancelling a call closes its connection', async () => {
  const ended = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const server = createServer((request) => {
    request.socket.once('close', () => ended.resolve())
    arrived.resolve()
  })
  await withServer(server, async ({ port }) => {
    const python = startPython(script, { url: `http://127.0.0.1:${port}` }, 'cancel')
    await arrived.promise
    python.write('cancel\n')
    await ended.promise
    assert.equal(await python.done(), 'cancelled\n')
  })
})

test('an attempt ends in its time, however the server spreads its bytes', () =>
  withServer(
    createServer((request, response) => {
      const isHead = request.url?.startsWith('/head') === true
      const socket = request.socket
      if (isHead) socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
      else response.writeHead(200)
      const timer = setInterval(() => (isHead ? socket : response).write('a'), 20)
      socket.once('close', () => clearInterval(timer))
    }),
    async ({ port }) => {
      const line = 'TimeoutError Fairway did not respond within 0.2 s.\n'
      assert.equal(await run('slow', { url: `http://127.0.0.1:${port}` }), line.repeat(4))
    },
  ))

test('a certificate is trusted by the context that is passed, and by no other', async () => {
  const names = [{ name: 'commonName', value: 'localhost' }]
  const { private: key, cert } = await generate(names, { keySize: 2048 })
  await withServer(createTlsServer({ key, cert }, healthy), async ({ port }) => {
    const printed = await run('tls', { url: `https://localhost:${port}`, certificate: cert })
    assert.equal(printed, 'ok ok\nTrue\nTrue\n')
  })
})

test('a Decimal is sent exactly; an amount that a JSON number cannot hold is refused before anything is sent', () =>
  withScript([decided()], async ({ url, asked }) => {
    const printed = await run('numbers', { url })
    assert.deepEqual(
      asked.map(({ json }) => (json as { amount: number }).amount),
      [1000, 0.1, 1_234_567_890.12, 1000],
    )
    assert.equal(printed, 'refused\n'.repeat(7))
  }))
