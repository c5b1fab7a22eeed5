/**
 * Checks the whole log against what is kept: every leaf against its record or override, the tree against its nodes and its signed
 * checkpoints, and every record and override against the log. Nothing is believed that can be computed.
 */

import type { LeafAndSubject, LogHead, LogSubject } from '../ports/log.ts'
import type { Override, Verification } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, type Checkpoint, type Verifier } from './checkpoint.ts'
import { isEntry, overrideHash, recordHash } from './leaf.ts'
import { emptyRoot, Frontier, isHash, type Hash, type Node } from './merkle.ts'
import { levelsApart } from './tree.ts'

interface LogFinding {
  /** Where: a leaf, a checkpoint, a record. */
  readonly place: string
  readonly message: string
}

export interface VerifiedLog {
  readonly size: number
  readonly root: Hash
  readonly checkpoints: number
  readonly records: number
  readonly overrides: number
  /** Recorded, and not yet in the log. */
  readonly waiting: number
  /** Leaves whose record is in a month that an operator has taken away: they could not be compared. */
  readonly away: number
  readonly findings: readonly LogFinding[]
}

export interface VerifyLogDeps {
  readonly store: Store
  /** The keys that are trusted. */
  readonly verifiers: readonly Verifier[]
  /** Signed notes that somebody kept: the log must still begin with what they speak of. */
  readonly kept: readonly Checkpoint[]
  /** Whether the record of this id lies in a month that was taken away. */
  readonly isAway: (requestId: string) => boolean
  readonly onProgress: (done: number, all: number) => void
}

type Leaf = LeafAndSubject<Verification, Override>

const pageSize = 1_000
const leavesOfANode = 2 ** levelsApart
const beforeAll = Number.MIN_SAFE_INTEGER
/** A log that somebody has tampered with all over is told of by its first places. */
export const findingsMax = 10_000

export async function verifyLog(deps: VerifyLogDeps): Promise<VerifiedLog> {
  const checking = new Checking(deps)
  await checking.beforeTheFirst()
  await checking.leaves()
  await checking.unsealed('record')
  await checking.unsealed('override')
  await checking.waiting()
  return checking.result()
}

class Checking {
  readonly #deps: VerifyLogDeps
  readonly #findings: LogFinding[] = []
  readonly #frontier = new Frontier([])
  readonly #counts = { record: 0, override: 0, checkpoints: 0, waiting: 0, away: 0 }
  /** Kept elsewhere, by size, the smallest first. */
  readonly #kept: Checkpoint[]
  /** As many leaves as there were when they were walked through. */
  #walked = 0
  /** The size of the checkpoint before. */
  #lastNote: number | null = null
  /** Which leaf comes next. */
  #next = 0
  /** From the first that does not fit on, none does: the first is told. */
  #isRootWrong = false

  constructor(deps: VerifyLogDeps) {
    this.#deps = deps
    this.#kept = deps.kept.toSorted((left, right) => left.size - right.size)
  }

  result(): VerifiedLog {
    const { record: records, override: overrides, checkpoints, waiting, away } = this.#counts
    const { size, root } = this.#frontier
    return { size, root, checkpoints, records, overrides, waiting, away, findings: this.#findings }
  }

  #found(place: string, message: string): void {
    if (this.#findings.length < findingsMax) this.#findings.push({ place, message })
  }

  /** No leaf has a number below zero, and the empty log is the first that can be signed. */
  async beforeTheFirst(): Promise<void> {
    const { log } = this.#deps.store
    const [first] = await log.leaves(beforeAll, 1)
    if (first !== undefined && first.index < 0) this.#found(`leaf ${first.index}`, 'is before the first leaf')
    for (const { size, note } of await log.checkpoints(beforeAll, pageSize)) {
      if (size < 0) this.#found(`checkpoint ${size}`, 'speaks of fewer leaves than none')
      if (size === 0) this.#compareNote(note)
      if (size >= 0) return
    }
  }

  async leaves(): Promise<void> {
    const { log } = this.#deps.store
    const { size } = await log.head()
    this.#compareKept()
    while (this.#next < size) {
      const page = await log.leaves(this.#next, Math.min(pageSize, size - this.#next))
      const notes = await log.checkpoints(this.#next, pageSize)
      const nodes = this.#grow(page, new Map(notes.map(({ size: at, note }) => [at, note])))
      if (!this.#isRootWrong) await this.#compareNodes(nodes)
      this.#deps.onProgress(this.#next, size)
      if (page.length === 0) break
    }
    if (this.#next < size) this.#missingLeaves(this.#next, size)
    this.#walked = size
    await this.#compareEnd()
  }

  /** All of it at one moment, with which what was walked through need not end: a service may have gone on meanwhile. */
  async #compareEnd(): Promise<void> {
    const { heads, size, leaves, nodes, lastLeaves, newestCheckpoint } = await this.#deps.store.log.extent()
    if (heads !== 1) this.#found('head', `there are ${heads} of it`)
    if (lastLeaves !== null && lastLeaves >= size) {
      this.#found(`leaf ${lastLeaves}`, `is beyond the ${size} leaves that the log has`)
    } else if (leaves > size) {
      // Not every one of them was met on the way: where two blocks have the same leaf, one of them may hide the other.
      this.#found('leaves', `there are ${leaves}, and the log has ${size}: some stand there more than once`)
    }
    if (nodes > nodesOf(size) && !this.#isRootWrong) {
      this.#found('nodes', `there are ${nodes}, and the leaves make ${nodesOf(size)}`)
    }
    if (newestCheckpoint !== null && newestCheckpoint > size) {
      this.#found(`checkpoint ${newestCheckpoint}`, `speaks of more leaves than the ${size} that there are`)
    } else if (size > 0 && newestCheckpoint !== size) {
      this.#found(`checkpoint ${size}`, 'is missing: nobody has signed the end of the log')
    }
    for (const { size: at } of this.#kept) {
      const message = `speaks of more leaves than the ${this.#walked} that there are: the log was cut off`
      this.#found(`kept checkpoint ${at}`, message)
    }
  }

  #missingLeaves(from: number, to: number): void {
    const place = to - from === 1 ? `leaf ${from}` : `leaves ${from} to ${to - 1}`
    this.#found(place, to - from === 1 ? 'is missing' : 'are missing')
    this.#isRootWrong = true
  }

  /** The nodes that became full. */
  #grow(page: readonly Leaf[], notes: ReadonlyMap<number, string>): Node[] {
    const nodes: Node[] = []
    for (const leaf of page) {
      if (leaf.index < this.#next) {
        this.#found(`leaf ${leaf.index}`, 'stands there more than once')
        this.#isRootWrong = true
        continue
      }
      if (leaf.index > this.#next) this.#missingLeaves(this.#next, leaf.index)
      this.#next = leaf.index + 1
      this.#compareSubject(leaf)
      for (const node of this.#frontier.append(this.#hashOf(leaf))) {
        if (node.level % levelsApart === 0) nodes.push(node)
      }
      const note = notes.get(this.#next)
      if (note !== undefined) {
        this.#counts.checkpoints += 1
        this.#compareNote(note)
      }
      this.#compareKept()
    }
    return nodes
  }

  /** What has none cannot be in a tree: from there on the tree is another. */
  #hashOf({ index, leafHash }: Leaf): Hash {
    if (isHash(leafHash)) return leafHash
    this.#found(`leaf ${index}`, 'has no hash')
    this.#isRootWrong = true
    return emptyRoot
  }

  #compareSubject({ index, subjectId, leafHash, record, override }: Leaf): void {
    const place = `leaf ${index}, ${subjectId}`
    if (record !== null && override !== null) this.#found(place, 'is the id of a record and of an override')
    if (record !== null) {
      this.#counts.record += 1
      if (recordHash(record) !== leafHash) this.#found(place, 'the record is not as it was sealed')
    } else if (override !== null) {
      this.#counts.override += 1
      if (overrideHash(override) !== leafHash) this.#found(place, 'the override is not as it was sealed')
    } else if (this.#deps.isAway(subjectId)) this.#counts.away += 1
    else this.#found(place, 'what was sealed is gone')
  }

  #compareNote(note: string): void {
    const { root } = this.#frontier
    const size = this.#next
    const before = this.#lastNote
    this.#lastNote = size
    const told = readNote(note)
    const place = `checkpoint ${size}`
    if (told === null) this.#found(place, 'is no checkpoint')
    else if (!this.#deps.verifiers.some((verifier) => isSignedBy(note, verifier))) {
      this.#found(place, 'is not signed by a key that is trusted')
    } else if (told.size !== size) this.#found(place, `is that of ${told.size} leaves`)
    else if (told.previous !== before) {
      this.#found(
        `checkpoint ${told.previous ?? before}`,
        `is not the one before ${size}: one is missing or too many`,
      )
    }
    if (told !== null && told.size === size && told.root !== root && !this.#isRootWrong) {
      this.#isRootWrong = true
      this.#found(place, 'signs other leaves than there are: the log was changed before it')
    }
  }

  #compareKept(): void {
    const { root } = this.#frontier
    for (let kept = this.#kept[0]; kept !== undefined && kept.size <= this.#next; kept = this.#kept[0]) {
      this.#kept.shift()
      if (kept.root !== root) {
        this.#found(
          `kept checkpoint ${kept.size}`,
          'signs other leaves than there are: the history was changed',
        )
      }
    }
  }

  async #compareNodes(nodes: readonly Node[]): Promise<void> {
    const kept = await this.#deps.store.log.hashes(
      nodes.map(({ level, index }) => ({ level, from: index, to: index + 1 })),
    )
    for (const [at, { level, index, hash }] of nodes.entries()) {
      if (kept[at]?.[0] !== hash)
        this.#found(`node ${index} of level ${level}`, 'is not what its leaves make')
    }
  }

  /** What is recorded and neither sealed nor waiting for it was not recorded by the service. */
  async unsealed(kind: LogSubject): Promise<void> {
    const { log } = this.#deps.store
    const all = await log.countSubjects(kind)
    const counts = { listed: 0, sealed: 0 }
    let after = ''
    for (;;) {
      const ids = await log.subjects(kind, after, pageSize)
      if (ids.length === 0) break
      const last = ids.at(-1) ?? ''
      if (last <= after) break
      after = last
      counts.listed += ids.length
      const { missing, walked } = await this.#sealed(ids)
      counts.sealed += walked
      if (missing.length > 0) await this.#compareWaiting(kind, missing)
    }
    if (counts.listed < all) {
      this.#found(`${kind}s`, `${all - counts.listed} have an id that this service does not give`)
    }
    if (counts.sealed !== this.#counts[kind]) {
      const message = `there are ${counts.sealed} that are sealed, and ${this.#counts[kind]} leaves of them`
      this.#found(`${kind}s`, message)
    }
  }

  async #compareWaiting(kind: LogSubject, missing: readonly string[]): Promise<void> {
    const waits = await this.#waiting(kind)
    // Between two looks it may have been sealed.
    const { missing: lost } = await this.#sealed(missing.filter((id) => !waits(id)))
    this.#counts.waiting += missing.length - lost.length
    for (const id of lost) this.#found(`${kind} ${id}`, 'was never sealed, and does not wait for it')
  }

  /** Which of them have no leaf in the log as it is now, and how many have one that was walked by. */
  async #sealed(ids: readonly string[]): Promise<{ missing: string[]; walked: number }> {
    const { log } = this.#deps.store
    const leaves = await log.find(ids)
    const { size } = await log.head()
    const isBefore = (place: number, end: number): boolean => (leaves[place]?.index ?? Infinity) < end
    return {
      missing: ids.filter((_, place) => !isBefore(place, size)),
      walked: ids.filter((_, place) => isBefore(place, this.#walked)).length,
    }
  }

  async #waiting(kind: LogSubject): Promise<(id: string) => boolean> {
    const { log } = this.#deps.store
    const { found: waiting } = await log.waiting(Number.MAX_SAFE_INTEGER)
    const { backlog }: LogHead = await log.head()
    const ids = new Set(waiting.flatMap(({ entries }) => entries.map(({ subjectId }) => subjectId)))
    const left = backlog.find((one) => one.kind === kind)
    return (id) => ids.has(id) || (left !== undefined && id > left.after && id <= left.until)
  }

  /** What waits and is no entry will not be sealed. */
  async waiting(): Promise<void> {
    const { found } = await this.#deps.store.log.waiting(Number.MAX_SAFE_INTEGER)
    for (const { number, entries } of found) {
      if (!entries.every(isEntry))
        this.#found(`row ${number} of what waits`, 'has an entry without an id or a hash')
    }
  }
}

/** Of a log of so many leaves: one for each full subtree of the levels that are kept. */
function nodesOf(size: number): number {
  let nodes = 0
  for (let full = Math.floor(size / leavesOfANode); full > 0; full = Math.floor(full / leavesOfANode))
    nodes += full
  return nodes
}
