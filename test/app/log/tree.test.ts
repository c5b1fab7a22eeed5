/** Guarantees of lookups of tree hashes: what is kept is what would be read, and only the leaves are read again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashLookup, keptLookup } from '../../../src/app/log/tree.ts'
import { Frontier, inclusionRanges, hashesOf, leafHash } from '../../../src/app/log/merkle.ts'
import type { LogRange } from '../../../src/app/ports/log.ts'

const size = 1_500
const leaves = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`))
const stored = new Map([[0, [...leaves]]])
const frontier = new Frontier([])
for (const leaf of leaves) {
  for (const { level, index, hash } of frontier.append(leaf)) {
    const row = stored.get(level) ?? []
    row[index] = hash
    stored.set(level, row)
  }
}

test('a lookup that keeps roots gives the same paths, and reads leaves only the second time', async () => {
  const levels: number[] = []
  const read = (ranges: readonly LogRange[]) => {
    levels.push(...ranges.map(({ level }) => level))
    return Promise.resolve(ranges.map(({ level, from, to }) => (stored.get(level) ?? []).slice(from, to)))
  }
  const kept = keptLookup(hashLookup(read))
  for (const index of [0, 1, 255, 256, 700, size - 1]) {
    const ranges = inclusionRanges(index, size)
    const plain = await hashesOf(ranges, hashLookup(read))
    assert.deepEqual(await hashesOf(ranges, kept), plain)
    levels.length = 0
    assert.deepEqual(await hashesOf(ranges, kept), plain)
    assert.deepEqual(new Set(levels), new Set([0]))
  }
})
