/** Counts for the operator's metrics. None of the statements grows with the history. */

import type { StoreGauges } from '../../../app/ports/metrics.ts'
import { heldUntilSql } from '../outbox/failing.ts'
import { linesSql } from '../journal/queue.ts'
import { totalSql } from '../records/find.ts'
import type { Driver } from '../engine/driver.ts'
import type { Script } from '../engine/script.ts'

/** Counting stops here: an alert only needs to know that there are many. */
const countedMax = 10_000

export function* readGauges(driver: Driver, nowMs: number, cooldownMs: number): Script<StoreGauges> {
  const [guards, counts, cooldowns, outbox, endpoints, waiting, heads, notes, backlog, reviews] = yield [
    { sql: driver.checks.guarded, values: [] },
    { sql: totalSql, values: [] },
    { sql: 'SELECT COUNT(*) AS count FROM cooldowns WHERE blocked_at_ms > $1', values: [nowMs - cooldownMs] },
    { sql: outboxSql, values: [countedMax] },
    { sql: endpointsSql, values: [countedMax] },
    { sql: waitingSql, values: ['\n', countedMax] },
    { sql: 'SELECT tree_size, sequenced - tree_size AS unsealed FROM log_head', values: [] },
    { sql: 'SELECT note FROM log_checkpoints ORDER BY tree_size DESC LIMIT 1', values: [] },
    { sql: 'SELECT 1 AS remaining FROM log_backlog WHERE after_id < until_id LIMIT 1', values: [] },
    { sql: reviewsSql, values: [countedMax, nowMs] },
  ]
  const oldest = outbox?.[0]?.['oldest'] ?? null
  const note = notes?.[0]?.['note'] ?? null
  const dueAtMs = reviews?.[0]?.['oldest_due'] ?? null
  return {
    isWriteOnce: Number(guards?.[0]?.['ok'] ?? 0) === 1,
    records: Number(counts?.[0]?.['total'] ?? 0),
    cooldownsOpen: Number(cooldowns?.[0]?.['count'] ?? 0),
    outboxPending: Number(outbox?.[0]?.['count'] ?? 0),
    outboxOldestAtMs: oldest === null ? null : Number(oldest),
    endpointsSuspended: Number(endpoints?.[0]?.['suspended'] ?? 0),
    logSize: Number(heads?.[0]?.['tree_size'] ?? 0),
    logWaiting: Number(waiting?.[0]?.['count'] ?? 0) + Number(heads?.[0]?.['unsealed'] ?? 0),
    hasLogBacklog: (backlog?.length ?? 0) > 0,
    note: note === null ? null : String(note),
    reviewsWaiting: Number(reviews?.[0]?.['waiting'] ?? 0),
    reviewsOverdue: Number(reviews?.[0]?.['overdue'] ?? 0),
    reviewsOldestDueAtMs: dueAtMs === null ? null : Number(dueAtMs),
  }
}

/**
 * Jumps from endpoint to endpoint in the index of pending deliveries, so that delivered ones are not read, and not those
 * that wait for a host or are suspended, however many they are.
 */
const outboxSql = `WITH RECURSIVE e (webhook_id, place) AS (
    SELECT (SELECT MIN(d.webhook_id) FROM webhook_deliveries d WHERE d.state = 'pending'), 1
    UNION ALL
    SELECT (SELECT MIN(d.webhook_id) FROM webhook_deliveries d WHERE d.state = 'pending' AND d.webhook_id > e.webhook_id),
        e.place + 1
      FROM e WHERE e.webhook_id IS NOT NULL AND e.place < $1)
  SELECT COUNT(*) AS count, MIN(created_at_ms) AS oldest FROM (
    SELECT d.created_at_ms FROM e JOIN webhook_deliveries d ON d.webhook_id = e.webhook_id AND d.state = 'pending'
    WHERE NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.webhook_id = e.webhook_id
      AND (webhooks.suspended_at_ms IS NOT NULL OR ${heldUntilSql} IS NOT NULL))
    LIMIT $1) AS pending`

/** Few rows: an owner has at most 20. */
const endpointsSql = `SELECT COUNT(*) AS suspended FROM (
  SELECT 1 FROM webhooks WHERE suspended_at_ms IS NOT NULL AND place IS NOT NULL LIMIT $1) AS suspended`

/** The oldest are read first, so that overdue ones are counted before others. */
const reviewsSql = `SELECT COUNT(*) AS waiting, COUNT(CASE WHEN due_at_ms < $2 THEN 1 END) AS overdue,
    MIN(due_at_ms) AS oldest_due
  FROM (SELECT due_at_ms FROM reviews WHERE mode = 'live' AND closed_at_ms IS NULL AND expires_at_ms > $2
    ORDER BY due_at_ms LIMIT $1) AS live`

/** A row holds the entries of one transaction, one per line. */
const waitingSql = `SELECT COALESCE(SUM(${linesSql}), 0) AS count FROM (
  SELECT entries FROM journal_queue ORDER BY number LIMIT $2) AS waiting`
