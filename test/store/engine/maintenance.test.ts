/** The upkeep of a shared database: soon after a start, and no task behind the failure of another. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'

const dayMs = 24 * 60 * 60 * 1000
const staleSql = 'SELECT 1 FROM limit_admissions'
/** The month that is wanted after the clock has moved. */
const nextMonth = 'verifications_2026_07'
const monthSql = `SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relname = '${nextMonth}'`

async function leaveStaleLimit({ databaseUrl }: Harness): Promise<void> {
  await withDirectDatabase(databaseUrl, ({ run }) =>
    run(
      "INSERT INTO limit_admissions (bucket, at_us, first_number, last_number) VALUES ('long ago', 1, 1, 1)",
    ),
  )
}

/** Starts another instance at the end of a month, and asks until the limits are pruned: forever, if nobody does so. */
async function startAndWait({ databaseUrl, clock }: Harness): Promise<string[]> {
  const faults: string[] = []
  const { store } = await openStore({
    leafHashes,
    databaseUrl,
    clock,
    onFault: (message) => faults.push(message),
    firstMaintenanceAfterMs: 0,
  })
  // Before the timer can run: the months that the start has made are no longer enough.
  clock.advance(31 * dayMs)
  while ((await rowsOf(databaseUrl, staleSql)).length > 0);
  await store.close()
  return faults
}

const timeout = 30_000

test('the next months are made and old limits are removed soon after a start', { timeout }, async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    await leaveStaleLimit(harness)
    assert.deepEqual(await rowsOf(harness.databaseUrl, monthSql), [])
    assert.deepEqual(await startAndWait(harness), [])
    assert.equal((await rowsOf(harness.databaseUrl, monthSql)).length, 1)
  })
})

test(
  'a task of the upkeep that fails is told by name, and keeps no other from its turn',
  { timeout },
  async () => {
    await withHarness({ engine: 'postgres' }, async (harness) => {
      await leaveStaleLimit(harness)
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run(`CREATE TABLE ${nextMonth} (n integer)`))
      const [fault = '', ...others] = await startAndWait(harness)
      assert.match(fault, new RegExp(`^maintenance: partitions failed, will retry: .*${nextMonth}`))
      assert.deepEqual(others, [])
    })
  },
)
