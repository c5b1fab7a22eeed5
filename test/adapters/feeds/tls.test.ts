/** A provider whose certificate nobody vouches for is not believed, whatever it says. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { generate } from 'selfsigned'
import { openFeeds } from '../../../src/adapters/feeds/open.ts'
import { readFeeds } from '../../../src/adapters/feeds/file.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { corridorOf, currencyOf } from '../../helpers/check.ts'

test('an untrusted certificate is a refused connection, and its code is told', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
  let asked = 0
  const server = createServer({ key, cert }, (_request, response) => {
    asked += 1
    response.end('{"v":1}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const read = readFeeds(
    JSON.stringify({
      deadline_ms: 20_000,
      signals: { network_healthy: { source: 'http', url, value: '/v' } },
    }),
    {},
  )
  assert.ok(read.kind === 'read')
  const feeds = openFeeds(read.file, {
    clock: new ManualClock(),
    countOutcomes: () => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null }),
    environment: {},
    onStateChange: () => undefined,
  })
  try {
    const query = { ownerId: null, corridor: corridorOf('GB-NG'), amount: null, currency: currencyOf('GBP') }
    const [route] = await feeds.read(query)
    const result = route?.results.network_healthy
    assert.ok(result?.kind === 'failed')
    assert.deepEqual([result.fault, asked], ['refused', 0])
    assert.match(result.detail, /CERT/)
  } finally {
    await feeds.close()
    server.close()
    await once(server, 'close')
  }
})
