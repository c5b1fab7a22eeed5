/** What a decision finds before it computes: an earlier answer under its key, and a block on its corridor. */

import type { Look, LookCommand, RepeatedRecord } from '../../../app/ports/records.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { blockSql } from './cooldowns.ts'
import { earlierClaim, earlierSql } from './idempotency.ts'
import { repeatedColumns, repeatedOf } from './record-rows.ts'

/**
 * For each command. Records are read only where something was found: a join would have the engine open every month there is
 * for each look.
 */
export function* look(commands: readonly LookCommand[]): Script<Look[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map(lookStatement)
  const found = runs.flatMap((run, index) => foundIdsOf(run, groups[index] ?? []))
  const ids = new Set<string>()
  for (const { earlier, block } of found) for (const one of [earlier, block]) if (one) ids.add(one.id)
  if (ids.size === 0) return commands.map(() => ({ kind: 'open', block: null }))
  const records = yield inRuns([...ids]).map((run) => ({ sql: repeatedSql(run.length), values: run }))
  const byId = new Map(records.flat().map((row) => [String(row['request_id']), repeatedOf(row)]))
  return commands.map((command, place) => lookResult(command, found[place] ?? noFoundIds, byId))
}

interface FoundIds {
  readonly earlier: FoundId | null
  readonly block: FoundId | null
}

const noFoundIds: FoundIds = { earlier: null, block: null }

function foundIdsOf(run: readonly LookCommand[], rows: readonly Row[]): FoundIds[] {
  const found: FoundIds[] = run.map(() => noFoundIds)
  for (const { place, earlier, block } of rows) {
    if (earlier === null && block === null) continue
    found[Number(place)] = { earlier: foundIdOf(earlier), block: foundIdOf(block) }
  }
  return found
}

/**
 * Subqueries, not joins: each is one look into an index, whatever the engine believes of the size of the table. A join that
 * was planned when there were few keys reads all of them ever after.
 */
const lookSql = sqlForRows(
  (
    rows,
  ) => `WITH asked (place, owner_id, mode, corridor, idempotency_key) AS (VALUES ${placeholders(rows, 5)})
    SELECT a.place,
        (${earlierSql}) AS earlier,
        (${blockSql}) AS block
      FROM asked a`,
)

/** An id, and what it is found with. */
interface FoundId {
  readonly id: string
  readonly rest: string
}

function foundIdOf(value: SqlValue | undefined): FoundId | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  const space = text.indexOf(' ')
  return { id: text.slice(0, space), rest: text.slice(space + 1) }
}

function lookStatement(run: readonly LookCommand[]): Statement {
  const values: SqlValue[] = []
  for (const [place, { ownerId, mode, corridor, idempotency }] of run.entries()) {
    values.push(String(place), ownerId, mode, corridor, idempotency?.key ?? null)
  }
  return { sql: lookSql(run.length), values }
}

const repeatedSql = sqlForRows(
  (rows) => `SELECT ${repeatedColumns} FROM verifications v WHERE v.request_id IN (${parameterList(rows)})`,
)

function lookResult(
  command: LookCommand,
  { earlier, block }: FoundIds,
  byId: ReadonlyMap<string, RepeatedRecord>,
): Look {
  const first = earlier === null ? undefined : byId.get(earlier.id)
  if (earlier !== null && first !== undefined) {
    return earlierClaim(earlier.rest, command.idempotency?.fingerprint, first)
  }
  const record = block === null ? undefined : byId.get(block.id)
  if (block === null || record === undefined) return { kind: 'open', block: null }
  return { kind: 'open', block: { blockedAtMs: Number(block.rest), record } }
}
