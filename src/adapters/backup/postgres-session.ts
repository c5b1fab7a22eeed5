/** A backup session on PostgreSQL: one connection, one snapshot. */

import pg from 'pg'
import { FileFault } from '../../app/ports/assess.ts'
import { StoreUnavailable } from '../../app/ports/store.ts'
import { ClosingClient } from '../store/engine/postgres/connections.ts'
import type { Row, SqlValue } from '../store/engine/script.ts'
import { pageRows, type Session } from './session.ts'

const connectTimeoutMs = 5_000
const int8 = 20

/** Reads int8 as a number; all our values are safe integers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
}

/** Reads one snapshot, taken at the first query. */
export function readingPostgres<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return inTransaction(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)
}

/** Writes in one transaction, including the schema. */
export async function writingPostgres<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return inTransaction(
    url,
    'BEGIN',
    async (session) => {
      const [row] = await session.run(
        `SELECT count(*) AS count FROM pg_class WHERE relnamespace = current_schema()::regnamespace
          AND relkind IN ('r', 'p', 'v', 'm', 'f')`,
      )
      if (Number(row?.['count']) > 0) throw new FileFault('the database is not empty: restore into a new one')
      return work(session)
    },
    'ANALYZE',
  )
}

async function inTransaction<Result>(
  url: string,
  begin: string,
  work: (session: Session) => Promise<Result>,
  after: string | null = null,
): Promise<Result> {
  const client = new ClosingClient({
    connectionString: url,
    application_name: 'fairway backup',
    connectionTimeoutMillis: connectTimeoutMs,
    types,
  })
  // The pending query reports a lost connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new StoreUnavailable((error as Error).message, { cause: error })
  }
  try {
    await client.query('SET synchronous_commit TO on')
    await client.query(begin)
    const result = await work(sessionOf(client))
    await client.query('COMMIT')
    if (after !== null) await client.query(after)
    return result
  } finally {
    await client.end()
  }
}

function sessionOf(client: pg.Client): Session {
  const run = async (sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> =>
    (await client.query<Row>(sql, [...values])).rows
  const names = async (sql: string, values: readonly SqlValue[] = []): Promise<string[]> =>
    (await run(sql, values)).map((row) => String(row['name']))
  return {
    engine: 'postgres',
    run,
    async *pages(sql) {
      await client.query(`DECLARE page_by_page NO SCROLL CURSOR FOR ${sql}`)
      for (;;) {
        const { rows } = await client.query<SqlValue[]>({
          text: `FETCH ${pageRows} FROM page_by_page`,
          rowMode: 'array',
        })
        if (rows.length > 0) yield rows
        if (rows.length < pageRows) break
      }
      await client.query('CLOSE page_by_page')
    },
    // Excludes unlogged tables, and partitions, which are read through their parent table.
    tables: () =>
      names(`SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
        AND relkind IN ('r', 'p') AND relpersistence = 'p' AND NOT relispartition
        AND relname NOT LIKE 'verifications\\_detached\\_%' ORDER BY relname COLLATE "C"`),
    columns: (table) =>
      names(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0
          AND NOT attisdropped ORDER BY attname COLLATE "C"`,
        [table],
      ),
    key: (table) =>
      names(
        `SELECT a.attname AS name FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
          WHERE i.indrelid = to_regclass($1) AND i.indisprimary ORDER BY k.place`,
        [table],
      ),
  }
}
