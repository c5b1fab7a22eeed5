/** SQL of a page of history: the walk over an index that finds its ids, and the join that reads their rows. */

import type { HistoryQuery } from '../../../../app/ports/records.ts'
import type { Verdict } from '../../../../core/decision/score.ts'
import { firstRequestIdAt } from '../../../../core/identity/request-id.ts'
import type { SqlValue } from '../../engine/script.ts'
import { listedColumns } from '../record-rows.ts'

const verdicts: readonly Verdict[] = ['GO', 'DEGRADED', 'NO-GO']

export function conditionsOf(
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

/** The parts of the request that choose the branches of a walk. */
type Walked = Pick<HistoryQuery, 'verdict' | 'correlationId'>

/**
 * The newest ids. Each branch walks an index from its end and stops at the limit, whatever the filters, so that a page
 * costs the same in a history of any length. The index covers a branch; full rows are read only for the page.
 */
export function walkSql(conditions: readonly string[], request: Walked, limit: string): string {
  const sources = request.correlationId === null ? [plain] : correlated
  const branches = (request.verdict === null ? verdicts : [request.verdict]).flatMap((verdict) =>
    sources.map(
      ({ from, id, text }, place) => `SELECT * FROM (SELECT ${id} AS request_id FROM ${from}
      WHERE ${conditions.map((one) => one.replace('request_id', id).replace('correlation_id', text)).join(' AND ')}
        AND decision = '${verdict}'
      ORDER BY ${id} DESC LIMIT ${limit}) AS ${verdict === 'NO-GO' ? 'no_go' : verdict.toLowerCase()}_${place}`,
    ),
  )
  return `${branches.join(' UNION ALL ')} ORDER BY request_id DESC LIMIT ${limit}`
}

/** The join that reads the full rows. */
export const joinRecords = 'JOIN verifications v ON v.request_id = page.request_id'

/**
 * The same on partitioned tables. A separate subquery (OFFSET 0) forces an index lookup per id. In a plain join the
 * planner may scan every month while its statistics are poor.
 */
export function joinRecordsWithin(bounds: readonly string[]): string {
  const where = ['request_id = page.request_id', ...bounds].join(' AND ')
  return `CROSS JOIN LATERAL (SELECT * FROM verifications WHERE ${where} OFFSET 0) AS v`
}

export const joinOverrides = 'LEFT JOIN overrides o ON o.request_id = v.request_id'

/** With the marks by which follow-ups are read. */
export const pageColumns = `${listedColumns}, o.request_id AS overridden,
        CAST(EXISTS (SELECT 1 FROM outcomes r WHERE r.request_id = v.request_id) AS integer) AS ended`

/** `walk` finds the ids, `join` reads the rows. */
export function pageSql(walk: string, join: string): string {
  return `SELECT ${pageColumns} FROM (${walk}) AS page
      ${join}
      ${joinOverrides} ORDER BY v.request_id DESC`
}
