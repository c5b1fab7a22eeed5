/** The leaves in their blocks, for hands that want one of them: each is a line of a text, and is changed with all of it. */

import { entriesOf, textOf } from '../../src/adapters/store/log/log-waiting.ts'
import type { LogLeaf } from '../../src/app/ports/log.ts'
import type { Hands, Row } from './tables.ts'

/** With the block in which it stands, and its line. */
export interface KeptLeaf extends LogLeaf {
  readonly block: number
  readonly line: number
}

export function leavesOf(block: Row): KeptLeaf[] {
  const first = Number(block['first_leaf'])
  return entriesOf(String(block['entries'])).map((entry, line) => ({
    ...entry,
    index: first + line,
    block: first,
    line,
  }))
}

/** As they stand now. */
export async function readLeaves({ run }: Hands): Promise<KeptLeaf[]> {
  return (await run('SELECT first_leaf, entries FROM log_blocks ORDER BY first_leaf')).flatMap(leavesOf)
}

type Entries = ReturnType<typeof entriesOf>

/** Writes a block anew, as `change` makes it of what stands in it. */
export async function changeBlock(
  { run }: Hands,
  first: number,
  change: (entries: Entries) => Entries,
): Promise<void> {
  const [row] = await run('SELECT entries FROM log_blocks WHERE first_leaf = $1', first)
  const entries = change(entriesOf(String(row?.['entries'])))
  await run('UPDATE log_blocks SET entries = $1 WHERE first_leaf = $2', textOf(entries), first)
}

/** Puts something else in the place of one leaf. */
export function changeLeaf(
  hands: Hands,
  { block, line }: KeptLeaf,
  change: Partial<Entries[number]>,
): Promise<void> {
  return changeBlock(hands, block, (entries) =>
    entries.map((entry, at) => (at === line ? { ...entry, ...change } : entry)),
  )
}

/** How a finding names one of these. */
export function placesOfLeaves(leaves: readonly LogLeaf[]): string[] {
  return leaves.flatMap(({ index, subjectId }) => [`leaf ${index}`, `leaves ${index} to `, subjectId])
}
