/** Writes events to the outbox in the transaction that writes their subject, so that neither exists alone. */

import { eventIdOf, type SubscribableKind } from '../../../core/events/event.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { placeholders, sqlForRows, type Row, type SqlValue, type Statement } from '../engine/script.ts'

export const deliveryColumns =
  'webhook_id, event_id, event, request_id, created_at_ms, state, attempt, due_at_ms, attempts'

/** The subject of an event, and its owner. */
export interface Announcement {
  readonly ownerId: string
  readonly subjectId: string
  readonly requestId: RequestId
  readonly createdAtMs: number
}

const announceSql: Readonly<Record<SubscribableKind, (rows: number) => string>> = {
  'payment.decision.created': sqlForRows((rows) => announceText('payment.decision.created', rows)),
  'payment.override.created': sqlForRows((rows) => announceText('payment.override.created', rows)),
}

/** Inserts one delivery per endpoint that subscribes to the event now. */
function announceText(kind: SubscribableKind, rows: number): string {
  return `WITH subjects (event_id, owner_id, request_id, at_ms) AS (VALUES ${placeholders(rows, 4)})
    INSERT INTO webhook_deliveries (${deliveryColumns})
    SELECT w.webhook_id, s.event_id, '${kind}', s.request_id, CAST(s.at_ms AS bigint), 'pending', 1,
        CAST(s.at_ms AS bigint), '[]'
      FROM subjects s JOIN webhooks w ON w.owner_id = s.owner_id
      WHERE w.place IS NOT NULL AND ' ' || w.events || ' ' LIKE '% ${kind} %'
    RETURNING webhook_id`
}

export function announceStatement(kind: SubscribableKind, run: readonly Announcement[]): Statement {
  const values: SqlValue[] = []
  for (const { subjectId, ownerId, requestId, createdAtMs } of run) {
    values.push(eventIdOf(subjectId), ownerId, requestId, createdAtMs)
  }
  return { sql: announceSql[kind](run.length), values }
}

/** The distinct endpoints of the rows. */
export function webhooksOf(rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : [...new Set(rows.map((row) => String(row['webhook_id'])))]
}
