/** Public reads are limited by address, by each process for itself. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

const settings = { FAIRWAY_LIMIT_PUBLIC: '2/60' }
const routes = ['/api/v1/audit/checkpoint', '/api/v1/audit/checkpoint?from=0', '/metrics']

for (const engine of engines) {
  test(`checkpoints, their proofs and the figures are limited by address, each kind for itself (${engine})`, async () => {
    await withHarness({ engine, settings }, async ({ send, clock }) => {
      const ask = (url: string, remoteAddress = '192.0.2.1') => send({ method: 'GET', url, remoteAddress })
      for (const [first, second] of [
        [routes[0], routes[1]],
        [routes[2], routes[2]],
      ] as [string, string][]) {
        assert.equal((await ask(first)).status, 200)
        const last = await ask(second)
        assert.equal(last.status, 200)
        assert.match(String(last.headers['ratelimit']), /;r=0;/)
        for (const url of [first, second]) {
          const refused = await ask(url)
          assert.equal(refused.status, 429, url)
          assert.equal(refused.body.code, 'RATE_LIMITED')
          assert.equal(refused.headers['retry-after'], '60')
        }
        assert.equal((await ask(first, '192.0.2.2')).status, 200, 'another address')
      }
      clock.advance(60_000)
      for (const url of routes) assert.equal((await ask(url)).status, 200)
    })
  })
}
