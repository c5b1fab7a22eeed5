/** On PostgreSQL the records lie in a partition a month, made ahead of time. */

import type pg from 'pg'
import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'

const monthsAhead = 3

/** Any number: all that matters is that every instance asks for the same lock. */
export const schemaLock = 4_812_771

const lockTimeoutMs = 2_000

/** Rows are a few kilobytes and compress badly for what it costs: they are kept as they are. */
const storage = 'toast_tuple_target = 8160'

export const partitionOf = (month: Month): string => `verifications_${month.replace('-', '_')}`

/** Makes the partitions of this month and the next ones. Safe when several instances do so at once. */
export async function ensurePartitions(pool: pg.Pool, nowMs: number): Promise<void> {
  const now = monthAt(nowMs)
  const wanted = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthAt(monthStartMs(now, ahead)))
  const present = await partitionNames(pool)
  for (const month of wanted) if (!present.has(partitionOf(month))) await makePartition(pool, month)
}

async function partitionNames(connection: pg.Pool | pg.PoolClient): Promise<Set<string>> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'verifications'::regclass`,
  )
  return new Set(rows.map((row) => row.name))
}

/** Made apart and then attached, which hinders neither readers nor writers, as making it in its place would. */
async function makePartition(pool: pg.Pool, month: Month): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
    const name = partitionOf(month)
    if (!(await partitionNames(client)).has(name)) {
      await refuseAway(client, month)
      for (const statement of partitionStatements(month)) await client.query(statement)
    }
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Makes a month, with its guards. */
export function partitionStatements(month: Month): string[] {
  const name = partitionOf(month)
  return [
    `CREATE TABLE ${name} (LIKE verifications INCLUDING ALL)`,
    ...truncateGuard(name),
    ...attachStatements(name, month),
  ]
}

/** An empty one in its place would keep the month from ever coming back. */
async function refuseAway(client: pg.PoolClient, month: Month): Promise<void> {
  const known = await client.query<{ known: boolean }>(
    "SELECT to_regclass('partition_moves') IS NOT NULL AS known",
  )
  if (known.rows[0]?.known !== true) return
  const away = await client.query(
    'SELECT 1 FROM partition_moves WHERE month = $1 AND attached_at_ms IS NULL',
    [month],
  )
  if (away.rows.length === 0) return
  throw new Error(
    `the month ${month} was detached by an operator: attach it, or set the clock of this machine right`,
  )
}

/** Statement triggers are not handed down: each partition has its own, and keeps it while it is away. */
function truncateGuard(name: string): string[] {
  return [
    `CREATE TRIGGER verifications_no_truncate BEFORE TRUNCATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_truncate`,
  ]
}

/** Puts a table in its place. Its row trigger comes from the table above, but not that it always acts. */
export function attachStatements(name: string, month: Month): string[] {
  const { firstId, endId } = boundsOf(month)
  return [
    `ALTER TABLE ${name} SET (${storage})`,
    `ALTER TABLE verifications ATTACH PARTITION ${name} FOR VALUES FROM ('${firstId}') TO ('${endId}')`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_change`,
  ]
}
