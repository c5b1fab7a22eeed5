/** Reads pages of an owner's records. */

import type {
  Annotated,
  HistoryQuery,
  ListedVerification,
  Override,
  ReportedOutcome,
} from '../../../../app/ports/records.ts'
import { inRuns, query, type Row, type Script, type SqlValue } from '../../engine/script.ts'
import { findOutcomes, outcomeOf } from '../outcomes.ts'
import { findOverrides, overrideOf } from '../overrides.ts'
import { listedOf } from '../record-rows.ts'
import { conditionsOf, joinRecords, joinRecordsWithin, pageSql, walkSql } from './page-sql.ts'
import { upperOf, windowsOf, type Window } from './windows.ts'

type Page = Script<Annotated<ListedVerification>[]>

/** Reads one keyset page. */
export function* list(ownerId: string, request: HistoryQuery): Page {
  return yield* withFollowUps(yield* pageRows(ownerId, request))
}

/**
 * Like `list`, on partitioned tables. A page is mostly found in one month and the month before it. Each of the two gets
 * a statement with its bounds in the text, whose cost does not depend on the number of months. Only what is then still
 * missing is read from all other months.
 */
export function* listByMonth(ownerId: string, request: HistoryQuery, nowMs: number): Page {
  const rows: Row[] = []
  for (const window of windowsOf(request, nowMs)) {
    const left = request.limit - rows.length
    if (left <= 0) break
    const more = yield* windowRows(ownerId, { ...request, limit: left }, window)
    rows.push(...more.slice(0, left))
  }
  return yield* withFollowUps(rows)
}

/** Common page sizes, plus one row that shows whether there is a next page. */
const pageSizes = [2, 11, 21, 51, 101, 501]

/**
 * Writes the limit into the text, rounded up to one of few sizes. For a parameter the planner assumes a tenth of all
 * records and prefers a full scan.
 */
function* windowRows(ownerId: string, request: HistoryQuery, window: Window): Script<readonly Row[]> {
  const size = pageSizes.find((rows) => rows >= request.limit) ?? request.limit
  const values: SqlValue[] = []
  const conditions = conditionsOf(ownerId, { ...request, toMs: null, before: window.before }, values)
  const { bounds, cachesPlan } = window
  const walk = walkSql([...conditions, ...bounds], request, String(size))
  const sql = pageSql(walk, joinRecordsWithin(bounds))
  const [rows = []] = yield [{ sql, values, ...(cachesPlan ? {} : { isUncached: true }) }]
  return rows
}

function* pageRows(ownerId: string, request: HistoryQuery): Script<readonly Row[]> {
  const values: SqlValue[] = []
  const conditions = conditionsOf(ownerId, { ...request, before: upperOf(request) }, values)
  const limit = `$${values.push(request.limit)}`
  return yield* query(pageSql(walkSql(conditions, request, limit), joinRecords), values)
}

/** Reads the overrides and outcomes of a page. */
export function* withFollowUps(rows: readonly Row[]): Page {
  const overrides = yield* overridesOf(rows.flatMap((row) => row['overridden'] ?? []).map(String))
  const outcomes = yield* outcomesOf(rows.filter(hasOutcome).map((row) => String(row['request_id'])))
  return rows.map((row) => ({
    ...listedOf(row),
    override: overrides.get(row['overridden']) ?? null,
    outcome: outcomes.get(row['request_id']) ?? null,
  }))
}

/** The column is an integer, because SQLite has no booleans. */
function hasOutcome(row: Row): boolean {
  return Boolean(row['ended'])
}

/** A separate statement, because most decisions have no override. */
function* overridesOf(requestIds: readonly string[]): Script<Map<SqlValue | undefined, Override>> {
  const groups = requestIds.length === 0 ? [] : yield inRuns(requestIds).map(findOverrides)
  const overrides = groups
    .flat()
    .map(overrideOf)
    .filter((override) => override !== null)
  return new Map(overrides.map((override) => [override.requestId, override]))
}

/** A separate statement, like the overrides. */
function* outcomesOf(requestIds: readonly string[]): Script<Map<SqlValue | undefined, ReportedOutcome>> {
  const groups = requestIds.length === 0 ? [] : yield inRuns(requestIds).map(findOutcomes)
  const outcomes = groups
    .flat()
    .map(outcomeOf)
    .filter((outcome) => outcome !== null)
  return new Map(outcomes.map((outcome) => [outcome.requestId, outcome]))
}
