/** `FAIRWAY_LOG_MASK` in a real process: what it logs, and when it does not start. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { serve } from '../../helpers/process/process.ts'

test('a server logs the same keyed hash for the same client, also after a restart', async () => {
  const database = await freshDatabase('sqlite')
  const hashes: (string | undefined)[] = []
  for (let start = 0; start < 2; start += 1) {
    const server = await serve({ DATABASE_URL: database.url, FAIRWAY_LOG_MASK: 'client_address' })
    const refused = await checkedFetch(`${server.url}/api/verifications`)
    assert.equal(refused.status, 401)
    await refused.text()
    await server.said(/"client_address"/)
    hashes.push(/"client_address":"(masked:[0-9a-f]{16})"/.exec(server.output())?.[1])
    assert.ok(!server.output().includes('"client_address":"127.0.0.1"'))
    assert.equal(await server.stop(), 0)
  }
  assert.notEqual(hashes[0], undefined)
  assert.equal(hashes[0], hashes[1])
  await database.drop()
})

test('a name that nothing has stops the start, with the list of names', async () => {
  const { code, stderr } = await runInProcess(['serve'], { FAIRWAY_LOG_MASK: 'customer' })
  assert.equal(code, 78)
  assert.match(stderr, /FAIRWAY_LOG_MASK must be names from .*correlation_id.*, not "customer"/)
})
