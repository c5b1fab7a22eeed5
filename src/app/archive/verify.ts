/**
 * Verifies an archive without a server: its files against the manifest, each record against its leaf, the leaves against
 * the root of the checkpoint, and the signatures of checkpoint and manifest.
 */

import { timeOfId } from '../../core/identity/request-id.ts'
import { counted } from '../../core/explain/wording.ts'
import { hashOf } from '../audit/bundle.ts'
import type { Checkpoint, Verifier } from '../log/checkpoint.ts'
import { Frontier, peaksOf, type Hash } from '../log/merkle.ts'
import { findingsMax } from '../log/verify-log.ts'
import { signedCheckpoint } from '../log/verify-proof.ts'
import type { ArchiveFolder } from '../ports/operate/archive.ts'
import { FileFault } from '../ports/assess.ts'
import { hashFile, leafBytes, LeafReader, readLines, type HashedBytes } from './files.ts'
import { readLine, tooDeep, unlessTooDeep, type ClaimedLeaf, type ReadLine } from './line.ts'
import {
  InvalidArchive,
  manifestFault,
  manifestName,
  noDecisions,
  readManifest,
  receiptOf,
  sumOf,
  type ArchivePart,
  type Manifest,
} from './manifest.ts'

interface ArchiveFinding {
  /** A file, with the line if it is about one. */
  readonly place: string
  readonly message: string
}

export interface VerifiedArchive {
  readonly manifest: Manifest
  /** SHA-256 of the manifest. */
  readonly receipt: string
  /** Null if it is not signed. */
  readonly checkpoint: Checkpoint | null
  readonly files: number
  readonly leaves: number
  /** Lines whose leaf was computed again; only JSON lines have all that it takes. */
  readonly records: number
  readonly overrides: number
  readonly outcomes: number
  /** Overrides and outcomes whose leaf is outside the archive's range: only the manifest's signature covers them. */
  readonly outside: number
  readonly erased: number
  readonly findings: readonly ArchiveFinding[]
}

export interface ProvenRecord {
  readonly requestId: string
  readonly leafHash: Hash
}

export interface VerifyArchiveOptions {
  readonly trusted: Verifier | null
  readonly onProgress: (done: number, all: number) => void
  /** Called with the records that match their leaves. */
  readonly onRecords?: (records: readonly ProvenRecord[]) => Promise<void>
}

export async function verifyArchive(
  folder: ArchiveFolder,
  options: VerifyArchiveOptions,
): Promise<VerifiedArchive> {
  const names = await folder.names()
  const text = await folder.readText(manifestName)
  if (text === null)
    throw new InvalidArchive(
      `${manifestName} is missing: the folder holds no archive, or its export is unfinished`,
    )
  const manifest = readManifest(text)
  if (unlessTooDeep(() => hashOf(manifest)) === null) throw new InvalidArchive(`${manifestName} ${tooDeep}`)
  const verification = new ArchiveVerification(folder, manifest, options)
  verification.checkManifest(names)
  await verification.checkParts()
  verification.checkRoot()
  return { ...verification.result(), receipt: receiptOf(text) }
}

class ArchiveVerification {
  readonly #folder: ArchiveFolder
  readonly #manifest: Manifest
  readonly #options: VerifyArchiveOptions
  readonly #findings: ArchiveFinding[] = []
  readonly #frontier: Frontier
  readonly #counts = { record: 0, override: 0, outcome: 0, outside: 0, erased: 0 }
  #checkpoint: Checkpoint | null = null
  /** After a finding about leaves the root cannot match. */
  #isRootKnown = true

  constructor(folder: ArchiveFolder, manifest: Manifest, options: VerifyArchiveOptions) {
    this.#folder = folder
    this.#manifest = manifest
    this.#options = options
    const { first_leaf: to, subtrees_before: hashes } = manifest
    const places = peaksOf({ from: 0, to })
    const fits = places.length === hashes.length
    this.#frontier = new Frontier(
      fits ? places.map((place, at) => ({ ...place, hash: hashes[at] ?? '' })) : [],
    )
    if (!fits) this.#reportLeaves(manifestName, 'subtrees_before does not fit')
  }

  result(): Omit<VerifiedArchive, 'receipt'> {
    const { record, override, outcome, outside, erased } = this.#counts
    const manifest = this.#manifest
    return {
      manifest,
      checkpoint: this.#checkpoint,
      files: 2 * manifest.parts.length,
      leaves: manifest.end_leaf - manifest.first_leaf,
      records: record,
      overrides: override,
      outcomes: outcome,
      outside,
      erased,
      findings: this.#findings,
    }
  }

  #report(place: string, message: string): void {
    if (this.#findings.length < findingsMax) this.#findings.push({ place, message })
  }

  #reportLeaves(place: string, message: string): void {
    this.#isRootKnown = false
    this.#report(place, message)
  }

  checkManifest(names: readonly string[]): void {
    const manifest = this.#manifest
    const { trusted } = this.#options
    const { parts, checkpoint, signature } = manifest
    const fault = manifestFault(manifest, trusted)
    if (fault !== null) this.#report(manifestName, `its signature ${fault}`)
    this.#checkpoint = signedCheckpoint(checkpoint, trusted, (path, message) =>
      this.#report(manifestName, `${path} ${message}`),
    )
    if (checkpoint.verifier_key !== signature.verifier_key)
      this.#report(manifestName, 'is signed by another key than the checkpoint')
    const totals = sumOf(parts)
    const isSum =
      totals.records === manifest.records &&
      (['GO', 'DEGRADED', 'NO-GO'] as const).every(
        (name) => totals.decisions[name] === manifest.decisions[name],
      )
    if (!isSum) this.#report(manifestName, 'its totals are not the sums of its parts')
    const expected = new Set([manifestName, ...parts.flatMap((part) => [part.file, part.leaves_file])])
    for (const name of names) if (!expected.has(name)) this.#report(name, 'is not in the manifest')
  }

  async checkParts(): Promise<void> {
    const { parts, first_leaf: first, end_leaf: end } = this.#manifest
    let next = first
    for (const part of parts) {
      if (part.first_leaf !== next)
        this.#reportLeaves(manifestName, `${part.file} does not follow on its leaves`)
      next = part.end_leaf
      await this.#checkPart(part)
      this.#options.onProgress(next - first, end - first)
    }
    if (next !== end) this.#reportLeaves(manifestName, 'its parts do not cover its leaves')
  }

  async #checkPart(part: ArchivePart): Promise<void> {
    const leaves = new LeafWalk(part, this.#folder, this.#frontier)
    const isLines = this.#manifest.format === 'jsonl'
    await this.#checkFile(part.file, part, () =>
      isLines ? this.#checkLines(part, leaves) : hashFile(this.#folder, part.file),
    )
    const bytes = leafBytes * (part.end_leaf - part.first_leaf)
    const expected = { bytes, sha256: part.leaves_sha256 }
    if (!(await this.#checkFile(part.leaves_file, expected, () => leaves.end()))) this.#isRootKnown = false
  }

  async #checkFile(name: string, expected: HashedBytes, read: () => Promise<HashedBytes>): Promise<boolean> {
    const actual = await read().catch((error: unknown) => {
      if (!(error instanceof FileFault)) throw error
      this.#report(name, error.message)
      return null
    })
    if (actual === null) return false
    if (actual.bytes !== expected.bytes)
      this.#report(name, `has ${actual.bytes} bytes, expected ${expected.bytes}`)
    else if (actual.sha256 !== expected.sha256)
      this.#report(name, 'its SHA-256 is not the one in the manifest')
    return actual.bytes === expected.bytes && actual.sha256 === expected.sha256
  }

  async #checkLines(part: ArchivePart, leaves: LeafWalk): Promise<HashedBytes> {
    const decisions: Record<string, number> = { ...noDecisions }
    let number = 0
    const file = await readLines(this.#folder, part.file, async (lines) => {
      const proven: ProvenRecord[] = []
      for (const text of lines) {
        number += 1
        const place = `${part.file}, line ${number}`
        const line = readLine(text)
        const fault = typeof line === 'string' ? line : await this.#faultOf(line, leaves)
        if (fault !== null) this.#report(place, fault)
        if (typeof line === 'string' || fault !== null) continue
        decisions[String(line.decision)] = (decisions[String(line.decision)] ?? 0) + 1
        this.#counts.record += 1
        this.#counts.erased += line.erased
        proven.push({ requestId: line.requestId, leafHash: line.leaves[0]?.hash ?? '' })
      }
      await this.#options.onRecords?.(proven)
    })
    if (number !== part.records)
      this.#report(part.file, `has ${counted(number, 'record')}, expected ${part.records}`)
    else if (JSON.stringify(decisions) !== JSON.stringify(part.decisions) && this.#findings.length === 0)
      this.#report(part.file, 'its decisions are not those in the manifest')
    return file
  }

  /** Compares a line with the scope and the leaves of the archive. */
  async #faultOf(line: ReadLine, leaves: LeafWalk): Promise<string | null> {
    const { from, to, owner_id: ownerId } = this.#manifest
    const atMs = timeOfId(line.requestId) ?? Number.NaN
    if (!(atMs >= Date.parse(from) && atMs < Date.parse(to)))
      return 'the record is not of the time of the archive'
    if (ownerId !== null && line.ownerId !== ownerId) return 'the record is of another owner'
    const [record, ...annotations] = line.leaves
    if (record === undefined) return 'has no leaf'
    const fault = await leaves.goTo(record)
    if (fault !== null) return fault
    for (const claimed of annotations) {
      const message = await this.#annotationFault(claimed)
      if (message !== null) return message
    }
    return null
  }

  async #annotationFault({ kind, index, hash }: ClaimedLeaf): Promise<string | null> {
    const { parts, checkpoint } = this.#manifest
    this.#counts[kind] += 1
    if (!(Number.isSafeInteger(index) && index >= 0 && index < checkpoint.tree_size))
      return `the leaf of the ${kind} is not in the log of the checkpoint`
    const part = parts.find(({ first_leaf: first, end_leaf: end }) => index >= first && index < end)
    if (part === undefined) {
      this.#counts.outside += 1
      return null
    }
    const offset = leafBytes * (index - part.first_leaf)
    const bytes = await this.#folder.bytesAt(part.leaves_file, offset, leafBytes)
    return Buffer.from(bytes).toString('base64') === hash ? null : `the ${kind} is not at its leaf`
  }

  checkRoot(): void {
    const { end_leaf: end, subtrees_after: hashes } = this.#manifest
    if (!this.#isRootKnown || this.#checkpoint === null) return
    const places = peaksOf({ from: end, to: this.#checkpoint.size })
    if (places.length !== hashes.length || this.#frontier.size !== end)
      return this.#report(manifestName, 'subtrees_after does not fit')
    for (const [at, { level }] of places.entries()) this.#frontier.append(hashes[at] ?? '', level)
    if (this.#frontier.root !== this.#checkpoint.root)
      this.#report(manifestName, 'the leaves do not lead to the root hash of the checkpoint')
  }
}

/** Walks the leaves of a part in order, and appends each to the tree. */
class LeafWalk {
  readonly #reader: LeafReader
  readonly #frontier: Frontier
  readonly #endLeaf: number
  /** The index of the next leaf. */
  #next: number

  constructor(part: ArchivePart, folder: ArchiveFolder, frontier: Frontier) {
    this.#reader = new LeafReader(folder, part.leaves_file)
    this.#frontier = frontier
    this.#next = part.first_leaf
    this.#endLeaf = part.end_leaf
  }

  /** Null if the leaf is the one at its index, and comes after the last one. */
  async goTo({ index, hash }: ClaimedLeaf): Promise<string | null> {
    if (!(Number.isSafeInteger(index) && index >= this.#next && index < this.#endLeaf))
      return 'its leaf index is out of order or out of the range of the file'
    const found = await this.#walk(index + 1)
    return found === hash ? null : `its leaf hash is not the one at leaf ${index}`
  }

  async end(): Promise<HashedBytes> {
    await this.#walk(this.#endLeaf)
    return this.#reader.end()
  }

  /** Returns the last hash before this index. */
  async #walk(to: number): Promise<Hash | null> {
    let last: Hash | null = null
    while (this.#next < to) {
      const hashes = await this.#reader.next(to - this.#next)
      if (hashes.length === 0) return null
      for (const hash of hashes) this.#frontier.append(hash)
      this.#next += hashes.length
      last = hashes.at(-1) ?? null
    }
    return last
  }
}
