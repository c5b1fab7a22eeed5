/** On PostgreSQL the records lie in a partition a month, made ahead of time. */

import type pg from 'pg'
import { firstRequestIdAt } from '../../core/request-id.ts'

const monthsAhead = 3

/** Any number: all that matters is that every instance asks for the same lock. */
export const schemaLock = 4_812_771

const lockTimeoutMs = 2_000

/** Makes the partitions of this month and the next ones. Safe when several instances do so at once. */
export async function ensurePartitions(pool: pg.Pool, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  const wanted = Array.from({ length: monthsAhead + 1 }, (_, ahead) =>
    monthOf(now.getUTCFullYear(), now.getUTCMonth() + ahead),
  )
  const present = await partitionNames(pool)
  for (const month of wanted) if (!present.has(month.name)) await makePartition(pool, month)
}

async function partitionNames(connection: pg.Pool | pg.PoolClient): Promise<Set<string>> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'verifications'::regclass`,
  )
  return new Set(rows.map((row) => row.name))
}

interface Month {
  readonly name: string
  readonly firstId: string
  readonly endId: string
}

function monthOf(year: number, month: number): Month {
  const start = new Date(Date.UTC(year, month))
  const name = `verifications_${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`
  return {
    name,
    firstId: firstRequestIdAt(start.getTime()),
    endId: firstRequestIdAt(Date.UTC(year, month + 1)),
  }
}

/**
 * Made apart and then attached, which hinders neither readers nor writers, as making it in its place would. Rows are a few
 * kilobytes and compress badly for what it costs: they are kept as they are.
 */
async function makePartition(pool: pg.Pool, { name, firstId, endId }: Month): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
    if (!(await partitionNames(client)).has(name)) {
      for (const statement of partitionStatements(name, firstId, endId)) await client.query(statement)
    }
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

function partitionStatements(name: string, firstId: string, endId: string): string[] {
  return [
    `CREATE TABLE ${name} (LIKE verifications INCLUDING ALL) WITH (toast_tuple_target = 8160)`,
    `CREATE TRIGGER verifications_no_truncate BEFORE TRUNCATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_truncate`,
    `ALTER TABLE verifications ATTACH PARTITION ${name} FOR VALUES FROM ('${firstId}') TO ('${endId}')`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_change`,
  ]
}
