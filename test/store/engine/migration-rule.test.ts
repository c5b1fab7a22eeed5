/** The rule for migrations: a released one is never edited, and later ones let the version before them go on deciding. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { migrations } from '../../../src/adapters/store/engine/migrations.ts'
import { inPostgres } from '../../../src/adapters/store/engine/schema/migration.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { migrateTo, olderDatabase } from './older-schema.ts'

/** The beginning of the SHA-256 of each released migration. A release adds its own. */
const released = [
  '9192fb6b6ccfe666',
  'e592806557b5a416',
  'b2d36f285a30248d',
  'd34609830ce7fdfa',
  'f1a7a9cafac7091c',
  '727f77ae4aa0443b',
  'c1bead2f3d83b9ea',
  '5c458c3101729b58',
  'f304586d81e4b466',
  '36db461ac6948846',
  '3abeb686864b8be1',
  '9a3f799088e4b592',
  '5975d26188a89246',
  'e03d225628f42ab5',
  'e73b4a8fc6fe78ea',
  '797d77e879225f67',
  'f89353bd28f22d1f',
]

/** The oldest schema whose program may run beside a newer one. */
const oldestBeside = 17

test('a released migration is as it was released', () => {
  const hashes = migrations.slice(0, released.length).map(({ number, name, shared, sqlite, postgres }) =>
    createHash('sha256')
      .update(JSON.stringify([number, name, shared, sqlite, postgres]))
      .digest('hex')
      .slice(0, 16),
  )
  assert.deepEqual(hashes, released)
})

/** A new table may be made in any way. Of a table that there is, only a column may be added, which rewrites no row. */
const newColumn =
  /^ALTER TABLE (\w+) ADD COLUMN \w+ (?:bigint|integer|text(?: COLLATE "C")?)(?: NOT NULL DEFAULT (?:\d+|'[^']*'))?$/
const newTable = /^CREATE TABLE (\w+) \(/
const newFunction = /^CREATE FUNCTION \w+\(/
const ofNewTable = [
  /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+) /,
  /^INSERT INTO (\w+) /,
  /^ALTER TABLE (\w+) (?:SET \(|ENABLE ALWAYS TRIGGER |ALTER COLUMN \w+ SET STORAGE )/,
  /^CREATE TRIGGER \w+ BEFORE (?:UPDATE OR DELETE|TRUNCATE) ON (\w+) /,
]

interface Examined {
  /** Statements that the earlier version, or its callers, would feel. */
  readonly refused: string[]
  /** Tables that were there before and are locked, for a moment. */
  readonly altered: string[]
}

function examine(statements: readonly string[]): Examined {
  const created = new Set<string>()
  const examined: Examined = { refused: [], altered: [] }
  for (const statement of statements) {
    const sql = statement.replaceAll(/\s+/g, ' ')
    const table = newTable.exec(sql)?.[1]
    if (table !== undefined) created.add(table)
    const existing = newColumn.exec(sql)?.[1]
    const own = ofNewTable.map((form) => form.exec(sql)?.[1]).find((name) => name !== undefined)
    if (table !== undefined || newFunction.test(sql) || (own !== undefined && created.has(own))) continue
    if (existing === undefined) examined.refused.push(sql)
    else if (!created.has(existing)) examined.altered.push(existing)
  }
  return examined
}

const laterStatements = migrations
  .slice(oldestBeside)
  .flatMap(({ shared, postgres }) => [...shared.map(inPostgres), ...postgres])

test('a migration takes nothing away, and only adds to a table that the version before it uses', () => {
  assert.deepEqual(examine(laterStatements).refused, [])
})

const bad = [
  'DROP TABLE overrides',
  'ALTER TABLE overrides RENAME TO judgements',
  'ALTER TABLE overrides RENAME COLUMN action TO act',
  'ALTER TABLE overrides DROP COLUMN action',
  'ALTER TABLE overrides ADD COLUMN note text NOT NULL',
  'ALTER TABLE overrides ADD COLUMN note text UNIQUE',
  'ALTER TABLE overrides ADD COLUMN at_ms bigint NOT NULL DEFAULT (random() * 10)',
  'ALTER TABLE overrides ALTER COLUMN action TYPE integer',
  'ALTER TABLE overrides ADD CONSTRAINT fresh CHECK (created_at_ms > 0)',
  'CREATE INDEX overrides_by_key ON overrides (key_id)',
  "UPDATE overrides SET action = 'HOLD'",
  'DELETE FROM holds',
  "INSERT INTO followers (name, position) VALUES ('new', 0)",
  'CREATE OR REPLACE FUNCTION fairway_refuse_change() RETURNS trigger',
  'CREATE TRIGGER more BEFORE UPDATE OR DELETE ON overrides FOR EACH ROW EXECUTE FUNCTION f()',
  'LOCK TABLE overrides',
]
for (const sql of bad) {
  test(`the rule refuses: ${sql}`, () => assert.deepEqual(examine([sql]).refused, [sql]))
}

test('the rule allows a new table, and a column that rewrites no row', () => {
  const { refused, altered } = examine([
    'CREATE TABLE notes (note_id text NOT NULL PRIMARY KEY)',
    'CREATE UNIQUE INDEX notes_by_id ON notes (note_id)',
    "INSERT INTO notes (note_id) VALUES ('1')",
    'ALTER TABLE overrides ADD COLUMN note_id text COLLATE "C"',
    "ALTER TABLE webhooks ADD COLUMN style text NOT NULL DEFAULT 'plain'",
  ])
  assert.deepEqual([refused, altered], [[], ['overrides', 'webhooks']])
})

const nowMs = new ManualClock().nowMs()
const strong = "('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')"

test('postgres: migrations lock no table against writers that was there before', async () => {
  const database = await olderDatabase('postgres', oldestBeside, nowMs)
  const tablesSql = "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace"
  try {
    await withDirectDatabase(database.url, async ({ run }) => {
      const before = new Set((await run(tablesSql)).map(({ name }) => name))
      await run('BEGIN')
      await migrateTo({ engine: 'postgres', schema: migrations.length, nowMs }, run)
      const locked = await run(`SELECT DISTINCT c.relname AS name FROM pg_locks l
        JOIN pg_class c ON c.oid = l.relation WHERE l.pid = pg_backend_pid() AND l.mode IN ${strong}`)
      await run('ROLLBACK')
      const names = locked.map(({ name }) => String(name))
      assert.ok(names.includes('owner_events'), 'the new tables are locked')
      const altered = [...new Set(examine(laterStatements).altered)]
      assert.deepEqual(names.filter((name) => before.has(name)).toSorted(), altered.toSorted())
    })
  } finally {
    await database.drop()
  }
})

test('postgres: a migration that must wait for a table gives up, so that nobody waits behind it', async () => {
  const database = await olderDatabase('postgres', oldestBeside - 1, nowMs)
  // Looked at before the drop, which may meet a connection of the open that gave up.
  const faults: string[] = []
  const onFault = (message: string): void => void faults.push(message)
  const options = { databaseUrl: database.url, clock: new ManualClock(), leafHashes, onFault }
  try {
    await withDirectDatabase(database.url, async ({ run }) => {
      await run('BEGIN')
      // As a dump does. Schema 17 adds columns to this table.
      await run('LOCK TABLE overrides IN ACCESS SHARE MODE')
      await assert.rejects(openStore(options), /^Error: the schema was not migrated: a long transaction/)
      await run('COMMIT')
    })
    const [row] = await rowsOf(database.url, 'SELECT max(number) AS schema FROM schema_migrations')
    assert.equal(row?.['schema'], oldestBeside - 1)
    const { store } = await openStore(options)
    await store.close()
    assert.deepEqual(faults, [])
  } finally {
    await database.drop()
  }
})
