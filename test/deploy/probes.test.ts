/** The probes, asked of a real process whose database goes away and comes back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { container } from '../helpers/deploy.ts'
import { startPostgres } from '../helpers/database/postgres.ts'
import { serve } from '../helpers/process/process.ts'
import { samplesIn } from '../helpers/samples.ts'

test('while the database is away an instance is taken out and not killed, and it comes back by itself', async () => {
  const postgres = await startPostgres()
  const server = await serve({ DATABASE_URL: postgres.url })
  const { readinessProbe, livenessProbe } = container()
  const statusOf = async (probe: { httpGet: { path: string } }): Promise<number> => {
    const response = await checkedFetch(`${server.url}${probe.httpGet.path}`)
    await response.arrayBuffer()
    return response.status
  }
  const until = async (wanted: number): Promise<void> => {
    while ((await statusOf(readinessProbe)) !== wanted);
  }
  const storeUp = async (): Promise<number | undefined> => {
    const response = await checkedFetch(`${server.url}/metrics`)
    assert.equal(response.status, 200)
    return samplesIn(await response.text())['fairway_store_up']
  }
  assert.deepEqual([await statusOf(readinessProbe), await statusOf(livenessProbe)], [200, 200])
  assert.equal(await storeUp(), 1)
  await postgres.halt()
  await until(503)
  assert.equal(await statusOf(livenessProbe), 200)
  while ((await storeUp()) !== 0);
  await postgres.resume()
  await until(200)
  assert.equal(await statusOf(livenessProbe), 200)
  assert.equal(await server.stop(), 0)
  await postgres.stop()
})
