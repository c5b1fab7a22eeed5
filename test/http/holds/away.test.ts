/** Holds while the database is away: counted meanwhile, written when it is back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../helpers/clock.ts'
import { migratedDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { openTcpProxy } from '../../helpers/process/tcp-proxy.ts'

const payment = { corridor: 'NG-GB', amount: 5 }

test('requests that a lost database holds are counted, and shown as soon as it is back', async () => {
  const database = await migratedDatabase('postgres')
  const { port } = new URL(database.url)
  const line = await openTcpProxy({ host: '127.0.0.1', port: Number(port) })
  const behindLine = new URL(database.url)
  behindLine.host = `127.0.0.1:${line.port}`
  const harness = await assemble(behindLine.href, new ManualClock(), { settings: unlimited })
  try {
    const { key } = await harness.issue()
    assert.equal((await harness.verify(key, payment)).status, 200)
    line.cut('reset')
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, body } = await harness.verify(key, payment)
      assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
    }
    assert.equal((await harness.get(key, '/api/v1/holds')).status, 503, 'nothing can be read meanwhile')
    line.heal()
    const { status, body, text } = await harness.get(key, '/api/v1/holds')
    assert.equal(status, 200, text)
    const [held, ...more] = body.holds
    assert.deepEqual(more, [])
    assert.deepEqual(
      [body.requests, held.reason, held.corridor, held.mode, held.unavailable_signals],
      [3, 'STORE_UNAVAILABLE', 'NG-GB', 'shadow', []],
    )
    assert.equal((await rowsOf(database.url, 'SELECT 1 FROM verifications')).length, 1)
  } finally {
    await harness.close()
    await line.close()
    await database.drop()
  }
})
