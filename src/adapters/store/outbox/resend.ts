/** SQL of sending by request: a test, one event or many again; and of suspensions, which end by any of these. */

import { eventIdOf, type EventId, type EventKind } from '../../../core/events/event.ts'
import { firstRequestIdAt } from '../../../core/identity/request-id.ts'
import type {
  ResendRange,
  Resent,
  ResendResult,
  ResentSome,
  Unanswered,
} from '../../../app/ports/webhooks.ts'
import { actStatements, type HashedAct } from '../admin/acts.ts'
import { query, type Script } from '../engine/script.ts'
import { deliveryColumns } from './announce.ts'
import { resume } from './webhooks.ts'

/** The most rows changed by one statement. */
const rowsPerStatementMax = 1_000

/** Adds one event for one endpoint, regardless of its subscriptions. */
export function* announceTo(
  ownerId: string,
  webhookId: string,
  { eventId, kind, createdAtMs }: { eventId: EventId; kind: EventKind; createdAtMs: number },
  act: HashedAct | null,
): Script<boolean> {
  if (!(yield* resume(ownerId, webhookId, act))) return false
  yield* query(
    `INSERT INTO webhook_deliveries (${deliveryColumns})
      VALUES ($1, $2, $3, NULL, CAST($4 AS bigint), 'pending', 1, CAST($4 AS bigint), '[]')`,
    [webhookId, eventId, kind, createdAtMs],
  )
  return true
}

/** An attempt that is being made keeps its lease and its number. To ask for one that is due already is no act. */
export function* resend(
  { ownerId, webhookId, eventId }: { ownerId: string; webhookId: string; eventId: EventId },
  { nowMs, attemptsMax }: Resent,
  act: HashedAct | null,
): Script<ResendResult | null> {
  const [row] = yield* query(
    `SELECT attempt, state, lease, due_at_ms, suspended_at_ms FROM webhook_deliveries
      WHERE webhook_id = $2 AND event_id = $3
      AND EXISTS (SELECT 1 FROM webhooks w WHERE w.webhook_id = $2 AND w.owner_id = $1 AND w.place IS NOT NULL)
      FOR UPDATE`,
    [ownerId, webhookId, eventId],
  )
  if (row === undefined) return null
  if (row['lease'] !== null) return 'busy'
  const isPending = row['state'] === 'pending'
  if (isPending && Number(row['due_at_ms']) <= nowMs) {
    yield* resume(ownerId, webhookId)
    return 'due'
  }
  // One that was suspended has an attempt which was not made.
  const number = Number(row['attempt']) + (isPending || row['suspended_at_ms'] !== null ? 0 : 1)
  if (number > attemptsMax) return 'too_many'
  yield* query(
    `UPDATE webhook_deliveries SET state = 'pending', attempt = $3, due_at_ms = $4, suspended_at_ms = NULL
      WHERE webhook_id = $1 AND event_id = $2`,
    [webhookId, eventId, number, nowMs],
  )
  yield* resume(ownerId, webhookId, act)
  return 'due'
}

/** The caller must have checked that the endpoint belongs to the owner. Due in the order of their creation. */
export function* resendSome(
  webhookId: string,
  { sinceMs, untilMs, after, attemptsMax }: ResendRange,
): Script<ResentSome> {
  const rows = yield* query(
    `SELECT event_id FROM webhook_deliveries INDEXED BY webhook_deliveries_dropped
      WHERE webhook_id = $1 AND state = 'dropped' AND event_id > $2 AND event_id < $3 ORDER BY event_id LIMIT $4`,
    [webhookId, after, eventIdOf(firstRequestIdAt(untilMs)), rowsPerStatementMax],
  )
  const last = rows.at(-1)?.['event_id'] as EventId | undefined
  if (last === undefined) return { queued: 0, after: null }
  // `due_at_ms` is the time at which it was dropped or suspended.
  const queued = yield* query(
    `UPDATE webhook_deliveries SET state = 'pending', attempt = ${nextAttemptSql}, due_at_ms = created_at_ms,
        suspended_at_ms = NULL
      WHERE webhook_id = $1 AND state = 'dropped' AND event_id > $2 AND event_id <= $3
        AND due_at_ms >= $4 AND ${nextAttemptSql} <= $5 RETURNING event_id`,
    [webhookId, after, last, sinceMs, attemptsMax],
  )
  return { queued: queued.length, after: rows.length < rowsPerStatementMax ? null : last }
}

/** The attempt of an event that was suspended was not made. */
const nextAttemptSql = 'attempt + CASE WHEN suspended_at_ms IS NULL THEN 1 ELSE 0 END'

export function* suspend({ webhookId, sinceMs }: Unanswered, atMs: number, act: HashedAct): Script<boolean> {
  const rows = yield* query(
    `UPDATE webhooks SET suspended_at_ms = $3
      WHERE webhook_id = $1 AND failing_since_ms = $2 AND suspended_at_ms IS NULL AND place IS NOT NULL
      RETURNING webhook_id`,
    [webhookId, sinceMs, atMs],
  )
  if (rows.length === 0) return false
  yield actStatements(act)
  return true
}

/** An attempt that is under way may yet be delivered. */
export function* shelve(webhookId: string, nowMs: number): Script<void> {
  yield* query(
    `UPDATE webhook_deliveries SET state = 'dropped', suspended_at_ms = $2, due_at_ms = $2, lease = NULL
      WHERE webhook_id = $1 AND event_id IN (
        SELECT event_id FROM webhook_deliveries
        WHERE webhook_id = $1 AND state = 'pending' AND (lease IS NULL OR due_at_ms <= $2)
        ORDER BY due_at_ms LIMIT $3) AND state NOT IN ('delivered', 'dropped')
      AND EXISTS (SELECT 1 FROM webhooks w WHERE w.webhook_id = $1 AND w.suspended_at_ms IS NOT NULL)`,
    [webhookId, nowMs, rowsPerStatementMax],
  )
}
