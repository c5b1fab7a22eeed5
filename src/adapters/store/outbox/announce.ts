/** The follower `webhooks`: writes an event to the outbox for each endpoint that subscribes to it. */

import { eventIdOf, type SubscribableKind } from '../../../core/events/event.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import type { LogLeaf } from '../../../app/ports/log.ts'
import type { Effect } from '../journal/effect.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'

export const deliveryColumns =
  'webhook_id, event_id, event, request_id, created_at_ms, state, attempt, due_at_ms, attempts'

/** The tables with the subjects of each event. */
const subjects: Readonly<Record<SubscribableKind, { from: string; id: string; at: string }>> = {
  'payment.decision.created': { from: 'verifications', id: 'request_id', at: 'recorded_at_ms' },
  'payment.override.created': { from: 'overrides', id: 'override_id', at: 'created_at_ms' },
}

/**
 * An endpoint gets what was recorded while it was registered: entries from its first one on. Subjects without a form were announced by the earlier version that recorded them.
 */
function announceText(kind: SubscribableKind, rows: number): string {
  const { from, id, at } = subjects[kind]
  return `WITH subjects (event_id, subject_id, leaf) AS (VALUES ${placeholders(rows, 3)})
    INSERT INTO webhook_deliveries (${deliveryColumns})
    SELECT w.webhook_id, s.event_id, '${kind}', r.request_id, r.${at}, 'pending', 1, r.${at}, '[]'
      FROM subjects s JOIN ${from} r ON r.${id} = s.subject_id JOIN webhooks w ON w.owner_id = r.owner_id
      WHERE w.place IS NOT NULL AND w.from_leaf <= CAST(s.leaf AS bigint)
        AND ' ' || w.events || ' ' LIKE '% ${kind} %' AND r.form IS NOT NULL
    RETURNING webhook_id`
}

const announceSql: Readonly<Record<SubscribableKind, (rows: number) => string>> = {
  'payment.decision.created': sqlForRows((rows) => announceText('payment.decision.created', rows)),
  'payment.override.created': sqlForRows((rows) => announceText('payment.override.created', rows)),
}

export function* announce(leaves: readonly LogLeaf[]): Script<Effect> {
  const endpoints = yield* query('SELECT 1 AS one FROM webhooks WHERE place IS NOT NULL LIMIT 1')
  if (endpoints.length === 0) return { statements: [], isIdle: true }
  return {
    statements: [
      ...statementsOf(
        'payment.decision.created',
        leaves.filter(({ subjectId }) => isRequestId(subjectId)),
      ),
      ...statementsOf(
        'payment.override.created',
        leaves.filter(({ subjectId }) => subjectId.startsWith('ovr_')),
      ),
    ],
    webhooksOf: (groups) => webhooksOf(groups.flat()),
  }
}

function statementsOf(kind: SubscribableKind, leaves: readonly LogLeaf[]): Statement[] {
  return inRuns(leaves).map((run) => ({
    sql: announceSql[kind](run.length),
    values: run.flatMap(({ subjectId, index }) => [eventIdOf(subjectId), subjectId, index]),
  }))
}

/** The distinct endpoints of the rows. */
function webhooksOf(rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : [...new Set(rows.map((row) => String(row['webhook_id'])))]
}
