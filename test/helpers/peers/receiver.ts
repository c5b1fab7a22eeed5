/** A receiver of webhooks on the loopback interface: it keeps what it is sent and answers as it is told. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes. */
  readonly body: Buffer
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into events freely
  readonly json: any
}

/** A status, with headers and a text if need be; or no answer at all. */
export type Reaction =
  | number
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface TestReceiver {
  readonly url: string
  readonly requests: Received[]
  /** How many connections were ever opened to it. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

type Answering = (request: Received) => Reaction | Promise<Reaction>

export async function openTestReceiver(answer: Answering = () => 200): Promise<TestReceiver> {
  const requests: Received[] = []
  let connections = 0
  const server = createServer((incoming, outgoing) => {
    // A sender that goes away in the middle is of no interest.
    receive(incoming, outgoing, requests, answer).catch(() => outgoing.destroy())
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requests: Received[],
  answer: Answering,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { method = '', url: path = '', headers } = incoming
  const received = { method, path, headers, body, json: parsed(body) }
  requests.push(received)
  const reaction = await answer(received)
  if (reaction === 'hang') return
  const { status, headers: own = {}, body: text } = asObject(reaction)
  outgoing.writeHead(status, own).end(text)
}

function asObject(reaction: Exclude<Reaction, 'hang'>): Exclude<Reaction, 'hang' | number> {
  return typeof reaction === 'number' ? { status: reaction } : reaction
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Runs a test with a receiver of its own, and always stops it. */
export async function withReceiver(
  work: (receiver: TestReceiver) => Promise<void>,
  answer?: Answering,
): Promise<void> {
  const receiver = await openTestReceiver(answer)
  try {
    await work(receiver)
  } finally {
    await receiver.close()
  }
}
