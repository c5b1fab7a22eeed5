/** The upkeep of a shared database: soon after a start, and no task behind the failure of another. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'

const dayMs = 24 * 60 * 60 * 1000
const apartSql = 'SELECT 1 FROM rollups WHERE shard > 0'
const totalSql = "SELECT CAST(SUM(go) AS integer) AS total FROM rollups WHERE span = 'hour'"

/** One after the other, so that each is a batch of its own, and they are counted apart. */
async function countApart({ issue, verify, clock, databaseUrl }: Harness): Promise<void> {
  const { key } = await issue()
  for (let amount = 1; amount <= 9; amount += 1) await verify(key, { corridor: 'GB-NG', amount })
  assert.ok((await rowsOf(databaseUrl, apartSql)).length > 0, 'nothing was counted apart')
  clock.advance(3 * dayMs)
}

/** Starts another instance, and asks until nothing is apart any more: forever, if nobody gathers. */
async function startAndWait({ databaseUrl, clock }: Harness): Promise<string[]> {
  const faults: string[] = []
  const { store } = await openStore({
    leafHashes,
    databaseUrl,
    clock,
    random: systemRandom,
    onFault: (message) => faults.push(message),
    firstMaintenanceAfterMs: 0,
  })
  while ((await rowsOf(databaseUrl, apartSql)).length > 0);
  await store.close()
  return faults
}

const timeout = 30_000

test('what was counted apart and is over is brought together soon after a start', { timeout }, async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    await countApart(harness)
    assert.deepEqual(await startAndWait(harness), [])
    assert.deepEqual(await rowsOf(harness.databaseUrl, totalSql), [{ total: 9 }])
  })
})

test(
  'a task of the upkeep that fails is told by name, and keeps no other from its turn',
  { timeout },
  async () => {
    await withHarness({ engine: 'postgres' }, async (harness) => {
      await countApart(harness)
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DROP TABLE limit_admissions'))
      const [fault = '', ...others] = await startAndWait(harness)
      assert.match(fault, /^maintenance: limits failed, will retry: .*limit_admissions/)
      assert.deepEqual(others, [])
    })
  },
)
