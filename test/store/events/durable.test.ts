/** The stream shows an event only after its place in the order is durable, on the synchronous standby, too. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followTo, sequenceAll } from '../../../src/app/followers/catch-up.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { startPostgres } from '../../helpers/database/postgres.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { assemble } from '../../helpers/harness.ts'
import { until } from '../../helpers/process/streaming.ts'

const waitsSql = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

test('postgres: an event whose place waits for the standby is not shown, although its decision is recorded', async (context) => {
  const server = await startPostgres()
  context.after(() => server.stop())
  const harness = await assemble(server.url, new ManualClock(), { engine: 'postgres' })
  context.after(() => harness.close())
  const { store } = harness
  const { journal } = store
  const { key, record } = await harness.issue()
  const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1_000 })
  const target = await sequenceAll(journal)
  const shown = async (): Promise<unknown[]> =>
    ((await store.forOwner(record.ownerId).events(null, 10))?.events ?? []).map(({ entryId }) => entryId)
  await withDirectDatabase(server.url, async ({ run }) => {
    const setStandby = async (change: string, name: string): Promise<void> => {
      await run(`ALTER SYSTEM ${change}`)
      await run('SELECT pg_reload_conf()')
      await until(
        async () => (await run('SHOW synchronous_standby_names'))[0]?.['synchronous_standby_names'] === name,
      )
    }
    await setStandby(`SET synchronous_standby_names TO 'nobody'`, 'nobody')
    const followed = followTo(journal, 'events', { target })
    const passed = followed.then(() => assert.fail('the list of events did not wait'))
    await Promise.race([passed, until(async () => (await run(waitsSql)).length > 0)])
    assert.deepEqual(await shown(), [])
    passed.catch(() => undefined)
    await setStandby('RESET synchronous_standby_names', '')
    // On a slow machine its answer may have been given up meanwhile.
    await followed.catch(() => followTo(journal, 'events', { target }))
    assert.deepEqual(await shown(), [body.request_id])
  })
})
