/** SQL of erasure: deletes personal texts and lists their subjects, in one transaction with the act that says so. */

import type {
  CorrelatedPayments,
  EraseCommand,
  OldReport,
  TextKind,
  TextSubject,
} from '../../../app/ports/privacy/erasure.ts'
import type { Act } from '../../../app/ports/records.ts'
import type { Attempt } from '../../../app/ports/webhooks.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { reviewIdOf } from '../../../core/review/terms.ts'
import { actStatements, type HashedAct } from '../admin/acts.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'
import { withoutAnswers } from '../outbox/outbox.ts'
import { readList } from '../outbox/webhooks.ts'

/** Another command erased one of the texts meanwhile; nothing was changed. */
export class ErasureRace extends Error {
  override readonly name = 'ErasureRace'
}

/** A correlation id is in the record in form 1, and apart from it in form 2. */
export function* findPayments(ownerId: string, correlationId: string): Script<CorrelatedPayments> {
  const values = [ownerId, correlationId]
  const [apart = [], sealed = []] = yield [
    {
      sql: `SELECT subject_id AS request_id FROM personal_texts
        WHERE owner_id = $1 AND personal_text = $2 AND decision IS NOT NULL ORDER BY subject_id`,
      values,
    },
    {
      sql: `SELECT request_id FROM verifications WHERE owner_id = $1 AND correlation_id = $2 ORDER BY request_id`,
      values,
    },
  ]
  const idsOf = (rows: readonly Row[]): RequestId[] => rows.map((row) => row['request_id'] as RequestId)
  return { apart: idsOf(apart), sealed: idsOf(sealed) }
}

const hasText = (subjectId: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM personal_texts p WHERE p.subject_id = ${subjectId}) THEN 1 ELSE 0 END AS has_text`

const recordsSql = sqlForRows(
  (rows) => `SELECT subject_id, owner_id, 1 AS has_text, 2 AS form FROM personal_texts
    WHERE subject_id IN (${parameterList(rows)})`,
)
const overridesSql = sqlForRows(
  (
    rows,
  ) => `SELECT o.override_id AS subject_id, o.owner_id, ${hasText('o.override_id')}, COALESCE(o.form, 1) AS form
    FROM overrides o WHERE o.request_id IN (${parameterList(rows)})`,
)
const changesSql = sqlForRows(
  (rows) => `SELECT c.change_id AS subject_id, c.owner_id, ${hasText('c.change_id')}, 2 AS form
    FROM review_changes c WHERE c.review_id IN (${parameterList(rows)})`,
)

export function* subjectsOf(requestIds: readonly RequestId[]): Script<TextSubject[]> {
  const subjects: TextSubject[] = []
  for (const run of inRuns(requestIds)) {
    const [records = [], overrides = [], changes = []] = yield [
      { sql: recordsSql(run.length), values: run },
      { sql: overridesSql(run.length), values: run },
      { sql: changesSql(run.length), values: run.map(reviewIdOf) },
    ]
    for (const [kind, rows] of [
      ['correlation_id', records],
      ['justification', overrides],
      ['review_text', changes],
    ] as const)
      subjects.push(...rows.map((row) => subjectOf(kind, row)))
  }
  return subjects
}

export function subjectOf(kind: TextKind, row: Row): TextSubject {
  const isSealed = Number(row['form']) === 1
  return {
    subjectId: String(row['subject_id']),
    ownerId: String(row['owner_id']),
    kind,
    text: isSealed ? 'sealed' : Number(row['has_text']) === 1 ? 'kept' : 'none',
  }
}

const deleteSql = sqlForRows(
  (rows) => `DELETE FROM personal_texts WHERE subject_id IN (${parameterList(rows)}) RETURNING subject_id`,
)
const listSql = sqlForRows(
  (rows) => `INSERT INTO erasures (subject_id, act_id) VALUES ${placeholders(rows, 2)}`,
)
const deleteReportsSql = sqlForRows(
  (rows) => `DELETE FROM batch_reports WHERE report_id IN (${parameterList(rows)})`,
)

const perRun = <Item>(items: readonly Item[], of: (run: Item[]) => Statement): Statement[] =>
  inRuns(items).map(of)

export function* erase(
  { subjectIds, events, reportIds, act }: EraseCommand,
  sealed: (act: Act) => HashedAct,
): Script<void> {
  const deleted = yield perRun(subjectIds, (run) => ({ sql: deleteSql(run.length), values: run }))
  if (deleted.flat().length !== subjectIds.length) throw new ErasureRace('a text was erased meanwhile')
  yield [
    ...perRun(subjectIds, (run) => ({
      sql: listSql(run.length),
      values: run.flatMap((subjectId) => [subjectId, act.actId]),
    })),
    ...perRun(reportIds, (run) => ({ sql: deleteReportsSql(run.length), values: run })),
    { sql: 'INSERT INTO uncleaned_erasures (act_id) VALUES ($1)', values: [act.actId] },
    ...actStatements(sealed(act)),
  ]
  yield* forgetAnswers(events)
}

const deliveriesSql = sqlForRows(
  (rows) => `WITH wanted (owner_id, event_id) AS (VALUES ${placeholders(rows, 2)})
    SELECT d.webhook_id, d.event_id, d.attempts FROM wanted a JOIN webhooks w ON w.owner_id = a.owner_id
      JOIN webhook_deliveries d ON d.webhook_id = w.webhook_id AND d.event_id = a.event_id
      WHERE d.lease IS NOT NULL OR d.attempts LIKE '%"answer":%' FOR UPDATE`,
)

/** Also ends leases: an attempt under way then records no answer, and the next one is made from the store again. */
function* forgetAnswers(events: EraseCommand['events']): Script<void> {
  const rows = yield perRun(events, (run) => ({
    sql: deliveriesSql(run.length),
    values: run.flatMap(({ ownerId, eventId }) => [ownerId, eventId]),
  }))
  yield rows.flat().map((row) => ({
    sql: `UPDATE webhook_deliveries SET attempts = $3, lease = NULL WHERE webhook_id = $1 AND event_id = $2`,
    values: [
      String(row['webhook_id']),
      String(row['event_id']),
      JSON.stringify(withoutAnswers(readList<Attempt>(row['attempts']))),
    ],
  }))
}

export function* oldReports(toMs: number): Script<OldReport[]> {
  const rows = yield* query(
    'SELECT report_id, kept_at_ms FROM batch_reports WHERE kept_at_ms < $1 ORDER BY kept_at_ms, report_id',
    [toMs],
  )
  return rows.map((row) => ({ reportId: String(row['report_id']), keptAtMs: Number(row['kept_at_ms']) }))
}

// Cleaning

/** The acts whose erasures are not cleaned yet. No clock says which these are: several hosts give acts their times. */
export function* uncleaned(): Script<string[]> {
  const rows = yield* query('SELECT act_id FROM uncleaned_erasures', [])
  return rows.map((row) => String(row['act_id']))
}

const cleanedSql = sqlForRows(
  (rows) => `DELETE FROM uncleaned_erasures WHERE act_id IN (${parameterList(rows)})`,
)

export function* recordCleaned(actIds: readonly string[]): Script<void> {
  yield perRun(actIds, (run) => ({ sql: cleanedSql(run.length), values: run }))
}

// For the check of the log

const erasedSql = sqlForRows(
  (rows) => `SELECT subject_id FROM erasures WHERE subject_id IN (${parameterList(rows)})`,
)

export function* erasedAmong(subjectIds: readonly string[]): Script<ReadonlySet<string>> {
  const groups = yield perRun(subjectIds, (run) => ({ sql: erasedSql(run.length), values: run }))
  return new Set(groups.flat().map((row) => String(row['subject_id'])))
}

export function* erasedBy(actId: string): Script<string[]> {
  const rows = yield* query('SELECT subject_id FROM erasures WHERE act_id = $1 ORDER BY subject_id', [actId])
  return rows.map((row) => String(row['subject_id']))
}

/** One statement, so that an erasure meanwhile is seen as a whole or not at all. */
export function* inconsistent(limit: number): Script<{ subjectId: string; hasText: boolean }[]> {
  const rows = yield* query(
    `SELECT e.subject_id, ${hasText('e.subject_id')} FROM erasures e
      WHERE NOT EXISTS (SELECT 1 FROM acts a WHERE a.act_id = e.act_id AND a.kind = 'text.erased')
        OR EXISTS (SELECT 1 FROM personal_texts p WHERE p.subject_id = e.subject_id)
      ORDER BY e.subject_id LIMIT $1`,
    [limit],
  )
  return rows.map((row) => ({
    subjectId: String(row['subject_id']),
    hasText: Number(row['has_text']) === 1,
  }))
}
