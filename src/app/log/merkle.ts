/** The append-only Merkle tree of RFC 6962: root hashes, inclusion proofs and consistency proofs. */

import { hash } from 'node:crypto'
import { isHash } from '../ports/log.ts'

/** SHA-256, in base64. */
export type Hash = string

const hashBytes = 32

/** Distinct prefixes keep a leaf from being read as a node. */
const leafPrefix = 0
const nodePrefix = 1
const nodeBytes = Buffer.alloc(1 + 2 * hashBytes, nodePrefix)
let leafBytes = Buffer.alloc(16_384, leafPrefix)
/** The most UTF-8 bytes that one UTF-16 code unit can need. */
const bytesPerUnitMax = 3

/** The hash of the concatenated parts. Reuses one buffer, to avoid garbage. */
export function leafHash(...parts: readonly string[]): Hash {
  const units = parts.reduce((sum, part) => sum + part.length, 0)
  const bytesMax = 1 + bytesPerUnitMax * units
  if (bytesMax > leafBytes.length) leafBytes = Buffer.alloc(2 * bytesMax, leafPrefix)
  let end = 1
  for (const part of parts) end += leafBytes.write(part, end)
  return hash('sha256', leafBytes.subarray(0, end), 'base64')
}

export function nodeHash(left: Hash, right: Hash): Hash {
  const written = nodeBytes.write(left, 1, 'base64') + nodeBytes.write(right, 1 + hashBytes, 'base64')
  // A short write would leave bytes of an earlier hash in the buffer.
  if (written !== 2 * hashBytes) throw new Error('log: a tree node needs two 32-byte hashes in base64')
  return hash('sha256', nodeBytes, 'base64')
}

export const emptyRoot: Hash = hash('sha256', '', 'base64')

/** The subtree over the 2^`level` leaves that start at `index` · 2^`level`. */
export interface Place {
  readonly level: number
  readonly index: number
}

export interface Node extends Place {
  readonly hash: Hash
}

/** Leaves from `from` (inclusive) to `to` (exclusive). */
interface Range {
  readonly from: number
  readonly to: number
}

/** The full subtrees that cover a range, from left to right. */
export function peaksOf({ from, to }: Range): Place[] {
  const peaks: Place[] = []
  let at = from
  while (at < to) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1
    peaks.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return peaks
}

/** The root over adjacent subtrees. Joins from the right, where they are smaller. */
function joinedRoot(hashes: readonly Hash[]): Hash {
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** The part of a tree that appending needs: the roots of its full subtrees. */
export class Frontier {
  readonly #peaks: Node[]

  constructor(peaks: readonly Node[]) {
    this.#peaks = [...peaks]
  }

  get size(): number {
    const last = this.#peaks.at(-1)
    return last === undefined ? 0 : (last.index + 1) * 2 ** last.level
  }

  get root(): Hash {
    return this.#peaks.length === 0 ? emptyRoot : joinedRoot(this.#peaks.map((peak) => peak.hash))
  }

  /** Appends a leaf, or a full subtree of this level. Returns the subtrees that it completes, without itself. */
  append(appended: Hash, level = 0): Node[] {
    const completed: Node[] = []
    let top: Node = { level, index: this.size / 2 ** level, hash: appended }
    while (top.index % 2 === 1) {
      const left = this.#peaks.pop()
      if (left === undefined) throw new Error('log: a left subtree is missing from the frontier')
      top = { level: top.level + 1, index: (top.index - 1) / 2, hash: nodeHash(left.hash, top.hash) }
      completed.push(top)
    }
    this.#peaks.push(top)
    return completed
  }
}

/** The largest power of two below the number of leaves: the split point of RFC 6962. */
function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

/** The sibling ranges on the path from a leaf to the root, bottom up: PATH of RFC 6962. */
export function inclusionRanges(leaf: number, size: number): Range[] {
  const siblings: Range[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const split = from + splitOf(to - from)
    if (leaf < split) {
      siblings.push({ from: split, to })
      to = split
    } else {
      siblings.push({ from, to: split })
      from = split
    }
  }
  return siblings.toReversed()
}

/** The ranges that prove that the tree still starts with the first `old` leaves: PROOF of RFC 6962. */
export function consistencyRanges(old: number, size: number): Range[] {
  if (old === 0 || old === size) return []
  const siblings: Range[] = []
  let from = 0
  let to = size
  let isCompleteSubtree = true
  while (old !== to) {
    const split = from + splitOf(to - from)
    if (old <= split) {
      siblings.push({ from: split, to })
      to = split
    } else {
      siblings.push({ from, to: split })
      from = split
      isCompleteSubtree = false
    }
  }
  if (!isCompleteSubtree) siblings.push({ from, to })
  return siblings.toReversed()
}

/** The hash of each range. Reads all subtrees in one lookup. */
export async function hashesOf(
  ranges: readonly Range[],
  lookUp: (places: readonly Place[]) => Promise<readonly Hash[]>,
): Promise<Hash[]> {
  const parts = ranges.map(peaksOf)
  const hashes = await lookUp(parts.flat())
  let at = 0
  return parts.map((places) => joinedRoot(hashes.slice(at, (at += places.length))))
}

/** The root computed from a leaf and its inclusion path; null if the path does not fit the tree size. */
export function rootByInclusion(
  leaf: Hash,
  place: { readonly index: number; readonly size: number },
  path: readonly Hash[],
): Hash | null {
  const { index, size } = place
  const isWithin =
    Number.isSafeInteger(index) &&
    Number.isSafeInteger(size) &&
    index >= 0 &&
    index < size &&
    path.every(isHash)
  if (!isWithin || !isHash(leaf)) return null
  const siblings = inclusionRanges(index, size)
  if (siblings.length !== path.length) return null
  return siblings.reduce((root, range, step) => {
    const other = path[step] ?? ''
    return range.from > index ? nodeHash(root, other) : nodeHash(other, root)
  }, leaf)
}

/** Whether the proof shows that the tree `now` starts with all leaves of the tree `old`. */
export function isConsistent(
  old: { readonly size: number; readonly root: Hash },
  now: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  const areSizes = [old.size, now.size].every((size) => Number.isSafeInteger(size) && size >= 0)
  if (!areSizes || old.size > now.size || !proof.every(isHash)) return false
  if (old.size === now.size) return old.root === now.root && proof.length === 0
  if (old.size === 0) return old.root === emptyRoot && proof.length === 0
  const siblings = consistencyRanges(old.size, now.size)
  if (siblings.length !== proof.length) return false
  // If the old tree is a full subtree of the new one, its root is known and not part of the proof.
  const isSent = siblings[0]?.to === old.size
  let oldRoot = isSent ? (proof[0] ?? '') : old.root
  let root = oldRoot
  for (const [step, range] of siblings.entries()) {
    if (isSent && step === 0) continue
    const other = proof[step] ?? ''
    if (range.from >= old.size) root = nodeHash(root, other)
    else {
      oldRoot = nodeHash(other, oldRoot)
      root = nodeHash(other, root)
    }
  }
  return oldRoot === old.root && root === now.root
}
