/** Reads pages of an owner's records. */

import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import { firstRequestIdAt, monthOfId, type RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type {
  Annotated,
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

type Page = Script<Annotated<VerificationSummary>[]>

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

/** A range of ids. Month bounds are literals in the statement's text. */
interface Window {
  readonly bounds: readonly string[]
  /** Only ids before this one, as a parameter. */
  readonly before: RequestId | null
  /** False for old months: there are many, each rarely read. */
  readonly cachesPlan: boolean
}

function* windowsOf(request: HistoryQuery, nowMs: number): Generator<Window> {
  const before = upperOf(request)
  const current = monthAt(nowMs)
  const month = before === null ? current : monthBefore(before)
  if (month === null) return yield { bounds: [], before, cachesPlan: true }
  // The newest month has no upper bound, so that clock errors do not matter.
  const isNewest = month >= current
  const shown = isNewest ? current : month
  const first = boundsOf(shown)
  const from = request.fromMs === null ? '' : firstRequestIdAt(request.fromMs)
  const start = `request_id >= '${first.firstId}'`
  const end = `request_id < '${first.endId}'`
  yield { bounds: isNewest ? [start] : [start, end], before, cachesPlan: isNewest }
  // No id is older than the first month.
  if (from >= first.firstId || monthStartMs(shown) <= 0) return
  const { firstId, endId } = boundsOf(monthAt(monthStartMs(shown, -1)))
  yield {
    bounds: [`request_id >= '${firstId}'`, `request_id < '${endId}'`],
    before: null,
    cachesPlan: isNewest,
  }
  if (from < firstId) yield { bounds: [], before: firstId, cachesPlan: true }
}

/** The month of the last id before this one, or null if it is not a valid id. */
function monthBefore(id: RequestId): Month | null {
  const month = monthOfId(id)
  const isFirst = month !== null && boundsOf(month).firstId === id && monthStartMs(month) > 0
  return isFirst ? monthAt(monthStartMs(month, -1)) : month
}

/** The earlier of the cursor and the end time. */
function upperOf({ before, toMs }: HistoryQuery): RequestId | null {
  const to = toMs === null ? null : firstRequestIdAt(toMs)
  return before === null || to === null ? (before ?? to) : before < to ? before : to
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
  // A separate subquery (OFFSET 0) forces an index lookup per id. In a plain join the planner may scan every month
  // while its statistics are poor.
  const where = ['request_id = page.request_id', ...bounds].join(' AND ')
  const records = `CROSS JOIN LATERAL (SELECT * FROM verifications WHERE ${where} OFFSET 0) AS v`
  const sql = pageSql([...conditions, ...bounds], { request, limit: String(size), records })
  const [rows = []] = yield [{ sql, values, ...(cachesPlan ? {} : { isUncached: true }) }]
  return rows
}

function* pageRows(ownerId: string, request: HistoryQuery): Script<readonly Row[]> {
  const values: SqlValue[] = []
  const conditions = conditionsOf(ownerId, { ...request, before: upperOf(request) }, values)
  const limit = `$${values.push(request.limit)}`
  const records = 'JOIN verifications v ON v.request_id = page.request_id'
  return yield* query(pageSql(conditions, { request, limit, records }), values)
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

/** An index to walk: its table, and the names of its columns there. */
interface PageSource {
  readonly from: string
  readonly id: string
  readonly text: string
}

const plain: PageSource = { from: 'verifications', id: 'request_id', text: 'correlation_id' }
/** A correlation id is in the record in form 1, and apart from it in form 2. */
const correlated: readonly PageSource[] = [
  { ...plain, from: 'verifications INDEXED BY verifications_by_correlation' },
  { from: 'personal_texts INDEXED BY personal_texts_by_text', id: 'subject_id', text: 'personal_text' },
]

interface PageText {
  readonly request: HistoryQuery
  readonly limit: string
  /** The join that reads the full rows. */
  readonly records: string
}

/**
 * Each branch walks an index from its end and stops at the limit, whatever the filters, so that a page costs the same
 * in a history of any length. The index covers a branch; full rows are read only for the page.
 */
function pageSql(conditions: readonly string[], { request, limit, records }: PageText): string {
  const sources = request.correlationId === null ? [plain] : correlated
  const branches = (request.verdict === null ? verdicts : [request.verdict]).flatMap((verdict) =>
    sources.map(
      ({ from, id, text }, place) => `SELECT * FROM (SELECT ${id} AS request_id FROM ${from}
      WHERE ${conditions.map((one) => one.replace('request_id', id).replace('correlation_id', text)).join(' AND ')}
        AND decision = '${verdict}'
      ORDER BY ${id} DESC LIMIT ${limit}) AS ${verdict === 'NO-GO' ? 'no_go' : verdict.toLowerCase()}_${place}`,
    ),
  )
  return `SELECT ${summaryColumns}, o.request_id AS overridden,
        CAST(EXISTS (SELECT 1 FROM outcomes r WHERE r.request_id = v.request_id) AS integer) AS ended
      FROM (${branches.join(' UNION ALL ')} ORDER BY request_id DESC LIMIT ${limit}) AS page
      ${records}
      LEFT JOIN overrides o ON o.request_id = v.request_id ORDER BY v.request_id DESC`
}

function* withFollowUps(rows: readonly Row[]): Page {
  const overrides = yield* overridesOf(rows.flatMap((row) => row['overridden'] ?? []).map(String))
  const outcomes = yield* outcomesOf(rows.filter(hasOutcome).map((row) => String(row['request_id'])))
  return rows.map((row) => ({
    ...summaryOf(row),
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
