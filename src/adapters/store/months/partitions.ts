/** Creates the monthly partitions of the records ahead of time (PostgreSQL only). */

import type pg from 'pg'
import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'

const monthsAhead = 3

/** An arbitrary number, the same in every instance. */
export const schemaLock = 4_812_771

const lockTimeoutMs = 2_000

/** Keeps rows of a few kilobytes uncompressed: compression costs more than it saves. */
const storage = 'toast_tuple_target = 8160'

export const partitionOf = (month: Month): string => `verifications_${month.replace('-', '_')}`

/** Creates the partitions of this month and the next ones. Safe to run concurrently. */
export async function ensurePartitions(pool: pg.Pool, nowMs: number): Promise<void> {
  const now = monthAt(nowMs)
  const wanted = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthAt(monthStartMs(now, ahead)))
  const present = await partitionNames(pool)
  for (const month of wanted) if (!present.has(partitionOf(month))) await createPartition(pool, month)
}

async function partitionNames(connection: pg.Pool | pg.PoolClient): Promise<Set<string>> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'verifications'::regclass`,
  )
  return new Set(rows.map((row) => row.name))
}

/** Creates the table, then attaches it. Unlike CREATE TABLE PARTITION OF, this blocks no readers or writers. */
async function createPartition(pool: pg.Pool, month: Month): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
    const name = partitionOf(month)
    if (!(await partitionNames(client)).has(name)) {
      await refuseDetached(client, month)
      for (const statement of partitionStatements(month)) await client.query(statement)
    }
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Statements that create a month's partition with its triggers. */
export function partitionStatements(month: Month): string[] {
  const name = partitionOf(month)
  return [
    `CREATE TABLE ${name} (LIKE verifications INCLUDING ALL)`,
    ...truncateTrigger(name),
    ...attachStatements(name, month),
  ]
}

/** An empty partition in place of a detached month would prevent attaching the month again. */
async function refuseDetached(client: pg.PoolClient, month: Month): Promise<void> {
  const table = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('partition_moves') IS NOT NULL AS exists",
  )
  if (table.rows[0]?.exists !== true) return
  const moves = await client.query(
    'SELECT 1 FROM partition_moves WHERE month = $1 AND attached_at_ms IS NULL',
    [month],
  )
  if (moves.rows.length === 0) return
  throw new Error(
    `month ${month} is detached: attach it with fairway partitions attach ${month}, or correct this machine's clock`,
  )
}

/** Partitions do not inherit statement triggers: each has its own, also while detached. */
function truncateTrigger(name: string): string[] {
  return [
    `CREATE TRIGGER verifications_no_truncate BEFORE TRUNCATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_truncate`,
  ]
}

/** Statements that attach a table. It inherits the row trigger from `verifications`, but not ENABLE ALWAYS. */
export function attachStatements(name: string, month: Month): string[] {
  const { firstId, endId } = boundsOf(month)
  return [
    `ALTER TABLE ${name} SET (${storage})`,
    `ALTER TABLE verifications ATTACH PARTITION ${name} FOR VALUES FROM ('${firstId}') TO ('${endId}')`,
    `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER verifications_no_change`,
  ]
}
