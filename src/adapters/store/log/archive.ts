/** SQL of archives: decisions in leaf order, with the overrides and outcomes that the log had at one size. */

import type {
  ArchiveStore,
  DecisionQuery,
  LeafRange,
  Sealed,
  SealedDecision,
} from '../../../app/ports/operate/archive.ts'
import type { LogLeaf } from '../../../app/ports/log.ts'
import { firstRequestIdAt, monthOfId } from '../../../core/identity/request-id.ts'
import type { Driver } from '../engine/driver.ts'
import { inRuns, parameterList, query, sqlForRows, type Row, type Script } from '../engine/script.ts'
import { detachedTableOf } from '../months/months.ts'
import { findOutcomes, outcomeOf } from '../records/outcomes.ts'
import { findOverrides, overrideOf } from '../records/overrides.ts'
import { recordColumns, verificationOf } from '../records/record-rows.ts'
import { findLeaves, leavesFrom, slotOf } from './log-blocks.ts'

export function archiveOf(driver: Driver): ArchiveStore {
  return {
    range: (times) => driver.read(() => range(times)),
    leaves: (from, countMax) => driver.read(() => leavesFrom(from, countMax)),
    decisions: (request) => driver.read(() => decisions(request)),
  }
}

/** A block of decisions has no other entries, and its slot has their time. */
function* range({
  fromMs,
  toMs,
  treeSize,
}: {
  readonly fromMs: number
  readonly toMs: number
  readonly treeSize: number
}): Script<LeafRange | null> {
  const [row] = yield* query(
    `SELECT MIN(first_leaf) AS first, MAX(first_leaf) AS last FROM log_blocks
      WHERE slot >= $1 AND slot <= $2 AND first_leaf < $3`,
    [slotOf(firstRequestIdAt(fromMs)), slotOf(firstRequestIdAt(toMs - 1)), treeSize],
  )
  const first = row?.['first'] ?? null
  if (first === null) return null
  const lastBlock = Number(row?.['last'])
  const [block] = yield* query('SELECT first_leaf, entries FROM log_blocks WHERE first_leaf = $1', [
    lastBlock,
  ])
  const entries = String(block?.['entries'] ?? '').split('\n').length
  return { from: Number(first), to: Math.min(treeSize, lastBlock + entries) }
}

const selectFrom = (table: string): ((rows: number) => string) =>
  sqlForRows(
    (rows) => `SELECT ${recordColumns} FROM ${table} v WHERE v.request_id IN (${parameterList(rows)})`,
  )
const attachedSql = selectFrom('verifications')

function* decisions(request: DecisionQuery): Script<(SealedDecision | null)[]> {
  const { requestIds, treeSize } = request
  const records = yield* recordsOf(request)
  const runs = inRuns(requestIds)
  const overrideRows = (yield runs.map(findOverrides)).flat()
  const outcomeRows = (yield runs.map(findOutcomes)).flat()
  const overrides = overrideRows.flatMap((row) => overrideOf(row) ?? [])
  const outcomes = outcomeRows.flatMap((row) => outcomeOf(row) ?? [])
  const leafOf = yield* sealedLeaves(
    [
      ...overrides.map(({ overrideId }) => overrideId),
      ...outcomes.flatMap(({ outcomeId }) => outcomeId ?? []),
    ],
    treeSize,
  )
  const overrideByRequest = byRequest(overrides, ({ overrideId }) => leafOf(overrideId))
  const outcomeByRequest = byRequest(outcomes, ({ outcomeId }) => leafOf(outcomeId))
  return requestIds.map((id) => {
    const row = records.get(id)
    return row === undefined
      ? null
      : {
          record: verificationOf(row),
          override: overrideByRequest.get(id) ?? null,
          outcome: outcomeByRequest.get(id) ?? null,
        }
  })
}

function* recordsOf({ requestIds, detached }: DecisionQuery): Script<Map<string, Row>> {
  const groups = Map.groupBy(requestIds, (id) => {
    const month = detached.size === 0 ? null : monthOfId(id)
    return month !== null && detached.has(month) ? month : null
  })
  const statements = [...groups].flatMap(([month, ids]) => {
    const sql = month === null ? attachedSql : selectFrom(detachedTableOf(month))
    return inRuns(ids).map((run) => ({ sql: sql(run.length), values: run, isUncached: month !== null }))
  })
  const rows = yield statements
  return new Map(rows.flat().map((row) => [String(row['request_id']), row]))
}

type LeafOf = (id: string | null) => LogLeaf | null | undefined

/** Undefined for an id that is not in the log of this size, null for no id. */
function* sealedLeaves(ids: readonly string[], treeSize: number): Script<LeafOf> {
  const found = ids.length === 0 ? [] : yield* findLeaves(ids)
  const sealed = new Map(
    found.flatMap((leaf) =>
      leaf !== null && leaf.index < treeSize ? [[leaf.subjectId, leaf] as const] : [],
    ),
  )
  return (id) => (id === null ? null : sealed.get(id))
}

/** Of two outcomes the final one, which comes last, takes the place of the pending one. */
function byRequest<Value extends { readonly requestId: string }>(
  values: readonly Value[],
  leafOf: (value: Value) => LogLeaf | null | undefined,
): Map<string, Sealed<Value>> {
  const sealed = new Map<string, Sealed<Value>>()
  for (const value of values) {
    const leaf = leafOf(value)
    if (leaf !== undefined) sealed.set(value.requestId, { value, leaf })
  }
  return sealed
}
