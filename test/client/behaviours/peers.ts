/** The peers of rows: servers on loopback that answer by a script, and the whole service. */

import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startHarness } from '../../helpers/harness.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { withScript, type ReceivedRequest } from '../../helpers/peers/scripted.ts'
import { trial } from '../../helpers/webhooks.ts'
import { filled, type Names } from './filled.ts'
import type { Received, ScriptedRow, ServiceRow, Webhook } from './row.ts'

export interface Peer {
  readonly apiKey: string
  /** The addresses that a row may name. */
  readonly names: Names
  readonly asked: readonly ReceivedRequest[]
  /** Comes before each step. */
  readonly prepare?: () => Promise<void>
  readonly webhook?: (received: Received) => Promise<Webhook>
}

type Work = (peer: Peer) => Promise<void>

/** Found in no error, no URL and no body. */
const apiKey = 'pk_test_topsecret'

export async function withScriptedPeer(row: ScriptedRow, work: Work): Promise<void> {
  const { script, elsewhere = ['drop'] } = row
  await withScript(elsewhere, async (other) => {
    if (script === 'closed') {
      let url = ''
      await withScript([], async (server) => void ({ url } = server))
      return work({ apiKey, names: { url }, asked: [] })
    }
    const names = { elsewhere: other.url }
    await withScript(filled(script, names), ({ url, asked }) => {
      // A connection that the server has closed is seen as such before the next step.
      const prepare = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
      return work({ apiKey, names: { ...names, url }, asked, prepare })
    })
    if (other.asked.length > 0) throw new Error('a server was asked whose address came from an answer')
  })
}

export interface Service {
  readonly withPeer: (row: ServiceRow, work: Work) => Promise<void>
  readonly close: () => Promise<void>
}

/** One service for all rows; each has a key of an owner of its own. */
export async function startService(): Promise<Service> {
  const harness = await startHarness({ settings: { ...trial, FAIRWAY_LIMIT_ACCESS: '100/60' } })
  const receiver = await openTestReceiver()
  const target = await harness.app.listen({ host: '127.0.0.1', port: 0 })

  async function withPeer({ service: { losses = 0, limit = 1000 } }: ServiceRow, work: Work): Promise<void> {
    const { key } = await harness.issue({ limit: { count: limit, windowMs: 60_000 } })
    receiver.requests.length = 0
    await withLossyProxy(target, losses, (url) =>
      work({
        apiKey: key,
        names: { url, receiver: receiver.url },
        asked: [],
        async prepare() {
          harness.clock.advance(1000)
          await harness.journal.passed('events')
        },
        async webhook({ received, secret }) {
          await harness.deliver()
          const { body, headers } = receiver.requests[received] ?? { body: Buffer.of(), headers: {} }
          const sent = Object.entries(headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          )
          return {
            webhook: {
              body: { base64: body.toString('base64') },
              headers: Object.fromEntries(sent) as Webhook['webhook']['headers'],
              secret,
              options: { nowSeconds: harness.clock.nowMs() / 1000 },
            },
          }
        },
      }),
    )
  }
  async function close(): Promise<void> {
    await harness.close()
    await receiver.close()
  }
  return { withPeer, close }
}

/** Passes requests on; of the first so many the answer is thrown away when it has come whole. */
async function withLossyProxy(
  target: string,
  losses: number,
  work: (url: string) => Promise<void>,
): Promise<void> {
  let lost = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const onward = send(target + url, { method, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        if (lost < losses) {
          lost += 1
          incoming.socket.destroy()
        } else {
          outgoing.writeHead(answer.statusCode ?? 0, answer.headers).end(Buffer.concat(pieces))
        }
      })
    })
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  try {
    await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}
