/** Searches an owner's records by filters that no index answers, within a bound. */

import type {
  AmountRecord,
  Annotated,
  HistorySearch,
  ListedVerification,
  RecordMatch,
  Searched,
} from '../../../../app/ports/records.ts'
import type { RequestId } from '../../../../core/identity/request-id.ts'
import type { Row, Script, SqlValue } from '../../engine/script.ts'
import { amountColumns, amountRecordOf } from '../record-rows.ts'
import { withFollowUps } from './list.ts'
import {
  conditionsOf,
  joinOverrides,
  joinRecords,
  joinRecordsWithin,
  pageColumns,
  walkSql,
} from './page-sql.ts'
import { upperOf, windowsOf, type Window } from './windows.ts'

/** `nowMs` is null if all records are in one table. */
export function* search(
  ownerId: string,
  request: HistorySearch,
  nowMs: number | null,
): Script<Searched<Annotated<ListedVerification>>> {
  const { found, searchedTo } = yield* searchRows(ownerId, request, nowMs, pageColumns)
  return { found: yield* withFollowUps(found), searchedTo }
}

export function* searchAmounts(
  ownerId: string,
  request: HistorySearch,
  nowMs: number | null,
): Script<Searched<AmountRecord>> {
  const { found, searchedTo } = yield* searchRows(ownerId, request, nowMs, amountColumns)
  return { found: found.map(amountRecordOf), searchedTo }
}

/** Looks at the newest records first, month by month where there are months. */
function* searchRows(
  ownerId: string,
  request: HistorySearch,
  nowMs: number | null,
  columns: string,
): Script<Searched<Row>> {
  const found: Row[] = []
  let left = request.searchMax
  let searchedTo: RequestId | null = null
  for (const window of nowMs === null ? [null] : windowsOf(request, nowMs)) {
    const bounded = { ...request, limit: request.limit - found.length, searchMax: left }
    const [matches = [], [walked] = []] = yield statementsOf(ownerId, bounded, window, columns)
    found.push(...matches)
    left -= Number(walked?.['searched'])
    searchedTo = (walked?.['searched_to'] ?? searchedTo) as RequestId | null
    if (left <= 0 || found.length >= request.limit) break
  }
  return { found, searchedTo: left <= 0 ? searchedTo : null }
}

/** Limits are in the text where the planner would guess them from a parameter, and then the plan is not cached. */
function statementsOf(ownerId: string, request: HistorySearch, window: Window | null, columns: string) {
  const values: SqlValue[] = []
  const parameter = (value: SqlValue): string => `$${values.push(value)}`
  const size = (count: number): string => (window === null ? parameter(count) : String(count))
  const bounds = window?.bounds ?? []
  const before = window === null ? upperOf(request) : window.before
  const conditions = [...conditionsOf(ownerId, { ...request, toMs: null, before }, values), ...bounds]
  const walk = walkSql(conditions, request, size(request.searchMax))
  const walkValues = [...values]
  const matches = matchesOf(request.match, parameter)
  const plan = window === null ? {} : { isUncached: true }
  return [
    {
      sql: `SELECT ${columns} FROM (${walk}) AS page
        ${window === null ? joinRecords : joinRecordsWithin(bounds)}
        ${joinOverrides}${matches.length === 0 ? '' : ` WHERE ${matches.join(' AND ')}`}
        ORDER BY page.request_id DESC LIMIT ${size(request.limit)}`,
      values,
      ...plan,
    },
    {
      sql: `SELECT count(*) AS searched, min(request_id) AS searched_to FROM (${walk}) AS page`,
      values: walkValues,
      ...plan,
    },
  ]
}

const latestOutcome =
  '(SELECT r.outcome FROM outcomes r WHERE r.request_id = v.request_id ORDER BY r.is_final DESC LIMIT 1)'

/** The conditions on `verifications v` and `overrides o`, cheapest first. */
function matchesOf(match: RecordMatch, parameter: (value: SqlValue) => string): string[] {
  const { mode, currency, amountMin, amountMax, isOverridden, outcome, reason } = match
  return [
    mode !== null && `v.mode = ${parameter(mode)}`,
    currency !== null && `v.currency = ${parameter(currency)}`,
    amountMin !== null && `v.amount >= CAST(${parameter(amountMin)} AS double precision)`,
    amountMax !== null && `v.amount <= CAST(${parameter(amountMax)} AS double precision)`,
    isOverridden !== null && `o.request_id IS ${isOverridden ? 'NOT ' : ''}NULL`,
    outcome !== null &&
      (outcome === 'none' ? `${latestOutcome} IS NULL` : `${latestOutcome} = ${parameter(outcome)}`),
    // Within a text of the answer the quotes would be escaped, so this is a member.
    reason !== null && `v.answer LIKE ${parameter(`%{"code":"${reason}",%`)}`,
  ].filter((condition) => condition !== false)
}
