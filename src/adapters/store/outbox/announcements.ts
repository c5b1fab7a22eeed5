/** How events get into the outbox: in the transaction that writes what they tell of, so that there is never one without the other. */

import { eventIdOf, type SubscribableKind } from '../../../core/events/event.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { placeholders, sqlForRows, type Row, type SqlValue, type Statement } from '../engine/script.ts'

export const deliveryColumns =
  'webhook_id, event_id, event, request_id, created_at_ms, state, attempt, due_at_ms, attempts'

/** What an event tells of, and whose it is. */
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

/** A row for each endpoint that subscribes now, in the transaction that writes what they are told of. */
function announceText(kind: SubscribableKind, rows: number): string {
  return `WITH told (event_id, owner_id, request_id, at_ms) AS (VALUES ${placeholders(rows, 4)})
    INSERT INTO webhook_deliveries (${deliveryColumns})
    SELECT w.webhook_id, t.event_id, '${kind}', t.request_id, CAST(t.at_ms AS bigint), 'pending', 1,
        CAST(t.at_ms AS bigint), '[]'
      FROM told t JOIN webhooks w ON w.owner_id = t.owner_id
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

/** Each once. */
export function webhooksOf(rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : [...new Set(rows.map((row) => String(row['webhook_id'])))]
}
