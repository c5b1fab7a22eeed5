/** On PostgreSQL the records lie in a partition a month, made ahead of time. */

import type pg from 'pg'
import { firstRequestIdAt } from '../../core/request-id.ts'

const monthsAhead = 3

/** Any number: all that matters is that every instance asks for the same lock. */
export const schemaLock = 4_812_771

/** Makes the partitions of this month and the next ones. Safe when several instances do so at once. */
export async function ensurePartitions(pool: pg.Pool, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  const wanted = Array.from({ length: monthsAhead + 1 }, (_, ahead) =>
    monthOf(now.getUTCFullYear(), now.getUTCMonth() + ahead),
  )
  const { rows } = await pool.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relname = ANY($1) AND relispartition',
    [wanted.map((month) => month.name)],
  )
  const present = new Set(rows.map((row) => row.name))
  for (const month of wanted) if (!present.has(month.name)) await makePartition(pool, month)
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

/** Rows are several kilobytes at most and compress badly for their cost: they are kept as they are. */
async function makePartition(pool: pg.Pool, { name, firstId, endId }: Month): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF verifications
        FOR VALUES FROM ('${firstId}') TO ('${endId}') WITH (toast_tuple_target = 8160)`,
    )
    await client.query(
      `CREATE OR REPLACE TRIGGER ${name}_no_truncate BEFORE TRUNCATE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
    )
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
