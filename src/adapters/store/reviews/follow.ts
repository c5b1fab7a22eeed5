/** SQL of the follower `reviews`: the entries that it follows, and its effects with its position. */

import type { LeafHashes } from '../../../app/ports/log.ts'
import type { FollowedDecision, FollowedForReviews, ReviewEffects } from '../../../app/ports/reviews.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import { isRequestId, type RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import { actorNameSql, attributedOf } from '../admin/person-rows.ts'
import { reviewIdOf } from '../../../core/review/terms.ts'
import { inAll, parameterList, query, sqlForRows, type Row, type Script } from '../engine/script.ts'
import { nextLeaves } from '../journal/next-leaves.ts'
import { changeStatements } from './changes.ts'
import { closeReviews, insertStatements } from './reviews.ts'

const positionSql = 'SELECT position FROM review_follower WHERE follower = 1'

/**
 * Leaves out most of what needs no review. Quotation marks inside JSON strings are escaped, so nothing else matches.
 * Records without a form are older than the journal.
 */
const decisionsSql = sqlForRows(
  (
    rows,
  ) => `SELECT v.request_id, v.owner_id, v.mode, v.corridor, v.decision, v.score_hundredths, v.amount, v.currency,
      v.recorded_at_ms, v.cooldown_source_id, v.answer
    FROM verifications v
    WHERE v.request_id IN (${parameterList(rows)}) AND v.form IS NOT NULL
      AND (v.decision <> 'GO' OR v.answer NOT LIKE '%"recommended_action":"PROCEED"%')`,
)
const overridesSql = sqlForRows(
  (rows) => `SELECT o.override_id, o.request_id, o.owner_id, o.key_id AS o_key_id, o.person_id AS o_person_id,
      o.principal_id AS o_principal_id, ${actorNameSql('o')} AS o_actor_name
    FROM overrides o WHERE o.override_id IN (${parameterList(rows)}) AND o.review_id IS NULL`,
)
const reviewedSql = sqlForRows(
  (rows) => `SELECT review_id FROM reviews WHERE review_id IN (${parameterList(rows)})`,
)

export function* entries(): Script<FollowedForReviews> {
  const { from, leaves } = yield* nextLeaves('reviews', positionSql)
  const places = new Map(leaves.map(({ subjectId, index }) => [subjectId, index]))
  const ids = [...places.keys()]
  const rows = yield* inAll(decisionsSql, ids.filter(isRequestId))
  const overrides = yield* inAll(
    overridesSql,
    ids.filter((id) => id.startsWith('ovr_')),
  )
  const sources = new Set(
    rows.flatMap(({ cooldown_source_id: id = null }) => (id === null ? [] : [reviewIdOf(id as RequestId)])),
  )
  const reviewed = yield* inAll(reviewedSql, [...sources])
  const reviewedIds = new Set(reviewed.map((row) => String(row['review_id'])))
  const placeOf = ({ requestId }: FollowedDecision): number => places.get(requestId) ?? 0
  return {
    from,
    to: (leaves.at(-1)?.index ?? from - 1) + 1,
    decisions: rows
      .map((row) => decisionOf(row, reviewedIds))
      .toSorted((left, right) => placeOf(left) - placeOf(right)),
    overrides: overrides.map((row) => ({
      overrideId: String(row['override_id']),
      requestId: row['request_id'] as RequestId,
      ownerId: String(row['owner_id']),
      ...attributedOf(row, 'o'),
    })),
  }
}

function decisionOf(row: Row, reviewedIds: ReadonlySet<string>): FollowedDecision {
  const cooldownSourceId = row['cooldown_source_id'] as RequestId | null
  return {
    requestId: row['request_id'] as RequestId,
    ownerId: String(row['owner_id']),
    mode: row['mode'] as Mode,
    corridor: row['corridor'] as Corridor,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: row['currency'] as Currency,
    recordedAtMs: Number(row['recorded_at_ms']),
    cooldownSourceId,
    answer: String(row['answer']),
    isSourceReviewed: cooldownSourceId !== null && reviewedIds.has(reviewIdOf(cooldownSourceId)),
  }
}

/** The position first: a second instance waits, and then finds that it has moved. */
export function* followed(
  from: number,
  to: number,
  { opened, repeated, closed }: ReviewEffects,
  hashOf: LeafHashes['review'],
): Script<boolean> {
  const [row] = yield* query(`${positionSql} FOR UPDATE`)
  if (Number(row?.['position']) !== from) return false
  const repeats = Map.groupBy(repeated, (reviewId) => reviewId)
  yield [
    { sql: 'UPDATE review_follower SET position = $1 WHERE follower = 1', values: [to] },
    ...insertStatements(opened.map(({ subject }) => subject)),
    ...changeStatements(
      opened.map(({ change }) => change),
      hashOf,
    ),
    ...[...repeats.keys()].toSorted().map((reviewId) => ({
      sql: 'UPDATE reviews SET repeats = repeats + $1 WHERE review_id = $2',
      values: [repeats.get(reviewId)?.length ?? 0, reviewId],
    })),
  ]
  if (closed.length > 0) yield* closeReviews(closed, hashOf)
  return true
}
