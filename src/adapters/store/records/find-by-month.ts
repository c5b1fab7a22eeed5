/** Records by their ids where months are partitions: a statement knows of the months that are asked for, and of no others. */

import { monthAt, monthStartMs, type Month } from '../../../core/time/month.ts'
import { monthOfId } from '../../../core/identity/request-id.ts'
import { boundsOf } from '../months/months.ts'
import { inRuns, type Script } from '../engine/script.ts'
import { findStatement, findTextOf, foundOf, type FindCommand, type Found } from './verifications.ts'

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
