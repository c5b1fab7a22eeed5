/** GET /livez and GET /readyz: what orchestrators ask, without a key and outside of the published contract. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'

test('an instance whose store answers is alive and ready, and says so to anybody', async () => {
  await withHarness({}, async ({ get }) => {
    const alive = await get(null, '/livez')
    assert.deepEqual([alive.status, alive.body], [200, { status: 'alive' }])
    const ready = await get(null, '/readyz')
    const followers = ['log', 'totals', 'webhooks'].map((name) => ({
      name,
      lag_entries: 0,
      lag_seconds: 0,
      failing: false,
    }))
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', followers }])
  })
})

test('the probes are read with GET alone, and are no part of the published contract', async () => {
  await withHarness({}, async ({ send, get }) => {
    const { paths } = (await get(null, '/openapi.json')).body
    for (const url of ['/livez', '/readyz']) {
      const answer = await send({ method: 'POST', url })
      assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, HEAD'])
      assert.equal(paths[url], undefined)
    }
  })
})

test('an instance that is stopping is alive, and not ready: 503 STOPPING', async () => {
  await withHarness({}, async ({ app }) => {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => {
      received += text
    })
    // The head of the second request is not complete: its connection stays open during the stop.
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n')
    while (!received.includes('alive')) await once(socket, 'data')
    const closed = app.close()
    while (app.server.listening) await nextTurn()
    socket.write('\r\n')
    await once(socket, 'end')
    await closed
    assert.match(received, /HTTP\/1\.1 503 [^]*Retry-After: \d+[^]*"code":"STOPPING"/i)
  })
})
