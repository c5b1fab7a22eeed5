/** Finds records by id, with their overrides and outcomes, or by correlation id, and counts all records. */

import type { Annotated, Verification } from '../../../app/ports/records.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { monthOfId } from '../../../core/identity/request-id.ts'
import { boundsOf } from '../months/months.ts'
import { outcomeColumns, outcomeOf } from './outcomes.ts'
import { overrideColumns, overrideOf } from './overrides.ts'
import { recordColumns, verificationOf } from './record-rows.ts'

export interface FindCommand {
  readonly ownerId: string
  readonly requestId: RequestId
}

/** Builds the statement for a number of rows, with an extra condition that narrows the partitions. */
const findSqlWith = (where: (rows: number) => string): ((rows: number) => string) =>
  sqlForRows(
    (rows) => `WITH wanted (place, owner_id, request_id) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, ${recordColumns}, ${overrideColumns}, ${outcomeColumns}
      FROM wanted a JOIN verifications v ON v.request_id = a.request_id AND v.owner_id = a.owner_id${where(rows)}
      LEFT JOIN overrides o ON o.request_id = v.request_id
      LEFT JOIN outcomes r ON r.request_id = v.request_id`,
  )
const findSql = findSqlWith(() => '')

type FoundRecord = Annotated<Verification> | null

/** Batched: concurrent lookups share a statement. */
export function* findAll(commands: readonly FindCommand[]): Script<FoundRecord[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map((run) => findStatement(run, findSql))
  return runs.flatMap((run, index) => recordsOf(run, groups[index] ?? []))
}

function findStatement(run: readonly FindCommand[], sql: (rows: number) => string): Statement {
  const values = run.flatMap(({ ownerId, requestId }, place) => [String(place), ownerId, requestId])
  return { sql: sql(run.length), values }
}

function recordsOf(run: readonly FindCommand[], rows: readonly Row[]): FoundRecord[] {
  const byPlace = new Map<SqlValue | undefined, Row>()
  for (const row of rows) {
    // A payment that was pending and then ended has two rows: the final one counts.
    if (row['r_is_final'] !== 0 || !byPlace.has(row['place'])) byPlace.set(row['place'], row)
  }
  return run.map((_, place) => {
    const row = byPlace.get(String(place))
    return row === undefined
      ? null
      : { ...verificationOf(row), override: overrideOf(row), outcome: outcomeOf(row) }
  })
}

// On partitioned tables, each statement names only the months it needs.

/** The `IN` list lets the planner prune partitions; from the join alone it would plan over every month. */
const findAnywhereSql = findSqlWith(
  (rows) => ` AND v.request_id IN (${Array.from({ length: rows }, (_, row) => `$${3 * row + 3}`).join(',')})`,
)

/** Most lookups are for recent records. With the month in the text, the cached plan covers one partition. */
const findInMonthSql = new Map<Month, (rows: number) => string>()

function monthSqlOf(month: Month): (rows: number) => string {
  const { firstId, endId } = boundsOf(month)
  const bounds = ` AND v.request_id >= '${firstId}' AND v.request_id < '${endId}'`
  const sql = findInMonthSql.get(month) ?? findSqlWith(() => bounds)
  findInMonthSql.set(month, sql)
  return sql
}

/** Like `findAll`. Only the last two months get statements of their own, so that few plans are cached. */
export function* findAllByMonth(commands: readonly FindCommand[], nowMs: number): Script<FoundRecord[]> {
  const current = monthAt(nowMs)
  const recent = new Set([current, monthAt(monthStartMs(current, -1))])
  const groups = Map.groupBy(commands, ({ requestId }) => {
    const month = monthOfId(requestId)
    return month !== null && recent.has(month) ? month : null
  })
  const runs = [...groups].flatMap(([month, inMonth]) =>
    inRuns(inMonth).map((run) => ({ run, sql: month === null ? findAnywhereSql : monthSqlOf(month) })),
  )
  const results = yield runs.map(({ run, sql }) => findStatement(run, sql))
  const byCommand = new Map<FindCommand, FoundRecord>()
  for (const [index, { run }] of runs.entries()) {
    const records = recordsOf(run, results[index] ?? [])
    for (const [place, command] of run.entries()) byCommand.set(command, records[place] ?? null)
  }
  return commands.map((command) => byCommand.get(command) ?? null)
}

/** More only show that there are several. */
const correlatedMax = 5

/** A correlation id is in the record in form 1, and apart from it in form 2. Each index is walked from its end. */
const correlatedSql = (['GO', 'DEGRADED', 'NO-GO'] as const)
  .flatMap((decision, place) => [
    `SELECT * FROM (SELECT request_id FROM verifications INDEXED BY verifications_by_correlation
      WHERE owner_id = $1 AND correlation_id = $2 AND decision = '${decision}'
      ORDER BY request_id DESC LIMIT ${correlatedMax}) AS within_${place}`,
    `SELECT * FROM (SELECT subject_id AS request_id FROM personal_texts INDEXED BY personal_texts_by_text
      WHERE owner_id = $1 AND personal_text = $2 AND decision = '${decision}'
      ORDER BY subject_id DESC LIMIT ${correlatedMax}) AS apart_${place}`,
  ])
  .join(' UNION ALL ')

export function* findCorrelated(ownerId: string, correlationIds: readonly string[]): Script<RequestId[][]> {
  const sql = `${correlatedSql} ORDER BY request_id DESC LIMIT ${correlatedMax}`
  const groups = yield correlationIds.map((correlationId) => ({ sql, values: [ownerId, correlationId] }))
  const ids = groups.map((rows) => rows.map((row) => row['request_id'] as RequestId))
  const attached = yield* attachedAmong(ids.flat())
  return ids.map((ofOne) => ofOne.filter((id) => attached.has(id)))
}

const attachedSql = sqlForRows(
  (rows) => `SELECT request_id FROM verifications WHERE request_id IN (${parameterList(rows)})`,
)

/** Those that are in the database: the text of a decision stays when its month is detached. */
function* attachedAmong(ids: readonly RequestId[]): Script<ReadonlySet<RequestId>> {
  const runs = inRuns([...new Set(ids)])
  const groups =
    runs.length === 0 ? [] : yield runs.map((run) => ({ sql: attachedSql(run.length), values: run }))
  return new Set(groups.flat().map((row) => row['request_id'] as RequestId))
}

/** The table and column of each kind of entry that belongs to a decision, by the prefix of its id. */
const subjectTables: Readonly<Record<string, readonly [table: string, column: string]>> = {
  ovr: ['overrides', 'override_id'],
  out: ['outcomes', 'outcome_id'],
  rvc: ['review_changes', 'change_id'],
}

export function* findSubject(ownerId: string, id: string): Script<RequestId | null> {
  const source = subjectTables[id.slice(0, 3)]
  if (source === undefined) return null
  const [table, column] = source
  const [row] = yield* query(`SELECT request_id FROM ${table} WHERE ${column} = $1 AND owner_id = $2`, [
    id,
    ownerId,
  ])
  return (row?.['request_id'] ?? null) as RequestId | null
}

/** One statement, so that an entry is in the head or in the queue, and never in both or in neither. */
export const totalSql =
  'SELECT records + (SELECT COALESCE(SUM(records), 0) FROM journal_queue) AS total FROM log_head'

export function* countAll(): Script<number> {
  const [row] = yield* query(totalSql)
  return Number(row?.['total'] ?? 0)
}
