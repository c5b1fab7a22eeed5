/** The tree as it is kept: leaves, and the nodes of every eighth level. All others are made of these when they are asked for. */

import type { LogRange } from '../ports/log.ts'
import { nodeHash, type Hash, type Place } from './merkle.ts'

/** The levels that are kept, besides the leaves. */
export const levelsApart = 8
const blockHashes = 2 ** levelsApart

type ReadHashes = (ranges: readonly LogRange[]) => Promise<readonly (readonly Hash[])[]>

/** Looks up roots of full subtrees, each from the hashes of the nearest level below that is kept. */
export function lookUpWith(read: ReadHashes): (places: readonly Place[]) => Promise<Hash[]> {
  return async (places) => {
    const parts = places.map(partsOf)
    // Neighbours are wanted together: what lies in one block is read once.
    const blocks = new Map<string, LogRange>()
    for (const { level, from } of parts) {
      const first = from - (from % blockHashes)
      blocks.set(`${level} ${first}`, { level, from: first, to: first + blockHashes })
    }
    const found = await read([...blocks.values()])
    const hashes = new Map([...blocks.keys()].map((name, at) => [name, found[at] ?? []]))
    return parts.map(({ level, from, to }) => {
      const first = from - (from % blockHashes)
      const wanted = hashes.get(`${level} ${first}`)?.slice(from - first, to - first) ?? []
      if (wanted.length !== to - from)
        throw new Error(`the log has a gap at level ${level}, from ${from} to ${to}`)
      return folded(wanted)
    })
  }
}

/** What a subtree is made of. */
function partsOf({ level, index }: Place): LogRange {
  const above = level % levelsApart
  return { level: level - above, from: index * 2 ** above, to: (index + 1) * 2 ** above }
}

/** The root of as many as a full subtree has. */
function folded(hashes: readonly Hash[]): Hash {
  let row = hashes
  while (row.length > 1) {
    const above: Hash[] = []
    for (let at = 0; at < row.length; at += 2) above.push(nodeHash(row[at] ?? '', row[at + 1] ?? ''))
    row = above
  }
  return row[0] ?? ''
}
