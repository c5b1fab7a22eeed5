/** Reads and changes single leaves inside their blocks, where each is one line of a text. */

import { entriesOf, textOf } from '../../src/adapters/store/journal/queue.ts'
import type { LogLeaf } from '../../src/app/ports/log.ts'
import type { DirectAccess, Row } from './tables.ts'

/** A leaf with its block and its line in it. */
export interface StoredLeaf extends LogLeaf {
  readonly block: number
  readonly line: number
}

export function leavesOf(block: Row): StoredLeaf[] {
  const first = Number(block['first_leaf'])
  return entriesOf(String(block['entries'])).map((entry, line) => ({
    ...entry,
    index: first + line,
    block: first,
    line,
  }))
}

/** The current leaves. */
export async function readLeaves({ run }: DirectAccess): Promise<StoredLeaf[]> {
  return (await run('SELECT first_leaf, entries FROM log_blocks ORDER BY first_leaf')).flatMap(leavesOf)
}

type Entries = ReturnType<typeof entriesOf>

/** Rewrites a block with the entries that `change` returns. */
export async function changeBlock(
  { run }: DirectAccess,
  first: number,
  change: (entries: Entries) => Entries,
): Promise<void> {
  const [row] = await run('SELECT entries FROM log_blocks WHERE first_leaf = $1', first)
  const entries = change(entriesOf(String(row?.['entries'])))
  await run('UPDATE log_blocks SET entries = $1 WHERE first_leaf = $2', textOf(entries), first)
}

/** Changes members of one leaf. */
export function changeLeaf(
  access: DirectAccess,
  { block, line }: StoredLeaf,
  change: Partial<Entries[number]>,
): Promise<void> {
  return changeBlock(access, block, (entries) =>
    entries.map((entry, at) => (at === line ? { ...entry, ...change } : entry)),
  )
}

/** The texts by which a finding may name these leaves. */
export function placesOfLeaves(leaves: readonly LogLeaf[]): string[] {
  return leaves.flatMap(({ index, subjectId }) => [`leaf ${index}`, `leaves ${index} to `, subjectId])
}
