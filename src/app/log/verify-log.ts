/**
 * Checks the whole log against what is kept: every leaf against its record or override, the tree against its nodes and its signed
 * checkpoints, and every record and override against the log. Nothing is believed that can be computed.
 */

import type { LeafAndSubject, LogHead, LogSubject, Override, Store, Verification } from '../ports.ts'
import { isSignedBy, readNote, type Checkpoint, type Verifier } from './checkpoint.ts'
import { overrideHash, recordHash } from './leaf.ts'
import { Frontier, isHash, type Hash, type Node } from './merkle.ts'
import { levelsApart } from './tree.ts'

export interface LogFinding {
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
const beforeAll = Number.MIN_SAFE_INTEGER
/** A log that somebody has tampered with all over is told of by its first places. */
export const findingsMax = 10_000

export async function verifyLog(deps: VerifyLogDeps): Promise<VerifiedLog> {
  const checking = new Checking(deps)
  await checking.beforeTheFirst()
  await checking.leaves()
  await checking.unsealed('record')
  await checking.unsealed('override')
  return checking.result()
}

class Checking {
  readonly #deps: VerifyLogDeps
  readonly #findings: LogFinding[] = []
  readonly #frontier = new Frontier([])
  readonly #counts = { record: 0, override: 0, checkpoints: 0, waiting: 0, away: 0 }
  /** Kept elsewhere, by size, the smallest first. */
  readonly #kept: Checkpoint[]
  #nodesMade = 0
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
    await this.#compareEnd(size)
  }

  async #compareEnd(size: number): Promise<void> {
    const { log } = this.#deps.store
    const [beyond] = await log.leaves(size, 1)
    const { leaves, nodes } = await log.count()
    const { size: sizeNow } = await log.head()
    if (nodes > this.#nodesMade && sizeNow === size && !this.#isRootWrong) {
      this.#found('nodes', `there are ${nodes}, and the leaves make ${this.#nodesMade}`)
    }
    if (beyond !== undefined && sizeNow === size) {
      this.#found(`leaf ${beyond.index}`, `is beyond the ${size} leaves that the log has`)
    } else if (leaves > size && sizeNow === size) {
      // Not every one of them was met on the way: where two blocks have the same leaf, one of them may hide the other.
      this.#found('leaves', `there are ${leaves}, and the log has ${size}: some stand there more than once`)
    }
    for (const { size: at } of await log.checkpoints(sizeNow, 1)) {
      this.#found(`checkpoint ${at}`, `speaks of more leaves than the ${sizeNow} that there are`)
    }
    for (const { size: at } of this.#kept) {
      const message = `speaks of more leaves than the ${size} that there are: the log was cut off`
      this.#found(`kept checkpoint ${at}`, message)
    }
    const [newest] = await log.checkpoints(size - 1, 1)
    if (size > 0 && newest === undefined) {
      this.#found(`checkpoint ${size}`, 'is missing: nobody has signed the end of the log')
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
      if (!isHash(leaf.leafHash)) this.#found(`leaf ${leaf.index}`, 'has no hash')
      this.#compareSubject(leaf)
      for (const node of this.#frontier.append(leaf.leafHash)) {
        if (node.level % levelsApart === 0) nodes.push(node)
      }
      const note = notes.get(this.#next)
      if (note !== undefined) {
        this.#counts.checkpoints += 1
        this.#compareNote(note)
      }
      this.#compareKept()
    }
    this.#nodesMade += nodes.length
    return nodes
  }

  #compareSubject({ index, subjectId, leafHash, record, override }: Leaf): void {
    const place = `leaf ${index}, ${subjectId}`
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
    let after = ''
    let count = 0
    for (;;) {
      const ids = await log.subjects(kind, after, pageSize)
      if (ids.length === 0) break
      after = ids.at(-1) ?? ''
      count += ids.length
      const missing = await this.#missing(ids)
      if (missing.length === 0) continue
      const waits = await this.#waiting(kind)
      // Between two looks it may have been sealed.
      const lost = await this.#missing(missing.filter((id) => !waits(id)))
      this.#counts.waiting += missing.length - lost.length
      for (const id of lost) this.#found(`${kind} ${id}`, 'was never sealed, and does not wait for it')
    }
    if (this.#counts[kind] > count) {
      this.#found(
        `${kind}s`,
        `there are ${count}, and ${this.#counts[kind]} leaves of them: some stand there twice`,
      )
    }
  }

  async #missing(ids: readonly string[]): Promise<string[]> {
    const leaves = await this.#deps.store.log.find(ids)
    return ids.filter((_, at) => leaves[at] === null)
  }

  async #waiting(kind: LogSubject): Promise<(id: string) => boolean> {
    const { log } = this.#deps.store
    const { found: waiting } = await log.waiting(Number.MAX_SAFE_INTEGER)
    const { backlog }: LogHead = await log.head()
    const ids = new Set(waiting.flatMap(({ entries }) => entries.map(({ subjectId }) => subjectId)))
    const left = backlog.find((one) => one.kind === kind)
    return (id) => ids.has(id) || (left !== undefined && id > left.after && id <= left.until)
  }
}
