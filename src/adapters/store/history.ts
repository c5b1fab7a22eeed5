/** Histories: pages of an owner's records. */

import { firstRequestIdAt } from '../../core/request-id.ts'
import type { Verdict } from '../../core/score.ts'
import type {
  Followed,
  HistoryQuery,
  Override,
  ReportedOutcome,
  VerificationSummary,
} from '../../app/ports.ts'
import { findOutcomes, outcomeOf } from './outcomes.ts'
import { findOverrides, overrideOf } from './overrides.ts'
import { inRuns, query, type Row, type Script, type SqlValue } from './script.ts'
import { summaryColumns, summaryOf } from './verifications.ts'

const verdicts: readonly Verdict[] = ['GO', 'DEGRADED', 'NO-GO']

/**
 * One keyset page. Every branch walks an index from its end and stops at the limit, whatever the filters, so that a
 * page costs the same in a history of any length.
 */
export function* list(ownerId: string, asked: HistoryQuery): Script<Followed<VerificationSummary>[]> {
  const values: SqlValue[] = [ownerId]
  const parameter = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = ['owner_id = $1']
  if (asked.corridor !== null) conditions.push(`corridor = ${parameter(asked.corridor)}`)
  const upper = [asked.before, asked.toMs === null ? null : firstRequestIdAt(asked.toMs)]
  for (const id of upper) if (id !== null) conditions.push(`request_id < ${parameter(id)}`)
  if (asked.fromMs !== null) conditions.push(`request_id >= ${parameter(firstRequestIdAt(asked.fromMs))}`)
  let source = 'verifications'
  if (asked.correlationId !== null) {
    conditions.push(`correlation_id = ${parameter(asked.correlationId)}`)
    source = 'verifications INDEXED BY verifications_by_correlation'
  }
  const limit = parameter(asked.limit)

  // The index has all that a branch needs; whole rows are read for the page alone.
  const branches = (asked.verdict === null ? verdicts : [asked.verdict]).map(
    (verdict) => `SELECT * FROM (SELECT request_id FROM ${source}
      WHERE ${conditions.join(' AND ')} AND decision = '${verdict}'
      ORDER BY request_id DESC LIMIT ${limit}) AS ${verdict === 'NO-GO' ? 'no_go' : verdict.toLowerCase()}_rows`,
  )
  const rows = yield* query(
    `SELECT ${summaryColumns.map((name) => `v.${name}`).join(', ')}, o.request_id AS overridden,
        EXISTS (SELECT 1 FROM outcomes r WHERE r.request_id = v.request_id) AS ended
      FROM (${branches.join(' UNION ALL ')} ORDER BY request_id DESC LIMIT ${limit}) AS page
      JOIN verifications v ON v.request_id = page.request_id
      LEFT JOIN overrides o ON o.request_id = v.request_id ORDER BY v.request_id DESC`,
    values,
  )
  const overrides = yield* overridesOf(rows.flatMap((row) => row['overridden'] ?? []).map(String))
  const outcomes = yield* outcomesOf(rows.filter(hasOutcome).map((row) => String(row['request_id'])))
  return rows.map((row) => ({
    ...summaryOf(row),
    override: overrides.get(row['overridden']) ?? null,
    outcome: outcomes.get(row['request_id']) ?? null,
  }))
}

/** SQLite has numbers for truth. */
function hasOutcome(row: Row): boolean {
  return Boolean(row['ended'])
}

/** Asked for apart: most decisions of most pages have none. */
function* overridesOf(requestIds: readonly string[]): Script<Map<SqlValue | undefined, Override>> {
  const groups = requestIds.length === 0 ? [] : yield inRuns(requestIds).map(findOverrides)
  const found = groups
    .flat()
    .map(overrideOf)
    .filter((override) => override !== null)
  return new Map(found.map((override) => [override.requestId, override]))
}

/** Asked for apart, as the overrides are. */
function* outcomesOf(requestIds: readonly string[]): Script<Map<SqlValue | undefined, ReportedOutcome>> {
  const groups = requestIds.length === 0 ? [] : yield inRuns(requestIds).map(findOutcomes)
  const found = groups
    .flat()
    .map(outcomeOf)
    .filter((outcome) => outcome !== null)
  return new Map(found.map((outcome) => [outcome.requestId, outcome]))
}
