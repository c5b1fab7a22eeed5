/** GET /livez and GET /readyz: what orchestrators ask, without a key and outside of the published contract. */

import assert from 'node:assert/strict'
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
