/** Looks up an earlier answer under a key and a block on a corridor, before a decision is computed. */

import type { Lookup, LookupCommand, RepeatedRecord } from '../../../app/ports/records.ts'
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

/** Reads records only for matches. A join would open every monthly partition for each lookup. */
export function* lookUp(commands: readonly LookupCommand[]): Script<Lookup[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map(lookupStatement)
  const matches = runs.flatMap((run, index) => matchesOf(run, groups[index] ?? []))
  const ids = new Set<string>()
  for (const { earlier, block } of matches) for (const match of [earlier, block]) if (match) ids.add(match.id)
  if (ids.size === 0) return commands.map(() => ({ kind: 'open', block: null }))
  const records = yield inRuns([...ids]).map((run) => ({ sql: repeatedSql(run.length), values: run }))
  const byId = new Map(records.flat().map((row) => [String(row['request_id']), repeatedOf(row)]))
  return commands.map((command, place) => lookupResult(command, matches[place] ?? noMatches, byId))
}

interface Matches {
  readonly earlier: Match | null
  readonly block: Match | null
}

const noMatches: Matches = { earlier: null, block: null }

function matchesOf(run: readonly LookupCommand[], rows: readonly Row[]): Matches[] {
  const matches: Matches[] = run.map(() => noMatches)
  for (const { place, earlier, block } of rows) {
    if (earlier === null && block === null) continue
    matches[Number(place)] = { earlier: matchOf(earlier), block: matchOf(block) }
  }
  return matches
}

/**
 * Subqueries, not joins: each is one index lookup, whatever the engine's statistics. A join planned when there were few
 * keys would keep scanning all of them.
 */
const lookupSql = sqlForRows(
  (
    rows,
  ) => `WITH wanted (place, owner_id, mode, corridor, idempotency_key) AS (VALUES ${placeholders(rows, 5)})
    SELECT a.place,
        (${earlierSql}) AS earlier,
        (${blockSql}) AS block
      FROM wanted a`,
)

/** A record's id, and the fingerprint or time stored with it. */
interface Match {
  readonly id: string
  readonly rest: string
}

function matchOf(value: SqlValue | undefined): Match | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  const space = text.indexOf(' ')
  return { id: text.slice(0, space), rest: text.slice(space + 1) }
}

function lookupStatement(run: readonly LookupCommand[]): Statement {
  const values: SqlValue[] = []
  for (const [place, { ownerId, mode, corridor, idempotency }] of run.entries()) {
    values.push(String(place), ownerId, mode, corridor, idempotency?.key ?? null)
  }
  return { sql: lookupSql(run.length), values }
}

const repeatedSql = sqlForRows(
  (rows) => `SELECT ${repeatedColumns} FROM verifications v WHERE v.request_id IN (${parameterList(rows)})`,
)

function lookupResult(
  command: LookupCommand,
  { earlier, block }: Matches,
  byId: ReadonlyMap<string, RepeatedRecord>,
): Lookup {
  const first = earlier === null ? undefined : byId.get(earlier.id)
  if (earlier !== null && first !== undefined) {
    return earlierClaim(earlier.rest, command.idempotency?.fingerprint, first)
  }
  const record = block === null ? undefined : byId.get(block.id)
  if (block === null || record === undefined) return { kind: 'open', block: null }
  // A repeat has its own correlation id. This one would stay in memory after it was erased.
  return {
    kind: 'open',
    block: { blockedAtMs: Number(block.rest), record: { ...record, correlationId: null } },
  }
}
