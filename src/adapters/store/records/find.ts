/** Records by their ids, with what followed on each; and how many there are. */

import type { Followed, Verification } from '../../../app/ports/records.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import {
  inRuns,
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

/** With what more is known of where the records lie. */
const findTextOf = (where: (rows: number) => string): ((rows: number) => string) =>
  sqlForRows(
    (rows) => `WITH asked (place, owner_id, request_id) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, ${recordColumns.map((name) => `v.${name}`).join(', ')}, ${overrideColumns}, ${outcomeColumns}
      FROM asked a JOIN verifications v ON v.request_id = a.request_id AND v.owner_id = a.owner_id${where(rows)}
      LEFT JOIN overrides o ON o.request_id = v.request_id
      LEFT JOIN outcomes r ON r.request_id = v.request_id`,
  )
const findSql = findTextOf(() => '')

type Found = Followed<Verification> | null

/** Many at once: what arrives together is looked up together. */
export function* findAll(commands: readonly FindCommand[]): Script<Found[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map((run) => findStatement(run, findSql))
  return runs.flatMap((run, index) => foundOf(run, groups[index] ?? []))
}

function findStatement(run: readonly FindCommand[], sql: (rows: number) => string): Statement {
  const values = run.flatMap(({ ownerId, requestId }, place) => [String(place), ownerId, requestId])
  return { sql: sql(run.length), values }
}

function foundOf(run: readonly FindCommand[], rows: readonly Row[]): Found[] {
  const byPlace = new Map<SqlValue | undefined, Row>()
  for (const row of rows) {
    // A payment that was pending and then ended has two rows: the end counts.
    if (row['r_is_final'] !== 0 || !byPlace.has(row['place'])) byPlace.set(row['place'], row)
  }
  return run.map((_, place) => {
    const row = byPlace.get(String(place))
    return row === undefined
      ? null
      : { ...verificationOf(row), override: overrideOf(row), outcome: outcomeOf(row) }
  })
}

// Where months are partitions, a statement knows of the months that are asked for, and of no others.

/** Joined alone, the ids would be known too late: the statement would be planned over every month there is. */
const findAnywhere = findTextOf(
  (rows) => ` AND v.request_id IN (${Array.from({ length: rows }, (_, row) => `$${3 * row + 3}`).join(',')})`,
)

/** Most of what is asked for is new: there the plan is kept, which the month in the text makes a small one. */
const findInMonth = new Map<Month, (rows: number) => string>()

function textOf(month: Month): (rows: number) => string {
  const { firstId, endId } = boundsOf(month)
  const bounds = ` AND v.request_id >= '${firstId}' AND v.request_id < '${endId}'`
  const text = findInMonth.get(month) ?? findTextOf(() => bounds)
  findInMonth.set(month, text)
  return text
}

/** As `findAll`. The last two months are asked for each by itself; texts with a month in them stay few. */
export function* findAllByMonth(commands: readonly FindCommand[], nowMs: number): Script<Found[]> {
  const current = monthAt(nowMs)
  const recent = new Set([current, monthAt(monthStartMs(current, -1))])
  const groups = Map.groupBy(commands, ({ requestId }) => {
    const month = monthOfId(requestId)
    return month !== null && recent.has(month) ? month : null
  })
  const runs = [...groups].flatMap(([month, asked]) =>
    inRuns(asked).map((run) => ({ run, sql: month === null ? findAnywhere : textOf(month) })),
  )
  const results = yield runs.map(({ run, sql }) => findStatement(run, sql))
  const found = new Map<FindCommand, Found>()
  for (const [index, { run }] of runs.entries()) {
    const all = foundOf(run, results[index] ?? [])
    for (const [place, command] of run.entries()) found.set(command, all[place] ?? null)
  }
  return commands.map((command) => found.get(command) ?? null)
}

export function* countAll(): Script<number> {
  const [row] = yield* query('SELECT CAST(SUM(total) AS bigint) AS total FROM verification_counts')
  return Number(row?.['total'] ?? 0)
}
