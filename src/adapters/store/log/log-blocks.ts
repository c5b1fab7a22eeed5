/** Stores the leaves of the log in blocks, each of entries recorded at about the same time. */

import type { LogEntry, LogLeaf, LogRange } from '../../../app/ports/log.ts'
import { requestIdRandomDigits } from '../../../core/identity/request-id.ts'
import { entriesOf, textOf } from '../journal/queue.ts'
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

/** A block must fit in a PostgreSQL page. Longer values go to TOAST, which costs more than the block. */
const blockEntriesMax = 96

/** The random digits of an id and the last digit of its time. Ids of the same 32 ms share the rest. */
const suffixDigits = requestIdRandomDigits + 1

/** The id prefix by which a block is looked up: all ids in it share it. */
export const slotOf = (subjectId: string): string => subjectId.slice(0, -suffixDigits)

interface Block {
  readonly firstLeaf: number
  readonly slot: string
  readonly entries: string
}

/** Packs leaves into few long texts, which are cheap to write. */
export function blocksOf(from: number, leaves: readonly LogEntry[]): Block[] {
  const blocks: Block[] = []
  let start = 0
  let slot = slotOf(leaves[0]?.subjectId ?? '')
  for (let end = 1; end <= leaves.length; end += 1) {
    const next = leaves[end]
    const nextSlot = next === undefined ? null : slotOf(next.subjectId)
    if (nextSlot === slot && end - start < blockEntriesMax) continue
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

export function leavesOf(row: Row): LogLeaf[] {
  const first = Number(row['first_leaf'])
  return entriesOf(String(row['entries'])).map((entry, place) => ({ index: first + place, ...entry }))
}

/** Starts at the block that contains the leaf. */
export const fromSql = (leaf: string): string => `SELECT first_leaf, entries FROM log_blocks
  WHERE first_leaf >= COALESCE((SELECT MAX(first_leaf) FROM log_blocks WHERE first_leaf <= ${leaf}), ${leaf})`

/** A statement that reads the hashes of a range of leaves, and a function that extracts them from its rows. */
export function leafHashesQuery({ from, to }: Omit<LogRange, 'level'>) {
  return {
    statement: { sql: `${fromSql('$1')} AND first_leaf < $2 ORDER BY first_leaf`, values: [from, to] },
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
  // Only leaves in the block of their own slot count: a lookup by id would not find any other.
  const placed = groups
    .flat()
    .flatMap((row) => leavesOf(row).filter(({ subjectId }) => slotOf(subjectId) === row['slot']))
  const byId = new Map(placed.map((leaf) => [leaf.subjectId, leaf]))
  return subjectIds.map((id) => byId.get(id) ?? null)
}

/** Read in steps, because the number of leaves per block varies. */
const blocksPerRead = 32

export function* leavesFrom(from: number, countMax: number): Script<LogLeaf[]> {
  const leaves: LogLeaf[] = []
  let next = from
  while (leaves.length < countMax) {
    const rows = yield* query(`${fromSql('$1')} ORDER BY first_leaf LIMIT $2`, [next, blocksPerRead])
    const first = next
    leaves.push(...rows.flatMap(leavesOf).filter(({ index }) => index >= first))
    if (rows.length < blocksPerRead) break
    next = (leaves.at(-1)?.index ?? next) + 1
  }
  return leaves.slice(0, countMax)
}
