/** A stranger's look into a database, past our own code, on either engine. */

import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'

export type SqlRow = Readonly<Record<string, unknown>>

export interface DirectDatabase {
  /** Parameters are `$1`, `$2` …, each once and in order. */
  readonly run: (sql: string, values?: readonly SQLInputValue[]) => Promise<SqlRow[]>
}

/** Connects on its own, and always goes away again. */
export async function withDirectDatabase<Result>(
  databaseUrl: string,
  work: (stranger: DirectDatabase) => Promise<Result>,
): Promise<Result> {
  return databaseUrl.startsWith('sqlite:') ? inFile(databaseUrl, work) : onServer(databaseUrl, work)
}

async function inFile<Result>(
  url: string,
  work: (stranger: DirectDatabase) => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
  try {
    return await work({
      run: async (sql, values = []) => database.prepare(sql.replaceAll(/\$\d+/g, '?')).all(...values),
    })
  } finally {
    database.close()
  }
}

async function onServer<Result>(
  url: string,
  work: (stranger: DirectDatabase) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work({
      run: async (sql, values = []) => (await client.query<SqlRow>(sql, [...values])).rows,
    })
  } finally {
    await client.end()
  }
}

/** The rows of one query. */
export function rowsOf(databaseUrl: string, sql: string): Promise<SqlRow[]> {
  return withDirectDatabase(databaseUrl, ({ run }) => run(sql))
}

/** The tables of the history, whose guards are in the way of who wants to change it. */
const guarded = [
  'verifications',
  'overrides',
  'log_blocks',
  'log_checkpoints',
  'cip_transitions',
  'erasures',
  'acts',
]

/** As somebody who may do anything in the database, and has done away with its guards. */
export function unguarded<Result>(
  databaseUrl: string,
  work: (stranger: DirectDatabase) => Promise<Result>,
): Promise<Result> {
  return withDirectDatabase(databaseUrl, async (stranger) => {
    const { run } = stranger
    if (databaseUrl.startsWith('sqlite:')) {
      for (const { name } of await run("SELECT name FROM sqlite_schema WHERE type = 'trigger'")) {
        await run(`DROP TRIGGER ${String(name)}`)
      }
    } else for (const table of guarded) await run(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
    return work(stranger)
  })
}
