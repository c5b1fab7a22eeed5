/** SQL of reported payment outcomes, shared by both engines. */

import type { Mode } from '../../../core/identity/api-key.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import { isFailure, isFinal, type ActualOutcome, type OutcomeCount } from '../../../core/live/outcome.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { OutcomeWindow } from '../../../app/ports/feeds.ts'
import type { OutcomeReport, ReportedOutcome } from '../../../app/ports/records.ts'
import type { LeafHashes, LogEntry } from '../../../app/ports/log.ts'
import { actorNameSql, attributedOf } from '../admin/person-rows.ts'
import { queueStatement } from '../journal/queue.ts'
import {
  inLockOrder,
  inRuns,
  last,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
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
  'person_id',
  'principal_id',
  'occurred_at_ms',
  'reported_at_ms',
] as const

/** For a join as `r`, prefixed because column names repeat. A pending payment that ended has two rows. */
export const outcomeColumns = [
  ...[...names, 'is_final'].map((name) => `r.${name} AS r_${name}`),
  `${actorNameSql('r')} AS r_actor_name`,
].join(', ')

/** A report came between the check and the write, from another instance. Nothing was written. */
export class OutcomeRace extends Error {
  override readonly name = 'OutcomeRace'
}

const takenSql = sqlForRows(
  (rows) => `WITH wanted (request_id, is_final) AS (VALUES ${placeholders(rows, 2)})
    SELECT 1 AS one FROM wanted a JOIN outcomes r
      ON r.request_id = a.request_id AND r.is_final >= CAST(a.is_final AS integer) LIMIT 1`,
)

const insertColumns = [...names, 'is_final', 'ended_at_ms', 'predicted']

/** The key is the decision's id and `is_final`. */
const insertSql = sqlForRows(
  (
    rows,
  ) => `INSERT INTO outcomes (${insertColumns.join(', ')}) VALUES ${placeholders(rows, insertColumns.length)}
    ON CONFLICT DO NOTHING RETURNING request_id`,
)

/** All or none: false if one of them has a final outcome, or the same, already. The check also finds a late `PENDING`. */
export function* report(reports: readonly OutcomeReport[], hashOf: LeafHashes['outcome']): Script<boolean> {
  const runs = inRuns(inLockOrder(reports, ({ outcome }) => outcome.requestId))
  const taken = yield runs.map((run) => ({
    sql: takenSql(run.length),
    values: run.flatMap(({ outcome }) => [outcome.requestId, isFinal(outcome.outcome) ? 1 : 0]),
  }))
  if (taken.some((rows) => rows.length > 0)) return false
  const inserted = yield runs.map((run) => ({
    sql: insertSql(run.length),
    values: run.flatMap(valuesOf),
  }))
  if (inserted.flat().length < reports.length) throw new OutcomeRace('outcomes: another report came first')
  const entryOf = ({ outcome }: OutcomeReport): LogEntry => ({
    subjectId: outcome.outcomeId ?? '',
    leafHash: hashOf(outcome),
  })
  yield last(runs.map((run) => queueStatement(run.map(entryOf), 0)))
  return true
}

function valuesOf({ outcome, predicted }: OutcomeReport): SqlValue[] {
  return [
    outcome.outcomeId,
    outcome.requestId,
    outcome.ownerId,
    outcome.keyId,
    outcome.mode,
    outcome.corridor,
    outcome.outcome,
    outcome.partner,
    outcome.personId,
    outcome.principalId,
    outcome.occurredAtMs,
    outcome.reportedAtMs,
    isFinal(outcome.outcome) ? 1 : 0,
    outcome.occurredAtMs ?? outcome.reportedAtMs,
    JSON.stringify(predicted),
  ]
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
    ...attributedOf(row, 'r'),
    mode: row['r_mode'] as Mode,
    corridor: row['r_corridor'] as Corridor,
    outcome: row['r_outcome'] as ActualOutcome,
    partner: row['r_partner'] === null ? null : String(row['r_partner']),
    occurredAtMs: occurredAtMs === null ? null : Number(occurredAtMs),
    reportedAtMs: Number(row['r_reported_at_ms']),
  }
}
