/** The database of all worlds in turn. Each world is a transaction that is rolled back, so the next starts empty. */

import { leafHashes } from '../../src/app/log/leaf.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { migrate } from '../../src/adapters/store/engine/migrations.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { openSqlite } from '../../src/adapters/store/engine/sqlite.ts'

export interface WorldDatabase {
  readonly driver: Driver
  /** Prepares a statement that bypasses the driver; cached by its text. */
  readonly prepare: (sql: string) => StatementSync
  /** Discards everything written since the last call. */
  readonly clear: () => void
}

/** A row of the table of records. */
export interface StoredRecord {
  readonly place: number
  readonly request_id: string
  readonly owner_id: string
  readonly key_id: string
  readonly mode: string
  readonly corridor: string
  readonly decision: string
  readonly score_hundredths: number
  readonly confidence_hundredths: number
  readonly recorded_at_ms: number
  readonly amount: number | null
  readonly correlation_id: string
  readonly evaluated_at_ms: number
  readonly cooldown_source_id: string | null
  readonly answer: string
  readonly evidence: string
}

/** The driver's transactions become savepoints inside the world's transaction. */
const nested: Readonly<Record<string, string>> = {
  'BEGIN IMMEDIATE': 'SAVEPOINT change',
  COMMIT: 'RELEASE change',
  ROLLBACK: 'ROLLBACK TO change; RELEASE change',
  // Refused inside a transaction, and without a meaning here.
  'PRAGMA synchronous=NORMAL': '',
  'PRAGMA synchronous=FULL': '',
}

export async function withWorldDatabase<Result>(
  work: (worldDatabase: WorldDatabase) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'fairway-simulation-'))
  const driver = openSqlite({ leafHashes, path: join(directory, 'world.db') })
  try {
    await driver.transact(() => migrate('sqlite', 0))
    const { database } = driver
    // Durability is not tested here: a world's crash is a crash of the process only.
    for (const setting of ['journal_mode=MEMORY', 'synchronous=OFF', 'cache_spill=off'])
      database.exec(`PRAGMA ${setting}`)
    const execute = database.exec.bind(database)
    database.exec = (sql) => execute(nested[sql] ?? sql)
    execute('BEGIN')
    const prepared = new Map<string, StatementSync>()
    return await work({
      driver,
      prepare(sql) {
        const statement = prepared.get(sql) ?? database.prepare(sql)
        prepared.set(sql, statement)
        return statement
      },
      clear() {
        execute('ROLLBACK')
        execute('BEGIN')
      },
    })
  } finally {
    await driver.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
