/** The tree of the log: roots and proofs as RFC 6962 has them, whatever the size. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  consistencyRanges,
  emptyRoot,
  Frontier,
  hashesOf,
  inclusionRanges,
  isConsistent,
  leafHash,
  nodeHash,
  rootByInclusion,
  type Hash,
  type Place,
} from '../../../src/app/log/merkle.ts'
import { isHash } from '../../../src/app/ports/log.ts'
import { hashLookup } from '../../../src/app/log/tree.ts'

/** MTH of RFC 6962, section 2.1, word by word. */
function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return emptyRoot
  if (leaves.length === 1) return leaves[0] ?? ''
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

const leavesOf = (count: number): Hash[] =>
  Array.from({ length: count }, (_, index) => leafHash(`leaf ${index}`))

/** A subtree's root from all leaves. */
const lookUp =
  (leaves: readonly Hash[]) =>
  (places: readonly Place[]): Promise<Hash[]> =>
    Promise.resolve(
      places.map(({ level, index }) => rootOf(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level))),
    )

const sizes = fc.integer({ min: 1, max: 600 })

test('hashes are those of RFC 6962: a zero byte before a leaf, a one before two nodes', () => {
  const bytes = (...parts: (string | Buffer)[]): string =>
    hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'base64')
  assert.equal(leafHash('L123456'), bytes('\0', 'L123456'))
  const [left, right] = [leafHash('a'), leafHash('b')]
  assert.equal(
    nodeHash(left, right),
    bytes('\x01', Buffer.from(left, 'base64'), Buffer.from(right, 'base64')),
  )
  assert.equal(Buffer.from(emptyRoot, 'base64').toString('hex').slice(0, 8), 'e3b0c442')
  // The empty leaf, as the reference implementations of RFC 6962 have it.
  assert.equal(
    Buffer.from(leafHash(''), 'base64').toString('hex'),
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
})

test('a tree that grows leaf by leaf has, at every size, the root that RFC 6962 gives it', () => {
  const leaves = leavesOf(300)
  const frontier = new Frontier([])
  for (const [index, leaf] of leaves.entries()) {
    assert.equal(frontier.size, index)
    assert.equal(frontier.root, rootOf(leaves.slice(0, index)))
    frontier.append(leaf)
  }
  assert.equal(frontier.root, rootOf(leaves))
})

test('every leaf of every tree has a proof that leads to the root, and no other leaf, place or root passes with it', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (size, any) => {
      const leaves = leavesOf(size)
      const index = any % size
      const leaf = leaves[index] ?? ''
      const path = await hashesOf(inclusionRanges(index, size), lookUp(leaves))
      const root = rootOf(leaves)
      assert.equal(rootByInclusion(leaf, { index, size }, path), root)
      assert.notEqual(rootByInclusion(leafHash('another'), { index, size }, path), root)
      assert.equal(rootByInclusion(leaf, { index: size, size }, path), null)
      assert.equal(rootByInclusion(leaf, { index, size }, [...path, leaf]), null)
      if (size > 1) {
        assert.notEqual(rootByInclusion(leaf, { index: (index + 1) % size, size }, path), root)
        const [first = '', ...rest] = path
        assert.notEqual(rootByInclusion(leaf, { index, size }, [leafHash(first), ...rest]), root)
      }
    }),
  )
})

test('of any two sizes there is a proof that the tree only grew, and none for a tree that was changed', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, anyOld, anyChanged) => {
      const leaves = leavesOf(size)
      const old = anyOld % (size + 1)
      const now = { size, root: rootOf(leaves) }
      const before = { size: old, root: rootOf(leaves.slice(0, old)) }
      const proof = await hashesOf(consistencyRanges(old, size), lookUp(leaves))
      assert.ok(isConsistent(before, now, proof))
      if (old === 0) return
      const forged = leaves.with(anyChanged % old, leafHash('forged'))
      const other = { size, root: rootOf(forged) }
      const otherProof = await hashesOf(consistencyRanges(old, size), lookUp(forged))
      assert.equal(isConsistent(before, other, otherProof), false)
      assert.equal(isConsistent({ ...before, root: leafHash('made up') }, now, proof), false)
      assert.equal(isConsistent(before, now, [...proof, now.root]), false)
      if (old < size) assert.equal(isConsistent(now, before, proof), false, 'a tree does not shrink')
    }),
  )
})

test('a tree of which every eighth level is kept gives the same proofs, and says where it has a gap', async () => {
  const leaves = leavesOf(70_000)
  const kept = new Map<number, Hash[]>([[0, leaves]])
  const frontier = new Frontier([])
  for (const leaf of leaves) {
    for (const { level, hash: full } of frontier.append(leaf)) {
      if (level % 8 === 0) kept.set(level, [...(kept.get(level) ?? []), full])
    }
  }
  let reads = 0
  const look = hashLookup((ranges) => {
    reads += ranges.length
    return Promise.resolve(ranges.map(({ level, from, to }) => (kept.get(level) ?? []).slice(from, to)))
  })
  for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
    reads = 0
    const path = await hashesOf(inclusionRanges(index, leaves.length), look)
    assert.equal(rootByInclusion(leaves[index] ?? '', { index, size: leaves.length }, path), frontier.root)
    assert.ok(reads <= 6, `${reads} blocks were read`)
  }
  kept.set(0, leaves.slice(0, 69_990))
  await assert.rejects(
    hashesOf(inclusionRanges(69_999, leaves.length), look),
    /hashes are missing at level 0/,
  )
})

test('what is no hash is not taken for one', () => {
  assert.ok(isHash(emptyRoot))
  for (const text of [
    '',
    'a'.repeat(44),
    emptyRoot.slice(1),
    `${emptyRoot} `,
    emptyRoot.replace('=', 'A'),
    null,
    7,
  ]) {
    assert.equal(isHash(text), false, String(text))
  }
})
