/** The leaves of the log as they are kept: side by side in blocks, each of such as were recorded at about the same time. */

import type { LogEntry, LogGrowth, LogLeaf, LogRange } from '../../../app/ports/log.ts'
import { requestIdRandomDigits } from '../../../core/identity/request-id.ts'
import { entriesOf, textOf } from './log-waiting.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'

/** Whole in a page of PostgreSQL: what is longer is kept in pieces elsewhere, which costs more than the block. */
const entriesOfABlock = 96

/** An id is in order of time but for its last digits; without the last digit of the time, those of 32 ms have the rest in common. */
const digitsApart = requestIdRandomDigits + 1

/** By which a block is found: what the ids in it have in common. */
const slotOf = (subjectId: string): string => subjectId.slice(0, -digitsApart)

export interface Block {
  readonly firstLeaf: number
  readonly slot: string
  readonly entries: string
}

/** How the log grows, in the form in which it is kept. */
export interface PackedGrowth extends Omit<LogGrowth, 'leaves'> {
  readonly size: number
  readonly blocks: readonly Block[]
}

/** Few long texts instead of many small things: cheap to hand to a thread, and to write. */
export function packed({ leaves, ...growth }: LogGrowth): PackedGrowth {
  return { ...growth, size: growth.from + leaves.length, blocks: blocksOf(growth.from, leaves) }
}

function blocksOf(from: number, leaves: readonly LogEntry[]): Block[] {
  const blocks: Block[] = []
  let start = 0
  let slot = slotOf(leaves[0]?.subjectId ?? '')
  for (let end = 1; end <= leaves.length; end += 1) {
    const next = leaves[end]
    const nextSlot = next === undefined ? null : slotOf(next.subjectId)
    if (nextSlot === slot && end - start < entriesOfABlock) continue
    blocks.push({ firstLeaf: from + start, slot, entries: textOf(leaves.slice(start, end)) })
    start = end
    slot = nextSlot ?? ''
  }
  return blocks
}

const blocksSql = sqlForRows(
  (rows) => `INSERT INTO log_blocks (first_leaf, slot, entries) VALUES ${placeholders(rows, 3)}`,
)

export function blockStatements(blocks: readonly Block[]): Statement[] {
  return inRuns(blocks).map((run) => ({
    sql: blocksSql(run.length),
    values: run.flatMap(({ firstLeaf, slot, entries }) => [firstLeaf, slot, entries]),
  }))
}

function leavesOf(row: Row): LogLeaf[] {
  const first = Number(row['first_leaf'])
  return entriesOf(String(row['entries'])).map((entry, place) => ({ index: first + place, ...entry }))
}

/** From the block on in which the leaf is. */
const fromSql = `SELECT first_leaf, entries FROM log_blocks
  WHERE first_leaf >= COALESCE((SELECT MAX(first_leaf) FROM log_blocks WHERE first_leaf <= $1), $1)`

/** What reads the hashes of leaves side by side, and what makes them of its rows. */
export function leafHashesQuery({ from, to }: Omit<LogRange, 'level'>) {
  return {
    statement: { sql: `${fromSql} AND first_leaf < $2 ORDER BY first_leaf`, values: [from, to] },
    hashesOf: (rows: readonly Row[]): string[] =>
      rows
        .flatMap(leavesOf)
        .filter(({ index }) => index >= from && index < to)
        .map(({ leafHash }) => leafHash),
  }
}

const bySlotSql = sqlForRows(
  (rows) => `SELECT first_leaf, slot, entries FROM log_blocks WHERE slot IN (${parameterList(rows)})`,
)

export function* findLeaves(subjectIds: readonly string[]): Script<(LogLeaf | null)[]> {
  const slots = [...new Set(subjectIds.map(slotOf))]
  const groups = yield inRuns(slots).map((run) => ({ sql: bySlotSql(run.length), values: run }))
  // In the block of its own time: in another one nobody would find it.
  const placed = groups
    .flat()
    .flatMap((row) => leavesOf(row).filter(({ subjectId }) => slotOf(subjectId) === row['slot']))
  const found = new Map(placed.map((leaf) => [leaf.subjectId, leaf]))
  return subjectIds.map((id) => found.get(id) ?? null)
}

/** So many at a time, since nobody knows how much is in them. */
const blocksAtATime = 32

export function* leavesFrom(from: number, countMax: number): Script<LogLeaf[]> {
  const found: LogLeaf[] = []
  let next = from
  while (found.length < countMax) {
    const rows = yield* query(`${fromSql} ORDER BY first_leaf LIMIT $2`, [next, blocksAtATime])
    const wanted = next
    found.push(...rows.flatMap(leavesOf).filter(({ index }) => index >= wanted))
    if (rows.length < blocksAtATime) break
    next = (found.at(-1)?.index ?? next) + 1
  }
  return found.slice(0, countMax)
}
