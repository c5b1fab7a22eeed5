/** SQL of the changes of reviews, which are write-once. */

import type { ReviewChange } from '../../../app/ports/reviews.ts'
import type { OverrideAction } from '../../../core/events/override.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { ReviewChangeKind } from '../../../core/review/life.ts'
import { actorNameSql, attributedOf } from '../admin/person-rows.ts'
import {
  inRuns,
  placeholders,
  sqlForRows,
  type Row,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { queueStatement } from '../journal/queue.ts'
import { personalSql, personalTextOf, textOf, textStatements } from '../records/personal-texts.ts'

const names = [
  'change_id',
  'review_id',
  'number',
  'owner_id',
  'request_id',
  'kind',
  'key_id',
  'person_id',
  'principal_id',
  'action',
  'reason_code',
  'personal_hash',
  'proposal_id',
  'override_id',
  'due_at_ms',
  'expires_at_ms',
  'at_ms',
] as const

/** For a read as `c`, prefixed because column names repeat. */
export const changeColumns = [
  ...names.map((name) => `c.${name} AS c_${name}`),
  `${personalSql('c.change_id')} AS c_personal`,
  `${actorNameSql('c')} AS c_actor_name`,
].join(', ')

const insertSql = sqlForRows(
  (rows) => `INSERT INTO review_changes (${names.join(', ')}) VALUES ${placeholders(rows, names.length)}`,
)

/** Each change is an entry of the journal, queued in one row with the others. */
export function changeStatements(
  changes: readonly ReviewChange[],
  hashOf: (change: ReviewChange) => string,
): Statement[] {
  return [
    ...inRuns(changes).map((run) => ({ sql: insertSql(run.length), values: run.flatMap(valuesOf) })),
    ...textStatements(
      changes.flatMap(({ changeId: subjectId, ownerId, text, personalText }) =>
        text === null || personalText === null || personalText.salt === null
          ? []
          : [{ subjectId, ownerId, salt: personalText.salt, text, decision: null, corridor: null }],
      ),
    ),
    ...inRuns(changes).map((run) =>
      queueStatement(
        run.map((change) => ({ subjectId: change.changeId, leafHash: hashOf(change) })),
        0,
      ),
    ),
  ]
}

function valuesOf(change: ReviewChange): SqlValue[] {
  return [
    change.changeId,
    change.reviewId,
    change.number,
    change.ownerId,
    change.requestId,
    change.kind,
    change.by?.keyId ?? null,
    change.by?.personId ?? null,
    change.by?.principalId ?? null,
    change.action,
    change.reasonCode,
    change.personalText?.hash ?? null,
    change.proposalId,
    change.overrideId,
    change.dueAtMs,
    change.expiresAtMs,
    change.atMs,
  ]
}

export const findSql = sqlForRows(
  (rows) => `SELECT ${changeColumns} FROM review_changes c WHERE c.review_id IN ${placeholders(1, rows)}
    ORDER BY c.review_id, c.number`,
)

export function changeOf(row: Row): ReviewChange {
  const text = (name: (typeof names)[number]): string | null => {
    const value = row[`c_${name}`]
    return value === null || value === undefined ? null : String(value)
  }
  const time = (name: (typeof names)[number]): number | null => {
    const value = text(name)
    return value === null ? null : Number(value)
  }
  const found = textOf(row['c_personal'])
  return {
    changeId: text('change_id') ?? '',
    reviewId: text('review_id') ?? '',
    number: Number(text('number')),
    ownerId: text('owner_id') ?? '',
    requestId: text('request_id') as RequestId,
    kind: text('kind') as ReviewChangeKind,
    by: text('key_id') === null ? null : attributedOf(row, 'c'),
    action: text('action') as OverrideAction | null,
    reasonCode: text('reason_code'),
    text: found?.text ?? null,
    personalText: personalTextOf(row['c_personal_hash'], found),
    proposalId: text('proposal_id'),
    overrideId: text('override_id'),
    dueAtMs: time('due_at_ms'),
    expiresAtMs: time('expires_at_ms'),
    atMs: Number(text('at_ms')),
  }
}
