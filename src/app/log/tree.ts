/** Reads tree hashes. The store holds the leaves and every eighth level; other levels are computed on demand. */

import type { LogRange } from '../ports/log.ts'
import { nodeHash, type Hash, type Place } from './merkle.ts'

/** Every level that is a multiple of this is stored. */
export const storedLevelStep = 8
const blockHashes = 2 ** storedLevelStep

/** Roots above the leaves that are kept: those of 4 million leaves, in about 5 MB. */
const keptMax = 32_768

export type HashLookup = (places: readonly Place[]) => Promise<Hash[]>

/** Keeps the roots of subtrees above the leaves. They never change, and most proofs share them. */
export function keptLookup(lookUp: HashLookup): HashLookup {
  const kept = new Map<string, Hash>()
  return async (places) => {
    const known = places.map((place) => kept.get(nameOf(place)))
    const unknown = places.filter((_, at) => known[at] === undefined)
    const read = await lookUp(unknown)
    for (const [at, place] of unknown.entries()) {
      if (place.level < storedLevelStep) continue
      if (kept.size >= keptMax) kept.clear()
      kept.set(nameOf(place), read[at] ?? '')
    }
    const rest = read.values()
    return known.map((hash) => hash ?? rest.next().value ?? '')
  }
}

const nameOf = ({ level, index }: Place): string => `${level} ${index}`

type ReadHashes = (ranges: readonly LogRange[]) => Promise<readonly (readonly Hash[])[]>

/** Looks up roots of full subtrees, computed from the nearest stored level below. */
export function hashLookup(read: ReadHashes): HashLookup {
  return async (places) => {
    const parts = places.map(partsOf)
    // Neighbouring places share a block, which is read once.
    const blocks = new Map<string, LogRange>()
    for (const { level, from } of parts) {
      const first = from - (from % blockHashes)
      blocks.set(`${level} ${first}`, { level, from: first, to: first + blockHashes })
    }
    const ranges = await read([...blocks.values()])
    const hashes = new Map([...blocks.keys()].map((name, at) => [name, ranges[at] ?? []]))
    return parts.map(({ level, from, to }) => {
      const first = from - (from % blockHashes)
      const row = hashes.get(`${level} ${first}`)?.slice(from - first, to - first) ?? []
      if (row.length !== to - from)
        throw new Error(`log: hashes are missing at level ${level}, from ${from} to ${to}`)
      return rootOf(row)
    })
  }
}

/** The stored hashes that a subtree is computed from. */
function partsOf({ level, index }: Place): LogRange {
  const above = level % storedLevelStep
  return { level: level - above, from: index * 2 ** above, to: (index + 1) * 2 ** above }
}

/** The root of a full subtree, from the hashes of one of its levels. */
function rootOf(hashes: readonly Hash[]): Hash {
  let row = hashes
  while (row.length > 1) {
    const above: Hash[] = []
    for (let at = 0; at < row.length; at += 2) above.push(nodeHash(row[at] ?? '', row[at + 1] ?? ''))
    row = above
  }
  return row[0] ?? ''
}

/** The number of stored nodes for a log of this size: one per full subtree at each stored level. */
export function nodeCount(size: number): number {
  let nodes = 0
  for (let full = Math.floor(size / blockHashes); full > 0; full = Math.floor(full / blockHashes))
    nodes += full
  return nodes
}
