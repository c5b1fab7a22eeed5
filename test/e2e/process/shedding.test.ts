/** The real process with more to do than it can: it refuses some, its health still answers, and it recovers by itself. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { ask, issueByCli, serve } from '../../helpers/process/process.ts'
import { samplesIn } from '../../helpers/samples.ts'

const rows = Array.from({ length: 500 }, (_, row) => ({
  id: `p-${row}`,
  corridor: 'GB-NG',
  amount: row + 0.5,
  currency: 'GBP',
}))
const callers = 24
const roundsMax = 40

test('a process that drowns refuses some with Retry-After, answers its health, and takes everything again afterwards', async () => {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
  const server = await serve({
    DATABASE_URL: database.url,
    FAIRWAY_SHED_LAG_MS: '40',
    FAIRWAY_LIMIT_BATCH: '1000000/60',
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ transactions: rows })
  const batch = async (): Promise<Response> => {
    const response = await checkedFetch(`${server.url}/api/v1/batch-assess`, {
      method: 'POST',
      headers,
      body,
    })
    await response.arrayBuffer()
    return response
  }
  let refused = 0
  let taken = 0
  try {
    for (let round = 0; round < roundsMax && refused < 3; round += 1) {
      const [health, alive, ...answers] = await Promise.all([
        checkedFetch(`${server.url}/api/health`),
        checkedFetch(`${server.url}/livez`),
        ...Array.from({ length: callers }, batch),
      ])
      assert.deepEqual([health.status, alive.status], [200, 200])
      for (const { status, headers: told } of answers) {
        assert.ok(status === 200 || status === 503, String(status))
        if (status === 503) assert.equal(told.get('retry-after'), '2')
        if (status === 503) refused += 1
        else taken += 1
      }
    }
    assert.ok(refused >= 3, `nobody was refused among ${taken}`)
    assert.ok(taken > 0)
    await server.said(/overloaded, shedding requests/)
    await server.said(/overload ended, accepting all requests/)
    // Other work on the machine may make it late once more: it ends that, too.
    let answer = await ask(server.url, key, { corridor: 'GB-NG', amount: 10 })
    for (; answer.status === 503; refused += 1)
      answer = await ask(server.url, key, { corridor: 'GB-NG', amount: 10 })
    assert.equal(answer.status, 200)
    const figures = async () => samplesIn(await (await checkedFetch(`${server.url}/metrics`)).text())
    assert.equal((await figures())['fairway_requests_shed_total'], refused)
    while ((await figures())['fairway_shedding_share'] !== 0) continue
  } finally {
    assert.equal(await server.stop(), 0)
    await database.drop()
  }
})
