/** On PostgreSQL: brings together what several instances counted apart, once its time is over, so that it is read in one row. */

import type pg from 'pg'
import { measureNames } from '../../../core/time/rollup.ts'
import { dayMs, hourMs } from '../../../core/time/durations.ts'

/** Bounds how long one statement takes and how many rows it holds. */
const rowsAtOnce = 5_000
/** A record that is still under way when its hour ends may be counted later; another hour on, none is. */
const graceMs = hourMs

const key = 'owner_id, span, starts_at_ms, mode, corridor'

/**
 * One statement: whoever reads sees the rows apart or together, never neither. Rows that somebody holds are left for the
 * next time. A row that is written late is only apart again.
 */
const gatherSql = `WITH apart AS (
    DELETE FROM rollups WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM rollups
        WHERE shard > 0 AND ((span = 'hour' AND starts_at_ms < $1) OR (span = 'day' AND starts_at_ms < $2))
        LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))
      RETURNING *),
  together AS (
    INSERT INTO rollups (${key}, shard, ${measureNames.join(', ')})
      SELECT ${key}, 0, ${measureNames.map((name) => `SUM(${name})`).join(', ')} FROM apart
        GROUP BY ${key} ORDER BY ${key}
      ON CONFLICT (${key}, shard) DO UPDATE SET
        ${measureNames.map((name) => `${name} = rollups.${name} + excluded.${name}`).join(', ')})
  SELECT CAST(COUNT(*) AS integer) AS gathered FROM apart`

/** Goes on until nothing is left, or it is told to stop. */
export async function gatherShards(pool: pg.Pool, nowMs: number, signal?: AbortSignal): Promise<void> {
  const times = [hourMs, dayMs].map((spanMs) => nowMs - graceMs - spanMs)
  for (;;) {
    const { rows } = await pool.query<{ gathered: number }>(gatherSql, times)
    if ((rows[0]?.gathered ?? 0) < rowsAtOnce || signal?.aborted === true) return
  }
}
