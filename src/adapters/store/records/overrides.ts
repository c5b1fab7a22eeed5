/** SQL of overrides, shared by both engines. */

import type { OverrideAction } from '../../../core/events/override.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Override } from '../../../app/ports/records.ts'
import { waitingStatements } from '../log/log-waiting.ts'
import { announceStatement, webhooksOf } from '../outbox/announcements.ts'
import { placeholders, sqlForRows, type Row, type Script, type Statement } from '../engine/script.ts'

const names = [
  'override_id',
  'request_id',
  'owner_id',
  'key_id',
  'action',
  'reason_code',
  'justification',
  'original_decision',
  'created_at_ms',
] as const

/** For a join as `o`, prefixed because column names repeat. */
export const overrideColumns = names.map((name) => `o.${name} AS o_${name}`).join(', ')

/** Returns the endpoints that have a new event, or null if the decision already has an override. */
export function* overrideOnce(override: Override, leafHash: string | null): Script<string[] | null> {
  const [inserted = []] = yield [insertOverride(override)]
  if (inserted.length === 0) return null
  const announcement = { ...override, subjectId: override.overrideId }
  const [rows = []] = yield [
    announceStatement('payment.override.created', [announcement]),
    ...waitingStatements([{ subjectId: override.overrideId, leafHash }]),
  ]
  return webhooksOf(rows)
}

/** The `WHERE` is for SQLite, whose trigger against replacing also refuses `ON CONFLICT DO NOTHING`. */
function insertOverride(override: Override): Statement {
  return {
    sql: `INSERT INTO overrides (${names.join(', ')}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS bigint)
      WHERE NOT EXISTS (SELECT 1 FROM overrides WHERE request_id = $2) ON CONFLICT DO NOTHING RETURNING override_id`,
    values: [
      override.overrideId,
      override.requestId,
      override.ownerId,
      override.keyId,
      override.action,
      override.reasonCode,
      override.justification,
      override.originalVerdict,
      override.createdAtMs,
    ],
  }
}

/** The overrides of these decisions; few have one. */
export function findOverrides(requestIds: readonly string[]): Statement {
  return { sql: findSql(requestIds.length), values: requestIds }
}

const findSql = sqlForRows(
  (rows) => `WITH wanted (request_id) AS (VALUES ${placeholders(rows, 1)})
    SELECT ${overrideColumns} FROM wanted a JOIN overrides o ON o.request_id = a.request_id`,
)

/** Reads a row of a left join; null if it has no override. */
export function overrideOf(row: Row): Override | null {
  if (row['o_override_id'] === null) return null
  return {
    overrideId: String(row['o_override_id']),
    requestId: row['o_request_id'] as RequestId,
    ownerId: String(row['o_owner_id']),
    keyId: String(row['o_key_id']),
    action: row['o_action'] as OverrideAction,
    reasonCode: String(row['o_reason_code']),
    justification: String(row['o_justification']),
    originalVerdict: row['o_original_decision'] as Verdict,
    createdAtMs: Number(row['o_created_at_ms']),
  }
}
