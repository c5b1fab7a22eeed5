/** SQL of reviews, shared by both engines: one row each for queries, beside the changes that make it what it is. */

import type { Override } from '../../../app/ports/records.ts'
import type {
  Closing,
  DueReview,
  RecordedSubject,
  Review,
  ReviewChange,
  ReviewQuery,
  ReviewRow,
  ReviewSubject,
  WaitingSums,
} from '../../../app/ports/reviews.ts'
import type { ReviewEvent } from '../../../app/ports/webhooks.ts'
import type { OverrideAction } from '../../../core/events/override.ts'
import type { LeafHashes } from '../../../app/ports/log.ts'
import type { RecommendedAction, ReasonCode } from '../../../core/decision/reasons.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import { isWaiting, waitingStatuses, type ReviewStatus } from '../../../core/review/life.ts'
import {
  inAll,
  inLockOrder,
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { insertOverride, overrideStatements } from '../records/overrides.ts'
import { changeColumns, changeOf, changeStatements, findSql } from './changes.ts'

const subjectNames = [
  'review_id',
  'owner_id',
  'request_id',
  'mode',
  'corridor',
  'decision',
  'recommended_action',
  'reason_codes',
  'score_hundredths',
  'amount',
  'currency',
  'opened_at_ms',
  'due_at_ms',
  'expires_at_ms',
] as const
const rowNames = [...subjectNames, 'status', 'claimed_by', 'version', 'repeats'] as const
export const columns = [...subjectNames, 'status', 'repeats'].map((name) => `r.${name}`).join(', ')

const insertSql = sqlForRows(
  (rows) => `INSERT INTO reviews (${rowNames.join(', ')}) VALUES ${placeholders(rows, rowNames.length)}`,
)

/** A new review has one change, its opening. */
export function insertStatements(subjects: readonly ReviewSubject[]): Statement[] {
  return inRuns(subjects).map((run) => ({
    sql: insertSql(run.length),
    values: run.flatMap((subject) => [
      subject.reviewId,
      subject.ownerId,
      subject.requestId,
      subject.mode,
      subject.corridor,
      subject.verdict,
      subject.recommendedAction,
      subject.reasonCodes.join(' '),
      subject.scoreHundredths,
      subject.amount,
      subject.currency,
      subject.openedAtMs,
      subject.dueAtMs,
      subject.expiresAtMs,
      'open',
      '',
      1,
      0,
    ]),
  }))
}

export function* find(ownerId: string, reviewId: string): Script<Review | null> {
  const rows = yield* query(`SELECT ${columns} FROM reviews r WHERE r.review_id = $1 AND r.owner_id = $2`, [
    reviewId,
    ownerId,
  ])
  return (yield* withChanges(rows))[0] ?? null
}

/** One ordered range of the index for each mode and status, so that other reviews do not slow down the queue. */
export function* list(ownerId: string, request: ReviewQuery): Script<Review[]> {
  const values: SqlValue[] = [ownerId, request.limit]
  const where = conditionsOf(request, values)
  const wanted = rangesOf(request)
  const hasWaiting = wanted.some(({ status }) => isWaiting(status))
  const now = hasWaiting ? `$${values.push(request.nowMs)}` : ''
  const ranges = wanted.map(
    ({ status, mode, isOver }, place) => `SELECT * FROM (SELECT ${columns} FROM reviews r
      WHERE r.owner_id = $1 AND r.mode = '${mode}' AND r.status = '${status}'${where}
        ${isWaiting(status) ? `AND r.expires_at_ms ${isOver ? '<=' : '>'} ${now}` : ''}
      ORDER BY r.due_at_ms, r.review_id LIMIT $2) AS range_${place}`,
  )
  if (ranges.length === 0) return []
  const rows = yield* query(`${ranges.join(' UNION ALL ')} ORDER BY due_at_ms, review_id LIMIT $2`, values)
  return yield* withChanges(rows)
}

interface Range {
  readonly status: ReviewStatus
  readonly mode: Mode
  /** The waiting ones that should have expired. */
  readonly isOver: boolean
}

/** Only a review that was claimed, or proposed, has a claimant. */
const isUnclaimed = (status: ReviewStatus): boolean => status === 'open' || status === 'rejected'

function rangesOf({ statuses, mode, claimedBy }: ReviewQuery): Range[] {
  const modes: readonly Mode[] = mode === null ? ['live', 'shadow'] : [mode]
  const wanted = [
    ...statuses.map((status) => ({ status, isOver: false })),
    ...(statuses.includes('expired') ? waitingStatuses.map((status) => ({ status, isOver: true })) : []),
  ]
  return wanted
    .filter(({ status }) => !(isUnclaimed(status) && claimedBy !== null && claimedBy !== ''))
    .filter(({ status }) => !((status === 'claimed' || status === 'proposed') && claimedBy === ''))
    .flatMap((range) => modes.map((one) => ({ ...range, mode: one })))
}

function conditionsOf(
  { corridor, verdict, claimedBy, dueBeforeMs, after }: ReviewQuery,
  values: SqlValue[],
): string {
  const conditions: string[] = []
  const equals = { corridor, decision: verdict, claimed_by: claimedBy }
  for (const [name, value] of Object.entries(equals))
    if (value !== null) conditions.push(`r.${name} = $${values.push(value)}`)
  if (dueBeforeMs !== null) conditions.push(`r.due_at_ms < $${values.push(dueBeforeMs)}`)
  if (after !== null) {
    const place = `$${values.push(after.dueAtMs)}`
    conditions.push(
      `r.due_at_ms >= ${place} AND (r.due_at_ms > ${place} OR r.review_id > $${values.push(after.reviewId)})`,
    )
  }
  return conditions.map((condition) => ` AND ${condition}`).join('')
}

export function* withChanges(rows: readonly Row[]): Script<Review[]> {
  const idsIn = (name: 'review_id' | 'request_id') => rows.map((row) => String(row[name]))
  const changes = yield* inAll(findSql, idsIn('review_id'))
  const answers = yield* inAll(answersSql, idsIn('request_id'))
  const changesOf = Map.groupBy(changes.map(changeOf), ({ reviewId }) => reviewId)
  const answerOf = new Map(answers.map(({ request_id: requestId, answer = null }) => [requestId, answer]))
  return rows.map((row) =>
    reviewOf(
      { ...row, answer: answerOf.get(row['request_id']) ?? null },
      changesOf.get(String(row['review_id'])) ?? [],
    ),
  )
}

const answersSql = sqlForRows(
  (rows) =>
    `SELECT v.request_id, v.answer FROM verifications v WHERE v.request_id IN (${parameterList(rows)})`,
)

const waitingSql = `SELECT currency, status, COUNT(*) AS reviews, COALESCE(SUM(amount), 0) AS amount,
    SUM(CASE WHEN due_at_ms < $2 THEN 1 ELSE 0 END) AS overdue, MIN(due_at_ms) AS oldest_due_at_ms
  FROM reviews WHERE owner_id = $1 AND closed_at_ms IS NULL AND expires_at_ms > $2`

export function* waiting(ownerId: string, mode: Mode | null, nowMs: number): Script<WaitingSums[]> {
  const ofMode = mode === null ? [] : [mode]
  const rows = yield* query(
    `${waitingSql}${mode === null ? '' : ' AND mode = $3'} GROUP BY currency, status ORDER BY currency, status`,
    [ownerId, nowMs, ...ofMode],
  )
  return rows.map((row) => ({
    currency: row['currency'] as Currency,
    status: row['status'] as ReviewStatus,
    reviews: Number(row['reviews']),
    overdue: Number(row['overdue']),
    amount: Number(row['amount']),
    oldestDueAtMs: Number(row['oldest_due_at_ms']),
  }))
}

/** The row's version decides races. The override comes first: if there is one already, nothing was written. */
export function* append(
  change: ReviewChange,
  row: ReviewRow,
  override: Override | null,
  hashes: Pick<LeafHashes, 'review' | 'override'>,
): Script<'appended' | 'moved' | 'overridden'> {
  const { reviewId, number } = change
  const [held] = yield* query('SELECT version FROM reviews WHERE review_id = $1 FOR UPDATE', [reviewId])
  if (Number(held?.['version']) !== number - 1) return 'moved'
  if (override !== null) {
    const [inserted = []] = yield [insertOverride(override)]
    if (inserted.length === 0) return 'overridden'
  }
  yield [
    updateStatement(change, row),
    ...changeStatements([change], hashes.review),
    ...(override === null ? [] : overrideStatements(override, hashes.override(override))),
  ]
  return 'appended'
}

function updateStatement(
  { reviewId, number, atMs }: ReviewChange,
  { status, claimedBy }: ReviewRow,
): Statement {
  return {
    sql: `UPDATE reviews SET status = $1, claimed_by = $2, version = $3, closed_at_ms = $4 WHERE review_id = $5`,
    values: [status, claimedBy, number, isWaiting(status) ? null : atMs, reviewId],
  }
}

const lockSql = sqlForRows(
  (rows) => `SELECT review_id, version FROM reviews WHERE review_id IN ${placeholders(1, rows)}
    AND closed_at_ms IS NULL ORDER BY review_id FOR UPDATE`,
)

/** Those that are closed by now stay as they are. A closing is the next change of its review, whatever came before. */
export function* closeReviews(closings: readonly Closing[], hashOf: LeafHashes['review']): Script<void> {
  const ordered = inLockOrder(closings, ({ reviewId }) => reviewId)
  const groups = yield inRuns(ordered.map(({ reviewId }) => reviewId)).map((run) => ({
    sql: lockSql(run.length),
    values: run,
  }))
  const versions = new Map(groups.flat().map((row) => [String(row['review_id']), Number(row['version'])]))
  const changes: ReviewChange[] = []
  for (const closing of ordered) {
    const version = versions.get(closing.reviewId)
    if (version === undefined) continue
    versions.delete(closing.reviewId)
    changes.push({ ...closing, number: version + 1 })
  }
  if (changes.length === 0) return
  yield [
    ...changes.map(({ reviewId, number, kind, atMs }) => ({
      sql: 'UPDATE reviews SET status = $1, version = $2, closed_at_ms = $3 WHERE review_id = $4',
      values: [kind, number, atMs, reviewId],
    })),
    ...changeStatements(changes, hashOf),
  ]
}

export function* due(nowMs: number, limit: number): Script<DueReview[]> {
  const rows = yield* query(
    `SELECT review_id, owner_id, request_id, expires_at_ms FROM reviews
      WHERE closed_at_ms IS NULL AND expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2`,
    [nowMs, limit],
  )
  return rows.map((row) => ({
    reviewId: String(row['review_id']),
    ownerId: String(row['owner_id']),
    requestId: row['request_id'] as RequestId,
    expiresAtMs: Number(row['expires_at_ms']),
  }))
}

export const amountOf = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

/** A review with the change of an event, and the action of the proposal that the change approved. */
export const reviewEventColumns = `${columns}, ${changeColumns}, p.action AS approved_action, v.answer`
export const reviewEventTables = `review_changes c JOIN reviews r ON r.review_id = c.review_id
  LEFT JOIN review_changes p ON p.change_id = c.proposal_id AND c.kind = 'approved'
  LEFT JOIN verifications v ON v.request_id = r.request_id`

export function reviewEventOf(row: Row): ReviewEvent {
  return {
    review: subjectOf(row),
    change: changeOf(row),
    approvedAction: (row['approved_action'] ?? null) as OverrideAction | null,
  }
}

function reviewOf(row: Row, changes: readonly ReviewChange[]): Review {
  return {
    ...subjectOf(row),
    repeats: Number(row['repeats']),
    status: row['status'] as ReviewStatus,
    changes,
  }
}

function subjectOf(row: Row): RecordedSubject {
  return {
    reviewId: String(row['review_id']),
    ownerId: String(row['owner_id']),
    requestId: row['request_id'] as RequestId,
    mode: row['mode'] as Mode,
    corridor: row['corridor'] as Corridor,
    verdict: row['decision'] as Verdict,
    recommendedAction: row['recommended_action'] as RecommendedAction,
    reasonCodes: String(row['reason_codes']).split(' ').filter(Boolean) as ReasonCode[],
    scoreHundredths: Number(row['score_hundredths']),
    amount: amountOf(row['amount']),
    currency: row['currency'] as Currency,
    openedAtMs: Number(row['opened_at_ms']),
    dueAtMs: Number(row['due_at_ms']),
    expiresAtMs: Number(row['expires_at_ms']),
    answer: row['answer'] === null ? null : String(row['answer']),
  }
}
