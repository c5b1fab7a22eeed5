/** Opens a database to look at it: nothing is created, migrated or written. */

import { existsSync } from 'node:fs'
import type { LeafHashes } from '../../app/ports/log.ts'
import type { DatabaseLook } from '../../app/ports/operate/doctor.ts'
import { timeOfId } from '../../core/identity/request-id.ts'
import type { Driver } from './engine/driver.ts'
import { migrations } from './engine/migrations.ts'
import { openPostgres } from './engine/postgres/postgres.ts'
import { query, type Script } from './engine/script.ts'
import { openSqlite } from './engine/sqlite.ts'
import { isOwned } from './engine/sqlite-owner.ts'
import { createStore } from './engine/store.ts'

interface LookOptions {
  readonly databaseUrl: string
  readonly leafHashes: LeafHashes
}

interface EngineSql {
  readonly facts: string
  readonly hasSchema: string
  /** Null if the engine has no clock of its own. */
  readonly now: string | null
}

const sqliteSql: EngineSql = {
  facts: `SELECT sqlite_version() AS version, 1 AS is_primary, page_count * page_size AS bytes
    FROM pragma_page_count, pragma_page_size`,
  hasSchema: "SELECT 1 AS ok FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'",
  now: null,
}

const postgresSql: EngineSql = {
  facts: `SELECT current_setting('server_version') AS version, CAST(NOT pg_is_in_recovery() AS integer) AS is_primary,
    pg_database_size(current_database()) AS bytes`,
  hasSchema: "SELECT 1 AS ok WHERE to_regclass('schema_migrations') IS NOT NULL",
  now: 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now_ms',
}

/** Null if there is no such file. */
export async function lookAtDatabase({ databaseUrl, leafHashes }: LookOptions): Promise<DatabaseLook | null> {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null
  if (path !== null && !existsSync(path)) return null
  const driver =
    path === null
      ? openPostgres({
          url: databaseUrl,
          leafHashes,
          isReadOnly: true,
          onIdleError: () => undefined,
          onMissingPartition: () => Promise.resolve(),
        })
      : openSqlite({ path, leafHashes, isReadOnly: true })
  try {
    return await lookThrough(driver, path)
  } catch (error) {
    await driver.close()
    throw error
  }
}

async function lookThrough(driver: Driver, path: string | null): Promise<DatabaseLook> {
  const sql = path === null ? postgresSql : sqliteSql
  const facts = await driver.read(() => readFacts(sql))
  const store = createStore(driver)
  return {
    engine: path === null ? 'PostgreSQL' : 'SQLite',
    ...facts,
    schemaKnown: migrations.length,
    async serverNowMs() {
      if (sql.now === null) return null
      const [row] = await driver.read(() => query(sql.now ?? ''))
      return Number(row?.['now_ms'])
    },
    newestRecordAtMs: () => driver.read(newestRecordAt),
    isOwned: () => (path === null ? null : isOwned(path)),
    store,
    close: () => store.close(),
  }
}

function* readFacts(
  sql: EngineSql,
): Script<Pick<DatabaseLook, 'version' | 'isPrimary' | 'bytes' | 'schema'>> {
  const [row] = yield* query(sql.facts)
  const hasSchema = (yield* query(sql.hasSchema)).length > 0
  const [newest] = hasSchema ? yield* query('SELECT max(number) AS number FROM schema_migrations') : []
  return {
    version: String(row?.['version']),
    isPrimary: Number(row?.['is_primary']) === 1,
    bytes: Number(row?.['bytes']),
    schema: Number(newest?.['number'] ?? 0),
  }
}

/** Ids begin with their time. */
function* newestRecordAt(): Script<number | null> {
  const [row] = yield* query('SELECT request_id FROM verifications ORDER BY request_id DESC LIMIT 1')
  return row === undefined ? null : timeOfId(String(row['request_id']))
}
