/** SQL of holds, counted by minute and kept for a week. */

import type { Held, HeldSum } from '../../../app/ports/holds.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import { dayMs } from '../../../core/time/durations.ts'
import { inLockOrder, query, type Script } from '../engine/script.ts'

const keptMs = 7 * dayMs

const addSql = `INSERT INTO holds AS h (owner_id, minute_at_ms, mode, corridor, reason, requests, last_at_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (owner_id, minute_at_ms, mode, corridor, reason) DO UPDATE SET
    requests = h.requests + excluded.requests,
    last_at_ms = CASE WHEN excluded.last_at_ms > h.last_at_ms THEN excluded.last_at_ms ELSE h.last_at_ms END`

const keyOf = ({ ownerId, minuteAtMs, mode, corridor, reason }: Held): string =>
  [ownerId, minuteAtMs, mode, corridor, reason].join(' ')

/** Also deletes what is too old: nothing else does, and a hold is rare. */
export function* add(held: readonly Held[]): Script<void> {
  const newestMs = Math.max(...held.map(({ minuteAtMs }) => minuteAtMs))
  yield [
    ...inLockOrder(held, keyOf).map((one) => ({
      sql: addSql,
      values: [one.ownerId, one.minuteAtMs, one.mode, one.corridor, one.reason, one.requests, one.lastAtMs],
    })),
    { sql: 'DELETE FROM holds WHERE minute_at_ms < $1', values: [newestMs - keptMs] },
  ]
}

export function* sums(ownerId: string, mode: Mode | null, sinceMs: number): Script<HeldSum[]> {
  const ofMode = mode === null ? [] : [mode]
  const rows = yield* query(
    `SELECT mode, corridor, reason, SUM(requests) AS requests, MIN(minute_at_ms) AS first_at_ms,
        MAX(last_at_ms) AS last_at_ms
      FROM holds WHERE owner_id = $1 AND minute_at_ms >= $2${mode === null ? '' : ' AND mode = $3'}
      GROUP BY mode, corridor, reason ORDER BY last_at_ms DESC, corridor, reason, mode LIMIT 1000`,
    [ownerId, sinceMs, ...ofMode],
  )
  return rows.map((row) => ({
    mode: row['mode'] as Mode,
    corridor: String(row['corridor']),
    reason: String(row['reason']),
    requests: Number(row['requests']),
    firstMinuteAtMs: Number(row['first_at_ms']),
    lastAtMs: Number(row['last_at_ms']),
  }))
}
