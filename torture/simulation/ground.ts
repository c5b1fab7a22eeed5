/** The database that worlds stand on, one after another: each is a transaction that is never kept, so that the next finds it as new. */

import { leafHashes } from '../../src/app/log/leaf.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { migrate } from '../../src/adapters/store/engine/migrations.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { openSqlite } from '../../src/adapters/store/engine/sqlite.ts'

export interface Ground {
  readonly driver: Driver
  /** A look past the driver; a text is prepared once. */
  readonly prepare: (sql: string) => StatementSync
  /** Everything that was written since the last time is gone. */
  readonly clear: () => void
}

/** Inside of the world's own transaction those of the driver are nested ones. */
const nested: Readonly<Record<string, string>> = {
  'BEGIN IMMEDIATE': 'SAVEPOINT change',
  COMMIT: 'RELEASE change',
  ROLLBACK: 'ROLLBACK TO change; RELEASE change',
}

export async function withGround<Result>(work: (ground: Ground) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'fairway-simulation-'))
  const driver = openSqlite({ leafHashes, path: join(directory, 'world.db') })
  try {
    await driver.transact(() => migrate('sqlite', 0))
    const { database } = driver
    // What a disk would keep is not asked here: the crash of a world is that of its process.
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
