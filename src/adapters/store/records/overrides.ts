/** SQL of overrides, shared by both engines. */

import type { OverrideAction } from '../../../core/events/override.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Override } from '../../../app/ports/records.ts'
import { actorNameSql, attributedOf } from '../admin/person-rows.ts'
import { queueStatement } from '../journal/queue.ts'
import {
  formOf,
  personalSql,
  personalTextOf,
  textOf,
  textStatements,
  type NewText,
} from './personal-texts.ts'
import { last, placeholders, sqlForRows, type Row, type Script, type Statement } from '../engine/script.ts'

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
  'form',
  'personal_hash',
  'person_id',
  'principal_id',
  'review_id',
  'approved_key_id',
  'approved_person_id',
  'approved_principal_id',
] as const

/** For a join as `o`, prefixed because column names repeat. */
export const overrideColumns = [
  ...names.map((name) => `o.${name} AS o_${name}`),
  `${personalSql('o.override_id')} AS o_personal`,
  `${actorNameSql('o')} AS o_actor_name`,
  `${actorNameSql('o', 'approved_')} AS o_approved_actor_name`,
].join(', ')

/** False if the decision already has an override. */
export function* overrideOnce(override: Override, leafHash: string): Script<boolean> {
  const [inserted = []] = yield [insertOverride(override)]
  if (inserted.length === 0) return false
  yield last(overrideStatements(override, leafHash))
  return true
}

/** Everything that is written with the row of an override. */
export function overrideStatements(override: Override, leafHash: string): Statement[] {
  return [
    ...textStatements(justificationTexts(override)),
    queueStatement([{ subjectId: override.overrideId, leafHash }], 0),
  ]
}

/** The `WHERE` is for SQLite, whose trigger against replacing also refuses `ON CONFLICT DO NOTHING`. */
export function insertOverride(override: Override): Statement {
  return {
    sql: `INSERT INTO overrides (${names.join(', ')}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS bigint),
        CAST($10 AS integer), $11, $12, $13, $14, $15, $16, $17
      WHERE NOT EXISTS (SELECT 1 FROM overrides WHERE request_id = $2) ON CONFLICT DO NOTHING RETURNING override_id`,
    values: [
      override.overrideId,
      override.requestId,
      override.ownerId,
      override.keyId,
      override.action,
      override.reasonCode,
      override.form === 1 ? override.justification : '',
      override.originalVerdict,
      override.createdAtMs,
      override.form,
      override.personalText?.hash ?? null,
      override.personId,
      override.principalId,
      override.approval?.reviewId ?? null,
      override.approval?.keyId ?? null,
      override.approval?.personId ?? null,
      override.approval?.principalId ?? null,
    ],
  }
}

/** The justification of form 2. */
function justificationTexts({ form, overrideId, ownerId, justification, personalText }: Override): NewText[] {
  const salt = personalText?.salt ?? null
  if (form === 1 || justification === null || salt === null) return []
  return [{ subjectId: overrideId, ownerId, salt, text: justification, decision: null, corridor: null }]
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
  const form = formOf(row['o_form'])
  const found = textOf(row['o_personal'])
  const written = String(row['o_justification'])
  return {
    form,
    overrideId: String(row['o_override_id']),
    requestId: row['o_request_id'] as RequestId,
    ownerId: String(row['o_owner_id']),
    ...attributedOf(row, 'o'),
    approval: approvalOf(row),
    action: row['o_action'] as OverrideAction,
    reasonCode: String(row['o_reason_code']),
    // The column is empty in form 2. If somebody fills it, the check of the log finds a text that does not match.
    justification: form === 1 || written !== '' ? written : (found?.text ?? null),
    personalText: personalTextOf(row['o_personal_hash'], found),
    originalVerdict: row['o_original_decision'] as Verdict,
    createdAtMs: Number(row['o_created_at_ms']),
  }
}

/** Null for an override without a review. */
function approvalOf(row: Row): Override['approval'] {
  const reviewId = row['o_review_id'] ?? null
  return reviewId === null ? null : { reviewId: String(reviewId), ...attributedOf(row, 'o', 'approved_') }
}
