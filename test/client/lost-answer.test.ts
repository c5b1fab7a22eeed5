/** An answer that is lost on its way back: the client asks again and gets the decision that was made, not another. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { withHarness } from '../helpers/harness.ts'
import { ManualWorld } from '../helpers/peers/scripted.ts'

/** Passes requests on; of the first so many the answer is thrown away when it has come whole. */
async function withLossyProxy(
  target: string,
  losses: number,
  work: (url: string, lost: () => number) => Promise<void>,
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
    await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, () => lost)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

test('a verify without a key of its own, whose answers are lost, is decided and recorded once', async () => {
  await withHarness({}, async (harness) => {
    const target = await harness.app.listen({ host: '127.0.0.1', port: 0 })
    const { key: apiKey } = await harness.issue()
    await withLossyProxy(target, 3, async (url, lost) => {
      const client = new ManualWorld().client(url, { apiKey })
      const result = await client.verify({ corridor: 'GB-NG', amount: 1000 })
      assert.ok(!result.held)
      assert.equal(result.idempotency_hit, true)
      assert.equal(lost(), 3)
      const { items } = await client.verifications().page()
      assert.deepEqual(
        items.map((one) => one.request_id),
        [result.request_id],
      )
    })
  })
})
