/** A backup session on SQLite: one connection, one snapshot. */

import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { FileFault } from '../../app/ports/assess.ts'
import type { Row, SqlValue } from '../store/engine/script.ts'
import { inSqlite } from '../store/engine/sqlite.ts'
import { pageRows, type Session } from './session.ts'

const busyTimeoutMs = 5_000

/** Reads one snapshot, taken at the first query. */
export async function readingSqlite<Result>(
  path: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(path)) throw new FileFault(`there is no database ${path}`)
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    database.exec('BEGIN')
    const state = String(Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
    if (state !== 'ok') throw new FileFault(`${path} is damaged: ${state}`)
    return await work(sessionOf(database))
  } finally {
    database.close()
  }
}

/** Writes a new file in one transaction. */
export async function writingSqlite<Result>(
  path: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA synchronous=FULL')
    database.exec('PRAGMA recursive_triggers=on')
    database.exec('BEGIN IMMEDIATE')
    const result = await work(sessionOf(database))
    database.exec('COMMIT')
    return result
  } finally {
    database.close()
  }
}

function sessionOf(database: DatabaseSync): Session {
  const prepared = new Map<string, StatementSync>()
  const run = async (sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> => {
    const statement = prepared.get(sql) ?? database.prepare(inSqlite(sql))
    prepared.set(sql, statement)
    return statement.all(...values) as Row[]
  }
  const names = async (sql: string, values: readonly SqlValue[] = []): Promise<string[]> =>
    (await run(sql, values)).map((row) => String(row['name']))
  return {
    engine: 'sqlite',
    run,
    async *pages(sql) {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      let page: SqlValue[][] = []
      for (const row of statement.iterate()) {
        page.push(row as unknown as SqlValue[])
        if (page.length < pageRows) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    tables: () =>
      names("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"),
    columns: (table) => names('SELECT name FROM pragma_table_info($1) ORDER BY name', [table]),
    key: (table) => names('SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk', [table]),
  }
}
