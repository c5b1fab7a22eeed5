/** SQL of kept reports, shared by both engines. */

import type { FoundReport, KeptReport, NewReport } from '../../../app/ports/assess.ts'
import { actStatements, type HashedAct } from '../admin/acts.ts'
import { actorNameSql, attributedOf } from '../admin/person-rows.ts'
import { query, type Row, type Script } from '../engine/script.ts'

const names = [
  'report_id',
  'owner_id',
  'place',
  'name',
  'kept_at_ms',
  'key_id',
  'person_id',
  'principal_id',
  'transactions',
  'go',
  'degraded',
  'no_go',
  'uncertainty',
  'content',
  'page',
] as const

const listed = names.filter((name) => name !== 'content' && name !== 'page')

const columns = [
  ...listed.map((name) => `b.${name} AS b_${name}`),
  `${actorNameSql('b')} AS b_actor_name`,
].join(', ')

/** False if the owner has `countMax` reports. Unique places resolve races. */
export function* insert(report: NewReport, countMax: number): Script<boolean> {
  // Every turn that inserts nothing finds another report that was faster.
  for (let turn = 0; turn <= countMax; turn += 1) {
    const rows = yield* query('SELECT place FROM batch_reports WHERE owner_id = $1', [report.ownerId])
    const occupied = new Set(rows.map((row) => Number(row['place'])))
    const place = Array.from({ length: countMax }, (_, index) => index + 1).find(
      (free) => !occupied.has(free),
    )
    if (place === undefined) return false
    const inserted = yield* query(
      `INSERT INTO batch_reports (${names.join(', ')})
        VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
        ON CONFLICT DO NOTHING RETURNING report_id`,
      valuesOf(report, place),
    )
    if (inserted.length > 0) return true
  }
  throw new Error('batch reports: no place could be taken for a report')
}

function valuesOf(report: NewReport, place: number): (string | number | null)[] {
  const { keptBy } = report
  return [
    report.reportId,
    report.ownerId,
    place,
    report.name,
    report.keptAtMs,
    keptBy.keyId,
    keptBy.personId,
    keptBy.principalId,
    report.transactions,
    report.go,
    report.degraded,
    report.noGo,
    report.uncertainty,
    report.content,
    report.page,
  ]
}

/** Newest first. */
export function* list(ownerId: string): Script<KeptReport[]> {
  const rows = yield* query(
    `SELECT ${columns} FROM batch_reports b WHERE b.owner_id = $1 ORDER BY b.kept_at_ms DESC, b.report_id`,
    [ownerId],
  )
  return rows.map(reportOf)
}

export function* find(ownerId: string, reportId: string): Script<FoundReport | null> {
  const [row] = yield* query(
    `SELECT ${columns}, b.content, b.page FROM batch_reports b WHERE b.report_id = $1 AND b.owner_id = $2`,
    [reportId, ownerId],
  )
  if (row === undefined) return null
  return { ...reportOf(row), content: String(row['content']), page: String(row['page']) }
}

export function* remove(ownerId: string, reportId: string, act: HashedAct): Script<boolean> {
  const rows = yield* query(
    'DELETE FROM batch_reports WHERE report_id = $1 AND owner_id = $2 RETURNING report_id',
    [reportId, ownerId],
  )
  if (rows.length === 0) return false
  yield actStatements(act)
  return true
}

function reportOf(row: Row): KeptReport {
  return {
    reportId: String(row['b_report_id']),
    name: String(row['b_name']),
    keptAtMs: Number(row['b_kept_at_ms']),
    keptBy: attributedOf(row, 'b'),
    transactions: Number(row['b_transactions']),
    go: Number(row['b_go']),
    degraded: Number(row['b_degraded']),
    noGo: Number(row['b_no_go']),
    uncertainty: Number(row['b_uncertainty']),
  }
}
