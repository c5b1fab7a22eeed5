/** Histories: pages of an owner's records. */

import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import { firstRequestIdAt, monthOfId, type RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type {
  Followed,
  HistoryQuery,
  Override,
  ReportedOutcome,
  VerificationSummary,
} from '../../../app/ports/records.ts'
import { boundsOf } from '../months/months.ts'
import { findOutcomes, outcomeOf } from './outcomes.ts'
import { findOverrides, overrideOf } from './overrides.ts'
import { inRuns, query, type Row, type Script, type SqlValue } from '../engine/script.ts'
import { summaryColumns, summaryOf } from './record-rows.ts'

const verdicts: readonly Verdict[] = ['GO', 'DEGRADED', 'NO-GO']

type Page = Script<Followed<VerificationSummary>[]>

/** One keyset page. */
export function* list(ownerId: string, asked: HistoryQuery): Page {
  return yield* followed(yield* whole(ownerId, asked))
}

/**
 * The same where months are partitions. A page of what is newest, or of what comes before a cursor, is mostly found in
 * one month and the one before it: each is asked for alone, with its bounds in the text, and costs the same however many
 * months there are. Only what these two leave open is looked for in all the others.
 */
export function* listByMonth(ownerId: string, asked: HistoryQuery, nowMs: number): Page {
  const rows: Row[] = []
  for (const window of windowsOf(asked, nowMs)) {
    const left = asked.limit - rows.length
    if (left <= 0) break
    const found = yield* inWindow(ownerId, { ...asked, limit: left }, window)
    rows.push(...found.slice(0, left))
  }
  return yield* followed(rows)
}

/** A stretch of time; what it says of months stands in the text of the statement. */
interface Window {
  readonly bounds: readonly string[]
  /** Only ids before this one, as a parameter. */
  readonly before: RequestId | null
  /** Months that are long over are many, and each of them is rarely asked for. */
  readonly keepsPlan: boolean
}

function* windowsOf(asked: HistoryQuery, nowMs: number): Generator<Window> {
  const before = upperOf(asked)
  const current = monthAt(nowMs)
  const month = before === null ? current : monthBefore(before)
  if (month === null) return yield { bounds: [], before, keepsPlan: true }
  // Whatever a clock says, the newest month is open at its end.
  const isNewest = month >= current
  const shown = isNewest ? current : month
  const first = boundsOf(shown)
  const from = asked.fromMs === null ? '' : firstRequestIdAt(asked.fromMs)
  const start = `request_id >= '${first.firstId}'`
  const end = `request_id < '${first.endId}'`
  yield { bounds: isNewest ? [start] : [start, end], before, keepsPlan: isNewest }
  // No id is older than the first month of all.
  if (from >= first.firstId || monthStartMs(shown) <= 0) return
  const { firstId, endId } = boundsOf(monthAt(monthStartMs(shown, -1)))
  yield {
    bounds: [`request_id >= '${firstId}'`, `request_id < '${endId}'`],
    before: null,
    keepsPlan: isNewest,
  }
  if (from < firstId) yield { bounds: [], before: firstId, keepsPlan: true }
}

/** That of the last id before it; null for what is no id of ours. */
function monthBefore(id: RequestId): Month | null {
  const month = monthOfId(id)
  const isFirst = month !== null && boundsOf(month).firstId === id && monthStartMs(month) > 0
  return isFirst ? monthAt(monthStartMs(month, -1)) : month
}

/** The earlier one of the two ends that may be asked for. */
function upperOf({ before, toMs }: HistoryQuery): RequestId | null {
  const to = toMs === null ? null : firstRequestIdAt(toMs)
  return before === null || to === null ? (before ?? to) : before < to ? before : to
}

/** Pages as they are mostly asked for, with the one more that says whether there is a next. */
const pageSizes = [2, 11, 21, 51, 101, 501]

/**
 * A number of rows that is a parameter makes the planner think of a tenth of all records, and so of reading them all:
 * it is written out, as one of few.
 */
function* inWindow(ownerId: string, asked: HistoryQuery, window: Window): Script<readonly Row[]> {
  const size = pageSizes.find((one) => one >= asked.limit) ?? asked.limit
  const values: SqlValue[] = []
  const conditions = conditionsOf(ownerId, { ...asked, toMs: null, before: window.before }, values)
  const { bounds, keepsPlan } = window
  // Apart from the rest of the statement, so that each id of the page is looked up where it is: joined, the planner may
  // choose to read every month from end to end while it knows little of them.
  const named = ['request_id = page.request_id', ...bounds].join(' AND ')
  const records = `CROSS JOIN LATERAL (SELECT * FROM verifications WHERE ${named} OFFSET 0) AS v`
  const sql = pageSql([...conditions, ...bounds], { asked, limit: String(size), records })
  const [rows = []] = yield [{ sql, values, ...(keepsPlan ? {} : { isUncached: true }) }]
  return rows
}

function* whole(ownerId: string, asked: HistoryQuery): Script<readonly Row[]> {
  const values: SqlValue[] = []
  const conditions = conditionsOf(ownerId, { ...asked, before: upperOf(asked) }, values)
  const limit = `$${values.push(asked.limit)}`
  const records = 'JOIN verifications v ON v.request_id = page.request_id'
  return yield* query(pageSql(conditions, { asked, limit, records }), values)
}

function conditionsOf(
  ownerId: string,
  { corridor, before, fromMs, correlationId }: HistoryQuery,
  values: SqlValue[],
): string[] {
  const parameter = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = [`owner_id = ${parameter(ownerId)}`]
  if (corridor !== null) conditions.push(`corridor = ${parameter(corridor)}`)
  if (before !== null) conditions.push(`request_id < ${parameter(before)}`)
  if (fromMs !== null) conditions.push(`request_id >= ${parameter(firstRequestIdAt(fromMs))}`)
  if (correlationId !== null) conditions.push(`correlation_id = ${parameter(correlationId)}`)
  return conditions
}

interface PageText {
  readonly asked: HistoryQuery
  readonly limit: string
  /** How the whole rows are joined. */
  readonly records: string
}

/**
 * Every branch walks an index from its end and stops at the limit, whatever the filters, so that a page costs the same in
 * a history of any length. The index has all that a branch needs; whole rows are read for the page alone.
 */
function pageSql(conditions: readonly string[], { asked, limit, records }: PageText): string {
  const source =
    asked.correlationId === null ? 'verifications' : 'verifications INDEXED BY verifications_by_correlation'
  const branches = (asked.verdict === null ? verdicts : [asked.verdict]).map(
    (verdict) => `SELECT * FROM (SELECT request_id FROM ${source}
      WHERE ${conditions.join(' AND ')} AND decision = '${verdict}'
      ORDER BY request_id DESC LIMIT ${limit}) AS ${verdict === 'NO-GO' ? 'no_go' : verdict.toLowerCase()}_rows`,
  )
  return `SELECT ${summaryColumns.map((name) => `v.${name}`).join(', ')}, o.request_id AS overridden,
        CAST(EXISTS (SELECT 1 FROM outcomes r WHERE r.request_id = v.request_id) AS integer) AS ended
      FROM (${branches.join(' UNION ALL ')} ORDER BY request_id DESC LIMIT ${limit}) AS page
      ${records}
      LEFT JOIN overrides o ON o.request_id = v.request_id ORDER BY v.request_id DESC`
}

function* followed(rows: readonly Row[]): Page {
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
