/** Lists the months of the records and their state: attached, detaching, detached or moved. */

import type pg from 'pg'
import type {
  DetachedMonth,
  MonthMoment,
  MonthNeeds,
  MonthState,
  StoredMonth,
} from '../../../app/ports/operate/partitions.ts'
import { reviewIdOf } from '../../../core/review/terms.ts'
import type { Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'

interface ListedRow {
  readonly month: Month
  readonly state: MonthState
  readonly table: string | null
  readonly estimate: number | null
  readonly bytes: number | null
  readonly records: number | null
  readonly fingerprint: string | null
  readonly detached_at_ms: number | null
  readonly detached_by: string | null
}

/** The table determines a month's state. A month without a table is known from `partition_moves` only. */
const listSql = `
  WITH tables AS (
    SELECT replace(right(c.relname, 7), '_', '-') AS month, c.oid, c.relname, c.reltuples,
        COALESCE(NOT i.inhdetachpending, false) AS is_attached
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'verifications'::regclass
      WHERE c.relkind = 'r' AND c.relname ~ '^verifications_(detached_)?\\d{4}_\\d{2}$'
        AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'verifications'::regclass)),
  moves AS (SELECT * FROM partition_moves WHERE attached_at_ms IS NULL)
  SELECT COALESCE(t.month, m.month) AS month, t.relname AS table,
      CASE WHEN t.is_attached THEN 'attached' WHEN m.detached_at_ms IS NULL THEN 'detaching'
        WHEN t.oid IS NOT NULL THEN 'detached'
        WHEN EXISTS (SELECT 1 FROM acts a WHERE a.kind = 'month.dropped' AND a.subject = m.month
          AND CAST(a.detail AS json) ->> 'fingerprint' = m.fingerprint) THEN 'dropped' ELSE 'moved' END AS state,
      CASE WHEN t.reltuples >= 0 THEN CAST(t.reltuples AS bigint) END AS estimate,
      pg_total_relation_size(t.oid) AS bytes,
      m.records, m.fingerprint, m.detached_at_ms, m.detached_by
    FROM tables t FULL JOIN moves m ON m.month = t.month
    WHERE t.is_attached OR m.month IS NOT NULL
    ORDER BY 1`

export async function listMonths(pool: pg.Pool): Promise<StoredMonth[]> {
  const { rows } = await pool.query<ListedRow>(listSql)
  return rows.map((row) => {
    const { month, state, table, estimate, bytes } = row
    const away = awayOf(row)
    return { month, state, table, bytes, away, records: away?.records ?? estimate }
  })
}

function awayOf({ records, fingerprint, detached_at_ms, detached_by }: ListedRow): DetachedMonth | null {
  return records === null || fingerprint === null || detached_at_ms === null
    ? null
    : { records, fingerprint, detachedAtMs: detached_at_ms, detachedBy: detached_by ?? '' }
}

export async function monthNeeds(
  pool: pg.Pool,
  month: Month,
  { nowMs, cooldownMs }: MonthMoment,
): Promise<MonthNeeds> {
  const { firstId, endId } = boundsOf(month)
  const { rows } = await pool.query<{
    deliveries: number
    cooldowns: number
    reviews: number
    now_ms: number
  }>(
    `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now_ms,
        (SELECT COUNT(*) FROM webhook_deliveries
          WHERE state = 'pending' AND request_id >= $1 AND request_id < $2) AS deliveries,
        (SELECT COUNT(*) FROM cooldowns
          WHERE request_id >= $1 AND request_id < $2 AND blocked_at_ms > $3) AS cooldowns,
        (SELECT COUNT(*) FROM reviews
          WHERE review_id >= $4 AND review_id < $5 AND closed_at_ms IS NULL AND expires_at_ms > $6) AS reviews`,
    [firstId, endId, nowMs - cooldownMs, reviewIdOf(firstId), reviewIdOf(endId), nowMs],
  )
  const [row] = rows
  return {
    pendingDeliveries: row?.deliveries ?? 0,
    openCooldowns: row?.cooldowns ?? 0,
    waitingReviews: row?.reviews ?? 0,
    databaseNowMs: row?.now_ms ?? 0,
  }
}
