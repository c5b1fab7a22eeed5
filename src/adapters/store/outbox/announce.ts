/** The follower `webhooks`: writes an event to the outbox for each endpoint that subscribes to it. */

import { eventIdOf, subscribableKinds, type SubscribableKind } from '../../../core/events/event.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import type { ReviewChangeKind } from '../../../core/review/life.ts'
import type { LogLeaf } from '../../../app/ports/log.ts'
import { isLiveKeySql, isOfOwnerSql, listed, reviewEventKinds } from '../events/kinds.ts'
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

/** The part of each announcement that depends on the event: its subject `r`, and the endpoints `w` that it concerns. */
const sources: Readonly<Record<SubscribableKind, Source>> = {
  'payment.decision.created': ownersOf('verifications', 'request_id', 'recorded_at_ms'),
  'payment.override.created': ownersOf('overrides', 'override_id', 'created_at_ms'),
  // Corridors belong to the installation, so the event goes to every owner with a live key.
  'corridor.status.changed': {
    from: `acts r ON r.act_id = s.subject_id AND r.kind = 'corridor.status_changed'
      JOIN webhooks w ON EXISTS (SELECT 1 FROM api_keys k
        WHERE k.owner_id = w.owner_id AND ${isLiveKeySql})`,
    requestId: 'NULL',
    at: 'at_ms',
    where: '',
  },
  'payment.review.opened': changesOf(reviewEventKinds['payment.review.opened']),
  'payment.review.closed': changesOf(reviewEventKinds['payment.review.closed']),
  // To the owner's other endpoints.
  'webhook.endpoint.suspended': {
    from: `acts r ON r.act_id = s.subject_id AND r.kind = 'webhook.suspended'
      JOIN webhooks w ON w.webhook_id <> r.subject AND ${isOfOwnerSql('w')}`,
    requestId: 'NULL',
    at: 'at_ms',
    where: '',
  },
}

interface Source {
  readonly from: string
  readonly requestId: string
  readonly at: string
  readonly where: string
}

/** Subjects without a form were announced by the earlier version that recorded them. */
function ownersOf(table: string, id: string, at: string): Source {
  const from = `${table} r ON r.${id} = s.subject_id JOIN webhooks w ON w.owner_id = r.owner_id`
  return { from, requestId: 'r.request_id', at, where: ' AND r.form IS NOT NULL' }
}

/** Changes of reviews of these kinds. */
function changesOf(kinds: readonly ReviewChangeKind[]): Source {
  const from = `review_changes r ON r.change_id = s.subject_id AND r.kind IN (${listed(kinds)})
      JOIN webhooks w ON w.owner_id = r.owner_id`
  return { from, requestId: 'r.request_id', at: 'at_ms', where: '' }
}

/**
 * An endpoint gets what was recorded while it was registered: entries from its first one on. If it is suspended, they are
 * not sent, but can be sent again.
 */
function announceText(kind: SubscribableKind, rows: number): string {
  const { from, requestId, at, where } = sources[kind]
  return `WITH subjects (event_id, subject_id, leaf) AS (VALUES ${placeholders(rows, 3)})
    INSERT INTO webhook_deliveries (${deliveryColumns}, suspended_at_ms)
    SELECT w.webhook_id, s.event_id, '${kind}', ${requestId}, r.${at},
      CASE WHEN w.suspended_at_ms IS NULL THEN 'pending' ELSE 'dropped' END, 1, r.${at}, '[]', w.suspended_at_ms
      FROM subjects s JOIN ${from}
      WHERE w.place IS NOT NULL AND w.from_leaf <= CAST(s.leaf AS bigint)
        AND ' ' || w.events || ' ' LIKE '% ${kind} %'${where}
    RETURNING webhook_id`
}

const announceSql = Object.fromEntries(
  subscribableKinds.map((kind) => [kind, sqlForRows((rows) => announceText(kind, rows))]),
) as Readonly<Record<SubscribableKind, (rows: number) => string>>

/** Whether an entry may be the subject of an event, by its id. */
const isSubjectOf: Readonly<Record<SubscribableKind, (subjectId: string) => boolean>> = {
  'payment.decision.created': isRequestId,
  'payment.override.created': (id) => id.startsWith('ovr_'),
  'corridor.status.changed': (id) => id.startsWith('act_'),
  'payment.review.opened': (id) => id.startsWith('rvc_'),
  'payment.review.closed': (id) => id.startsWith('rvc_'),
  'webhook.endpoint.suspended': (id) => id.startsWith('act_'),
}

export function* announce(leaves: readonly LogLeaf[]): Script<Effect> {
  const endpoints = yield* query('SELECT 1 AS one FROM webhooks WHERE place IS NOT NULL LIMIT 1')
  if (endpoints.length === 0) return { statements: [], isIdle: true }
  return {
    statements: subscribableKinds.flatMap((kind) =>
      statementsOf(
        kind,
        leaves.filter(({ subjectId }) => isSubjectOf[kind](subjectId)),
      ),
    ),
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
