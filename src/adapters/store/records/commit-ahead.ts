/**
 * Admits, looks and appends in one message to PostgreSQL, for decisions made before anything was looked up. It fails as a
 * whole if a caller is refused, a corridor blocked or a key taken; what was admitted stays so. The admission is a
 * transaction of its own: its row locks do not last until the disk has the records.
 */

import type { AheadCommand, Verification } from '../../../app/ports/records.ts'
import type { Admission } from '../../../core/time/rolling-window.ts'
import {
  inRuns,
  last,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { admissionsOf, admitSql, admitValues, demandsOf } from '../limits/admit.ts'
import { commitStatements } from './commit.ts'

/** The error code of `fairway_proceed`. */
export const lookFirstCode = 'FW001'

const begin: Statement = { sql: 'BEGIN', values: [] }
const end: Statement = { sql: 'COMMIT', values: [] }

export function* commitAhead(
  commands: readonly AheadCommand[],
  hashOf: (record: Verification) => string,
): Script<Admission[]> {
  const groups = yield last([
    begin,
    { sql: admitSql, values: admitValues(demandsOf(commands.map(({ ticket }) => ticket))) },
    end,
    ...proceed(commands),
    ...commitStatements(commands, hashOf),
  ])
  return admissionsIn(groups, commands)
}

/** Whether a message that failed got as far as the admission. */
export const hasAdmissions = (groups: readonly (readonly Row[])[]): boolean => (groups[1]?.length ?? 0) > 0

/** Reads the admissions from the rows of a message, which may have failed after them. */
export function admissionsIn(
  groups: readonly (readonly Row[])[],
  commands: readonly AheadCommand[],
): Admission[] {
  return admissionsOf(
    commands.map(({ ticket }) => ticket),
    groups[1] ?? [],
  )
}

/** Each corridor once, for the longest time. Decisions that repeat a block need none to be absent. */
function proceed(commands: readonly AheadCommand[]): Statement[] {
  const corridors = new Map<string, Corridor>()
  for (const { record, openSince } of commands) {
    if (openSince === null) continue
    const { ownerId, mode, corridor } = record
    const name = `${ownerId}\n${mode}\n${corridor}`
    const { afterMs, untilMs } = corridors.get(name) ?? openSince
    corridors.set(name, {
      ownerId,
      mode,
      corridor,
      afterMs: Math.min(afterMs, openSince.afterMs),
      untilMs: Math.max(untilMs, openSince.untilMs),
    })
  }
  const runs = corridors.size === 0 ? [[]] : inRuns([...corridors.values()])
  return runs.map((run) => ({ sql: proceedSql(run.length), values: run.flatMap(valuesOf) }))
}

interface Corridor {
  readonly ownerId: string
  readonly mode: string
  readonly corridor: string
  readonly afterMs: number
  readonly untilMs: number
}

const valuesOf = ({ ownerId, mode, corridor, afterMs, untilMs }: Corridor): SqlValue[] => [
  ownerId,
  mode,
  corridor,
  afterMs,
  untilMs,
]

/** One subquery a corridor: each is one look at the primary key, whatever the statistics. */
const proceedSql = sqlForRows((rows) => {
  const isBlocked = Array.from({ length: rows }, (_, index) => {
    const [owner, mode, corridor, after, until] = [1, 2, 3, 4, 5].map((place) => `$${index * 5 + place}`)
    return `EXISTS (SELECT 1 FROM cooldowns WHERE owner_id = ${owner} AND mode = ${mode} AND corridor = ${corridor}
      AND blocked_at_ms > ${after} AND blocked_at_ms <= ${until})`
  })
  return `SELECT fairway_proceed(${isBlocked.join(' OR ') || 'false'}) AS ok`
})
