/** A database as an earlier version left it: its schema, with rows of a database of today in it. */

import type { SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { LeafHashes } from '../../../src/app/ports/log.ts'
import { migrate } from '../../../src/adapters/store/engine/migrations.ts'
import type { Row } from '../../../src/adapters/store/engine/script.ts'
import { ensurePartitions } from '../../../src/adapters/store/months/partitions.ts'
import { freshDatabase, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase, type DirectDatabase, type SqlRow } from '../../helpers/database/sql.ts'

/**
 * Leaves as an earlier version made them of the rows that `copyRows` leaves of a database of today: form 1, whose columns
 * for personal text are empty, since today it is kept apart.
 */
export const earlierHashes: LeafHashes = {
  ...leafHashes,
  record: (record) => leafHashes.record({ ...record, form: 1, correlationId: null }),
  override: (override) => leafHashes.override({ ...override, form: 1, justification: '', principalId: null }),
  outcome: (outcome) => leafHashes.outcome({ ...outcome, principalId: null }),
}

export async function olderDatabase(engine: Engine, schema: number, nowMs: number): Promise<FreshDatabase> {
  const database = await freshDatabase(engine)
  await withDirectDatabase(database.url, ({ run }) => migrateTo({ engine, schema, nowMs }, run))
  if (engine === 'postgres') await makePartitions(database.url, nowMs)
  return database
}

interface Target {
  readonly engine: Engine
  readonly schema: number
  readonly nowMs: number
  /** Stops after so many statements, as whoever is killed does. */
  readonly statementsMax?: number
}

/** Statement by statement, on a connection of the caller's. Returns how many there were. */
export async function migrateTo(
  { engine, schema, nowMs, statementsMax = Number.POSITIVE_INFINITY }: Target,
  run: DirectDatabase['run'],
): Promise<number> {
  const script = migrate(engine, nowMs, schema)
  let statements = 0
  for (let step = script.next(); step.done !== true;) {
    const groups: SqlRow[][] = []
    for (const { sql, values } of step.value) {
      if (statements === statementsMax) return statements
      groups.push(await run(sql, values))
      statements += 1
    }
    step = script.next(groups as Row[][])
  }
  return statements
}

async function makePartitions(url: string, nowMs: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url })
  await ensurePartitions(pool, nowMs)
  await pool.end()
}

/** Copies a table, without the columns that the earlier schema did not have. */
export async function copyRows(fromUrl: string, toUrl: string, table: string): Promise<void> {
  const columns = (await columnsOf(toUrl, table)).join(', ')
  const rows = await rowsOf(fromUrl, `SELECT ${columns} FROM ${table}`)
  await withDirectDatabase(toUrl, async (older) => {
    for (const row of rows) await insertRow(older, table, row)
  })
}

async function columnsOf(url: string, table: string): Promise<string[]> {
  const sql = url.startsWith('sqlite:')
    ? `SELECT name FROM pragma_table_info('${table}')`
    : `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}'`
  return (await rowsOf(url, sql)).map(({ name }) => String(name))
}

export async function insertRow({ run }: DirectDatabase, table: string, row: SqlRow): Promise<void> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row) as SQLInputValue[],
  )
}
