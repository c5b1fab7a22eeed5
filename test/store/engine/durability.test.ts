/** Acknowledged means durable, and durability is shared. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { createChange } from '../../../src/adapters/store/engine/named-changes.ts'
import { migrate } from '../../../src/adapters/store/engine/migrations.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import type { Driver } from '../../../src/adapters/store/engine/driver.ts'
import { query, type Script } from '../../../src/adapters/store/engine/script.ts'
import { openSqlite } from '../../../src/adapters/store/engine/sqlite.ts'
import { createStore } from '../../../src/adapters/store/engine/store.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import type { CommitCommand, Verification } from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../src/core/reference/currency.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'

test('sqlite: the connection that writes is in WAL mode with full synchronisation and guarded triggers', async () => {
  const database = await freshDatabase('sqlite')
  const driver = openSqlite({ leafHashes, path: database.url.slice('sqlite:'.length) })
  const value = (name: string): unknown =>
    Object.values(driver.database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  assert.equal(value('journal_mode'), 'wal')
  assert.equal(value('synchronous'), 2)
  assert.equal(value('recursive_triggers'), 1)
  await driver.close()
  await database.drop()
})

test('postgres: commits are synchronous even where the server is set otherwise', async () => {
  const database = await freshDatabase('postgres')
  const operator = new pg.Client({ connectionString: database.url })
  await operator.connect()
  await operator.query(
    `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit TO off`,
  )
  await operator.end()
  const driver = openPostgres({
    leafHashes,
    url: database.url,
    onIdleError: () => {},
    onMissingPartition: () => Promise.resolve(),
  })
  const [row] = await driver.transact(() => query('SHOW synchronous_commit'))
  assert.equal(row?.['synchronous_commit'], 'on')
  await driver.close()
  await database.drop()
})

function* failing(): Script<never> {
  yield* query('SELECT 1')
  throw new Error('it fails')
}

test('sqlite: only work that can be done again is committed without waiting for the disk, also where it fails', async () => {
  const database = await freshDatabase('sqlite')
  const driver = openSqlite({ leafHashes, path: database.url.slice('sqlite:'.length) })
  const ask = () => query('PRAGMA synchronous')
  const during = async (isRepeatable: boolean): Promise<unknown> =>
    (await driver.transact(ask, { isRepeatable }))[0]?.['synchronous']
  assert.equal(await during(true), 1)
  assert.equal(await during(false), 2, 'the next commit waits')
  await assert.rejects(driver.transact(failing, { isRepeatable: true }), /it fails/)
  assert.equal(await during(false), 2)
  await driver.close()
  await database.drop()
})

test('postgres: only work that can be done again is committed without waiting for the disk, also where it fails', async () => {
  const database = await freshDatabase('postgres')
  const driver = openPostgres({
    leafHashes,
    url: database.url,
    onIdleError: () => {},
    onMissingPartition: () => Promise.resolve(),
  })
  const ask = () => query('SHOW synchronous_commit')
  // One after the other, and so on the same connection of the pool.
  const during = async (isRepeatable: boolean): Promise<unknown> =>
    (await driver.transact(ask, { isRepeatable }))[0]?.['synchronous_commit']
  assert.equal(await during(true), 'off')
  assert.equal(await during(false), 'on', 'the next commit waits')
  await assert.rejects(driver.transact(failing, { isRepeatable: true }), /it fails/)
  assert.equal(await during(false), 'on')
  await driver.close()
  await database.drop()
})

test('decisions, overrides, endpoints, checkpoints and the list of events are committed as durable; what follows is not', async () => {
  const durable: string[] = []
  const repeatable: string[] = []
  let name = ''
  const change = createChange((_script, { isRepeatable = false } = {}) => {
    ;(isRepeatable ? repeatable : durable).push(name)
    return Promise.reject(new Error('not now'))
  }, leafHashes)
  const names = [
    'commit',
    'override',
    'insertWebhook',
    'removeWebhook',
    'appendToLog',
    'addLogKey',
    'followEvents',
  ] as const
  for (name of [...names, 'sequenceBacklog', 'sequence', 'follow', 'replaceLease'] as const) {
    const start = change as (one: string, ...values: unknown[]) => Promise<unknown>
    await assert.rejects(start(name), /not now/)
  }
  assert.deepEqual(durable, [...names, 'sequenceBacklog'])
  assert.deepEqual(repeatable, ['sequence', 'follow', 'replaceLease'])
})

test('concurrent writes share commits', async () => {
  const database = await freshDatabase('sqlite')
  const clock = new ManualClock()
  const driver = openSqlite({ leafHashes, path: database.url.slice('sqlite:'.length) })
  await driver.transact(() => migrate('sqlite', clock.nowMs()))
  let transactions = 0
  const counting: Driver = {
    ...driver,
    change: createChange((script) => {
      transactions += 1
      return driver.transact(script)
    }, leafHashes),
  }
  const store = createStore(counting)
  const ids = createIds({ clock, random: systemRandom })
  const record = (): Verification => ({
    ...ids.nextRequest(),
    ownerId: 'o',
    keyId: 'k',
    mode: 'shadow',
    corridor: 'GB-NG' as Corridor,
    verdict: 'GO',
    scoreHundredths: 1,
    confidenceHundredths: 1,
    amount: null,
    currency: 'GBP' as Currency,
    form: 2,
    correlationId: null,
    personalText: null,
    evaluatedAtMs: 0,
    cooldownSourceId: null,
    answer: '{}',
    evidence: '{}',
  })
  const withHash = (made: Verification): CommitCommand => ({
    record: made,
    idempotency: null,
    block: null,
    rollup: { reasonCodes: [], latencyUs: null },
  })
  await Promise.all(Array.from({ length: 640 }, () => store.commit(withHash(record()))))
  assert.equal(transactions, 10)
  assert.equal(await store.countVerifications(), 640)
  await store.close()
  await database.drop()
})

test('a schema newer than the program is refused, and not touched', async () => {
  const database = await freshDatabase('sqlite')
  const options = {
    leafHashes,
    databaseUrl: database.url,
    clock: new ManualClock(),
    random: systemRandom,
    onFault: () => {},
  }
  await (await openStore(options)).store.close()
  const operator = new DatabaseSync(database.url.slice('sqlite:'.length))
  operator.exec("INSERT INTO schema_migrations VALUES (999, 'from the future', 0)")
  operator.close()
  await assert.rejects(openStore(options), /schema 999, newer than this program/)
  await database.drop()
})
