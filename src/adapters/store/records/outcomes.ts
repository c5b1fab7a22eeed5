/** SQL of reported payment outcomes, shared by both engines. */

import type { Mode } from '../../../core/identity/api-key.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import { isFailure, isFinal, type ActualOutcome, type OutcomeCount } from '../../../core/live/outcome.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { OutcomeWindow } from '../../../app/ports/feeds.ts'
import type { ReportedOutcome } from '../../../app/ports/records.ts'
import { queueStatement } from '../journal/queue.ts'
import {
  last,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'

const names = [
  'outcome_id',
  'request_id',
  'owner_id',
  'key_id',
  'mode',
  'corridor',
  'outcome',
  'partner',
  'occurred_at_ms',
  'reported_at_ms',
] as const

/** For a join as `r`, prefixed because column names repeat. A pending payment that ended has two rows. */
export const outcomeColumns = [...names, 'is_final'].map((name) => `r.${name} AS r_${name}`).join(', ')

/** The key is the decision's id and `is_final`. The condition also rejects a late `PENDING`. */
export function* report(outcome: ReportedOutcome, leafHash: string): Script<boolean> {
  const rows = yield* query(
    `INSERT INTO outcomes (${names.join(', ')}, is_final, ended_at_ms)
      SELECT $1, $2, $3, $4, $5, $6, $7, CAST($8 AS text), CAST($9 AS bigint), CAST($10 AS bigint),
        CAST($11 AS integer), CAST($12 AS bigint)
      WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE request_id = $2 AND is_final >= CAST($11 AS integer))
      ON CONFLICT DO NOTHING RETURNING request_id`,
    [
      outcome.outcomeId,
      outcome.requestId,
      outcome.ownerId,
      outcome.keyId,
      outcome.mode,
      outcome.corridor,
      outcome.outcome,
      outcome.partner,
      outcome.occurredAtMs,
      outcome.reportedAtMs,
      isFinal(outcome.outcome) ? 1 : 0,
      outcome.occurredAtMs ?? outcome.reportedAtMs,
    ],
  )
  if (rows.length === 0) return false
  if (outcome.outcomeId !== null)
    yield last([queueStatement([{ subjectId: outcome.outcomeId, leafHash }], 0)])
  return true
}

/** Counts how live payments ended in the window, at most the newest `countMax`. */
export function* count(window: OutcomeWindow): Script<OutcomeCount> {
  const ofPartner = window.partner === null ? [] : [window.partner]
  const rows = yield* query(
    `SELECT outcome, count(*) AS counted, max(ended_at_ms) AS newest_at_ms FROM (
        SELECT outcome, ended_at_ms FROM outcomes
          WHERE owner_id = $1 AND mode = 'live' AND corridor = $2 AND is_final = 1
            AND ended_at_ms >= $3 AND ended_at_ms <= $4${ofPartner.length === 0 ? '' : ' AND partner = $6'}
          ORDER BY ended_at_ms DESC LIMIT $5
      ) AS newest GROUP BY outcome`,
    [window.ownerId, window.corridor, window.sinceMs, window.untilMs, window.countMax, ...ofPartner],
  )
  let newestAtMs: number | null = null
  let ended = 0
  let failed = 0
  for (const row of rows) {
    const counted = Number(row['counted'])
    ended += counted
    newestAtMs = Math.max(newestAtMs ?? 0, Number(row['newest_at_ms']))
    if (isFailure(row['outcome'] as ActualOutcome)) failed += counted
  }
  return { ended, failed, newestAtMs }
}

/** The outcomes of these decisions, up to two each. */
export function findOutcomes(requestIds: readonly string[]): Statement {
  return { sql: findSql(requestIds.length), values: requestIds }
}

const findSql = sqlForRows(
  (rows) => `WITH wanted (request_id) AS (VALUES ${placeholders(rows, 1)})
    SELECT ${outcomeColumns} FROM wanted a JOIN outcomes r ON r.request_id = a.request_id ORDER BY r.is_final`,
)

/** Reads a row of a left join; null if it has no outcome. */
export function outcomeOf(row: Row): ReportedOutcome | null {
  if (row['r_request_id'] === null) return null
  const occurredAtMs = row['r_occurred_at_ms']
  const outcomeId = row['r_outcome_id'] ?? null
  return {
    outcomeId: outcomeId === null ? null : String(outcomeId),
    requestId: row['r_request_id'] as RequestId,
    ownerId: String(row['r_owner_id']),
    keyId: String(row['r_key_id']),
    mode: row['r_mode'] as Mode,
    corridor: row['r_corridor'] as Corridor,
    outcome: row['r_outcome'] as ActualOutcome,
    partner: row['r_partner'] === null ? null : String(row['r_partner']),
    occurredAtMs: occurredAtMs === null ? null : Number(occurredAtMs),
    reportedAtMs: Number(row['r_reported_at_ms']),
  }
}
