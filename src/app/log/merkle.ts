/** The hash tree of RFC 6962 over a list that only grows: its root, and the proofs that a leaf is in it and that it only grew. */

import { hash } from 'node:crypto'

/** SHA-256, in base64. */
export type Hash = string

const hashBytes = 32

/** The two prefixes keep a leaf from passing as a node. */
const leafPrefix = 0
const nodePrefix = 1
const nodeBytes = Buffer.alloc(1 + 2 * hashBytes, nodePrefix)
let leafBytes = Buffer.alloc(16_384, leafPrefix)
/** A UTF-16 unit is so many bytes of UTF-8 at most. */
const bytesOfAUnit = 3

/** Of a text in parts, as they follow each other. Put together in one place that is used again: no copies are left to be collected. */
export function leafHash(...parts: readonly string[]): Hash {
  const units = parts.reduce((sum, part) => sum + part.length, 0)
  const bytesMax = 1 + bytesOfAUnit * units
  if (bytesMax > leafBytes.length) leafBytes = Buffer.alloc(2 * bytesMax, leafPrefix)
  let end = 1
  for (const part of parts) end += leafBytes.write(part, end)
  return hash('sha256', leafBytes.subarray(0, end), 'base64')
}

export function nodeHash(left: Hash, right: Hash): Hash {
  const written = nodeBytes.write(left, 1, 'base64') + nodeBytes.write(right, 1 + hashBytes, 'base64')
  // What is left of another would be hashed along, and nobody could do it again.
  if (written !== 2 * hashBytes) throw new Error('what is no hash is in no tree')
  return hash('sha256', nodeBytes, 'base64')
}

export const emptyRoot: Hash = hash('sha256', '', 'base64')

/** Whether it is one, and not only looks like it. */
export function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)
}

/** The root of the 2^`level` leaves from `index` · 2^`level` on. */
export interface Place {
  readonly level: number
  readonly index: number
}

export interface Node extends Place {
  readonly hash: Hash
}

/** Leaves from `from` up to, but without, `to`. */
interface Range {
  readonly from: number
  readonly to: number
}

/** The full subtrees side by side that make up the leaves of a range, from left to right. */
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

/** Of subtrees side by side: the right ones, which are smaller, are put together first. */
function joined(hashes: readonly Hash[]): Hash {
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** A tree as far as its growth needs it: how many leaves, and the roots of its full subtrees. */
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
    return this.#peaks.length === 0 ? emptyRoot : joined(this.#peaks.map((peak) => peak.hash))
  }

  /** The roots of subtrees that this leaf has made full, without the leaf itself. */
  append(leaf: Hash): Node[] {
    const full: Node[] = []
    let top: Node = { level: 0, index: this.size, hash: leaf }
    while (top.index % 2 === 1) {
      const left = this.#peaks.pop()
      if (left === undefined) throw new Error('a tree without its left side')
      top = { level: top.level + 1, index: (top.index - 1) / 2, hash: nodeHash(left.hash, top.hash) }
      full.push(top)
    }
    this.#peaks.push(top)
    return full
  }
}

/** The largest power of two below a number of leaves: where the tree parts. */
function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

/** What stands beside the way from a leaf to the root, from below: PATH of RFC 6962. */
export function inclusionRanges(leaf: number, size: number): Range[] {
  const beside: Range[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const split = from + splitOf(to - from)
    if (leaf < split) {
      beside.push({ from: split, to })
      to = split
    } else {
      beside.push({ from, to: split })
      from = split
    }
  }
  return beside.toReversed()
}

/** What shows that the first `old` leaves are still the first: PROOF of RFC 6962. */
export function consistencyRanges(old: number, size: number): Range[] {
  if (old === 0 || old === size) return []
  const beside: Range[] = []
  let from = 0
  let to = size
  let isWholeOld = true
  while (old !== to) {
    const split = from + splitOf(to - from)
    if (old <= split) {
      beside.push({ from: split, to })
      to = split
    } else {
      beside.push({ from, to: split })
      from = split
      isWholeOld = false
    }
  }
  if (!isWholeOld) beside.push({ from, to })
  return beside.toReversed()
}

/** The hash of each range, with the subtrees looked up together. */
export async function hashesOf(
  ranges: readonly Range[],
  lookUp: (places: readonly Place[]) => Promise<readonly Hash[]>,
): Promise<Hash[]> {
  const parts = ranges.map(peaksOf)
  const found = await lookUp(parts.flat())
  let at = 0
  return parts.map((places) => joined(found.slice(at, (at += places.length))))
}

/** The root that a leaf and its path lead to, or null where the path does not fit the size. */
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
  const beside = inclusionRanges(index, size)
  if (beside.length !== path.length) return null
  return beside.reduce((root, range, step) => {
    const other = path[step] ?? ''
    return range.from > index ? nodeHash(root, other) : nodeHash(other, root)
  }, leaf)
}

/** Whether a tree of `size` leaves and this root begins with the `old` leaves of that one. */
export function isConsistent(
  old: { readonly size: number; readonly root: Hash },
  now: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  const areSizes = [old.size, now.size].every((size) => Number.isSafeInteger(size) && size >= 0)
  if (!areSizes || old.size > now.size || !proof.every(isHash)) return false
  if (old.size === now.size) return old.root === now.root && proof.length === 0
  if (old.size === 0) return old.root === emptyRoot && proof.length === 0
  const beside = consistencyRanges(old.size, now.size)
  if (beside.length !== proof.length) return false
  // Where the old tree is a full subtree of the new one, its root is known and not sent.
  const isSent = beside[0]?.to === old.size
  let oldRoot = isSent ? (proof[0] ?? '') : old.root
  let root = oldRoot
  for (const [step, range] of beside.entries()) {
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
