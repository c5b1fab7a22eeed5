/** Merges the rollup shards of past hours and days into one row each (PostgreSQL only). */

import type pg from 'pg'
import { measureNames } from '../../../core/time/rollup.ts'
import { dayMs, hourMs } from '../../../core/time/durations.ts'

/** Bounds the duration of a statement and the rows it locks. */
const rowsPerMerge = 5_000
/** A record in progress when its hour ends may be counted late, but not a full hour late. */
const graceMs = hourMs

const key = 'owner_id, span, starts_at_ms, mode, corridor'

/**
 * One statement, so that a reader sees either the shards or their sum. Locked rows are left for the next run, and so is
 * a shard that is written late.
 */
const mergeSql = `WITH shards AS (
    DELETE FROM rollups WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM rollups
        WHERE shard > 0 AND ((span = 'hour' AND starts_at_ms < $1) OR (span = 'day' AND starts_at_ms < $2))
        LIMIT ${rowsPerMerge} FOR UPDATE SKIP LOCKED))
      RETURNING *),
  merged AS (
    INSERT INTO rollups (${key}, shard, ${measureNames.join(', ')})
      SELECT ${key}, 0, ${measureNames.map((name) => `SUM(${name})`).join(', ')} FROM shards
        GROUP BY ${key} ORDER BY ${key}
      ON CONFLICT (${key}, shard) DO UPDATE SET
        ${measureNames.map((name) => `${name} = rollups.${name} + excluded.${name}`).join(', ')})
  SELECT CAST(COUNT(*) AS integer) AS merged_rows FROM shards`

/** Runs until no shards are left or the signal aborts. */
export async function mergeShards(pool: pg.Pool, nowMs: number, signal?: AbortSignal): Promise<void> {
  const times = [hourMs, dayMs].map((spanMs) => nowMs - graceMs - spanMs)
  for (;;) {
    const { rows } = await pool.query<{ merged_rows: number }>(mergeSql, times)
    if ((rows[0]?.merged_rows ?? 0) < rowsPerMerge || signal?.aborted === true) return
  }
}
