/**
 * Verifies the complete log against the store: every leaf against its record, override, outcome or act, the tree against
 * its nodes and signed checkpoints, and everything recorded against the log. Trusts no stored value that it can compute.
 */

import {
  isEntry,
  isHash,
  type LeafAndSubject,
  type LogHead,
  type LogSubject,
  type Subject,
} from '../ports/log.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import type { Month } from '../../core/time/month.ts'
import type { Act } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, type Checkpoint, type Verifier } from './checkpoint.ts'
import { checkActs } from './check-acts.ts'
import { checkErasures } from './check-erasures.ts'
import { checkReviews } from './check-reviews.ts'
import { leafHashes } from './leaf.ts'
import { TextChecks } from './check-texts.ts'
import { emptyRoot, Frontier, type Hash, type Node } from './merkle.ts'
import { nodeCount, storedLevelStep } from './tree.ts'

interface LogFinding {
  /** A leaf, a checkpoint, a record or another part of the log. */
  readonly place: string
  readonly message: string
}

export interface VerifiedLog {
  readonly size: number
  readonly root: Hash
  readonly checkpoints: number
  readonly records: number
  readonly overrides: number
  readonly outcomes: number
  readonly acts: number
  /** Changes of reviews. */
  readonly reviews: number
  /** Personal texts that were erased. */
  readonly erased: number
  /** Recorded but not yet in the log. */
  readonly waiting: number
  /** Leaves whose record is in a detached month, so that it cannot be compared. */
  readonly away: number
  /** Leaves whose record was dropped with its month: an archive holds it. */
  readonly archived: number
  readonly findings: readonly LogFinding[]
}

export interface VerifyLogDeps {
  readonly store: Store
  /** The trusted keys. */
  readonly verifiers: readonly Verifier[]
  /** Checkpoints saved outside the database: the log must be an extension of each. */
  readonly savedCheckpoints: readonly Checkpoint[]
  /** Whether the record with this id is in a detached month. */
  readonly isDetached: (requestId: string) => boolean
  /** Months whose records are in archives; none if left out. */
  readonly droppedMonths?: ReadonlySet<Month>
  readonly onProgress: (done: number, all: number) => void
}

type Leaf = LeafAndSubject

const pageSize = 1_000
const indexMin = Number.MIN_SAFE_INTEGER
/** Limits the output for a log that was changed in many places. */
export const findingsMax = 10_000

export async function verifyLog(deps: VerifyLogDeps): Promise<VerifiedLog> {
  const verification = new LogVerification(deps)
  await verification.checkStart()
  await verification.checkLeaves()
  for (const kind of ['record', 'override', 'outcome', 'act', 'review'] as const)
    await verification.checkSealed(kind)
  await verification.checkQueue()
  await verification.checkActs()
  return verification.result()
}

class LogVerification {
  readonly #deps: VerifyLogDeps
  readonly #findings: LogFinding[] = []
  readonly #frontier = new Frontier([])
  readonly #counts = {
    record: 0,
    override: 0,
    outcome: 0,
    act: 0,
    review: 0,
    checkpoints: 0,
    erased: 0,
    waiting: 0,
    away: 0,
    archived: 0,
  }
  readonly #texts: TextChecks
  readonly #archived = new Map<Month, number>()
  /** Sorted by size, ascending. */
  readonly #savedCheckpoints: Checkpoint[]
  /** The size of the log when its leaves were read. */
  #checkedSize = 0
  /** The size of the previous checkpoint. */
  #previousSize: number | null = null
  /** The index of the next leaf. */
  #next = 0
  readonly #acts: Act[] = []
  /** The time of the newest checkpoint. */
  #sealedUntilMs = 0
  /** After the first root mismatch all later roots differ, so only the first is reported. */
  #isRootWrong = false

  constructor(deps: VerifyLogDeps) {
    this.#deps = deps
    this.#texts = new TextChecks(deps.store.erasures, (place, message) => this.#report(place, message))
    this.#savedCheckpoints = deps.savedCheckpoints.toSorted((left, right) => left.size - right.size)
  }

  result(): VerifiedLog {
    const { record, override, outcome, act, review, ...counts } = this.#counts
    const { size, root } = this.#frontier
    const kinds = { records: record, overrides: override, outcomes: outcome, acts: act, reviews: review }
    return { size, root, ...kinds, ...counts, findings: this.#findings }
  }

  #report(place: string, message: string): void {
    if (this.#findings.length < findingsMax) this.#findings.push({ place, message })
  }

  /** Checks that no index or size is negative, and the checkpoint of the empty log. */
  async checkStart(): Promise<void> {
    const { log } = this.#deps.store
    const [first] = await log.leaves(indexMin, 1)
    if (first !== undefined && first.index < 0) this.#report(`leaf ${first.index}`, 'has a negative index')
    for (const { size, note } of await log.checkpoints(indexMin, pageSize)) {
      if (size < 0) this.#report(`checkpoint ${size}`, 'has a negative tree size')
      if (size === 0) this.#checkNote(note)
      if (size >= 0) return
    }
  }

  async checkLeaves(): Promise<void> {
    const { log } = this.#deps.store
    const { size } = await log.head()
    this.#checkSavedCheckpoints()
    while (this.#next < size) {
      const page = await log.leaves(this.#next, Math.min(pageSize, size - this.#next))
      const notes = await log.checkpoints(this.#next, pageSize)
      const nodes = this.#checkPage(page, new Map(notes.map(({ size: at, note }) => [at, note])))
      this.#counts.erased += await this.#texts.excuse()
      if (!this.#isRootWrong) await this.#checkNodes(nodes)
      this.#deps.onProgress(this.#next, size)
      if (page.length === 0) break
    }
    if (this.#next < size) this.#reportMissing(this.#next, size)
    this.#checkedSize = size
    await this.#checkEnd()
  }

  /** Checks one snapshot of the counts. It may be newer than the leaves read: a running service keeps appending. */
  async #checkEnd(): Promise<void> {
    const { heads, size, sequenced, leaves, nodes, lastLeaves, newestCheckpoint } =
      await this.#deps.store.log.extent()
    if (heads !== 1) this.#report('head', `there are ${heads} rows in log_head instead of 1`)
    if (sequenced < size) this.#report('head', `${sequenced} entries have a number, but ${size} are sealed`)
    if (lastLeaves !== null && lastLeaves >= sequenced) {
      this.#report(`leaf ${lastLeaves}`, `is beyond the end of the journal, which has ${sequenced} entries`)
    } else if (leaves > sequenced) {
      // Reading by index does not find all of these: two blocks with the same leaf can hide each other.
      this.#report('leaves', `there are ${leaves}, but the journal has ${sequenced}: some are duplicates`)
    }
    if (nodes > nodeCount(size) && !this.#isRootWrong) {
      this.#report('nodes', `there are ${nodes}, but the leaves require ${nodeCount(size)}`)
    }
    if (newestCheckpoint !== null && newestCheckpoint > size) {
      this.#report(`checkpoint ${newestCheckpoint}`, `covers more leaves than the log has (${size})`)
    } else if (size > 0 && newestCheckpoint !== size) {
      this.#report(`checkpoint ${size}`, 'is missing: the end of the log is not signed')
    }
    for (const { size: at } of this.#savedCheckpoints) {
      const message = `covers more leaves than the log has (${this.#checkedSize}): the log was truncated`
      this.#report(`saved checkpoint ${at}`, message)
    }
  }

  #reportMissing(from: number, to: number): void {
    const place = to - from === 1 ? `leaf ${from}` : `leaves ${from} to ${to - 1}`
    this.#report(place, to - from === 1 ? 'is missing' : 'are missing')
    this.#isRootWrong = true
  }

  /** Checks a page of leaves. Returns the stored nodes that they complete. */
  #checkPage(page: readonly Leaf[], notes: ReadonlyMap<number, string>): Node[] {
    const nodes: Node[] = []
    for (const leaf of page) {
      if (leaf.index < this.#next) {
        this.#report(`leaf ${leaf.index}`, 'is duplicated')
        this.#isRootWrong = true
        continue
      }
      if (leaf.index > this.#next) this.#reportMissing(this.#next, leaf.index)
      this.#next = leaf.index + 1
      this.#checkSubject(leaf)
      for (const node of this.#frontier.append(this.#hashOf(leaf))) {
        if (node.level % storedLevelStep === 0) nodes.push(node)
      }
      const note = notes.get(this.#next)
      if (note !== undefined) {
        this.#counts.checkpoints += 1
        this.#checkNote(note)
      }
      this.#checkSavedCheckpoints()
    }
    return nodes
  }

  /** A leaf without a valid hash makes every later root wrong. */
  #hashOf({ index, leafHash }: Leaf): Hash {
    if (isHash(leafHash)) return leafHash
    this.#report(`leaf ${index}`, 'has no valid hash')
    this.#isRootWrong = true
    return emptyRoot
  }

  #checkSubject({ index, subjectId, leafHash, subjects }: Leaf): void {
    const place = `leaf ${index}, ${subjectId}`
    const [subject, ...more] = subjects
    if (more.length > 0) {
      const kinds = subjects.map(({ kind }) => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`))
      this.#report(place, `the id belongs to both ${kinds.join(' and ')}`)
    }
    if (subject !== undefined) {
      this.#counts[subject.kind] += 1
      if (subject.kind === 'act') this.#acts.push(subject.value)
      if (hashOf(subject) !== leafHash)
        this.#report(place, `the ${subject.kind} was changed after it was sealed`)
      this.#texts.check(place, subjectId, subject)
    } else if (this.#isArchived(subjectId)) this.#counts.archived += 1
    else if (this.#deps.isDetached(subjectId)) this.#counts.away += 1
    else this.#report(place, 'the sealed record, override, outcome, act or change of a review is missing')
  }

  /** Counted by month, to be compared with the act that dropped it. */
  #isArchived(subjectId: string): boolean {
    const month = monthOfId(subjectId)
    if (month === null || this.#deps.droppedMonths?.has(month) !== true) return false
    this.#archived.set(month, (this.#archived.get(month) ?? 0) + 1)
    return true
  }

  #checkNote(note: string): void {
    const { root } = this.#frontier
    const size = this.#next
    const previous = this.#previousSize
    this.#previousSize = size
    const checkpoint = readNote(note)
    const place = `checkpoint ${size}`
    this.#sealedUntilMs = checkpoint?.madeAtMs ?? this.#sealedUntilMs
    if (checkpoint === null) this.#report(place, 'is not a valid checkpoint')
    else if (!this.#deps.verifiers.some((verifier) => isSignedBy(note, verifier))) {
      this.#report(place, 'is not signed by a trusted key')
    } else if (checkpoint.size !== size) this.#report(place, `has the tree size ${checkpoint.size}`)
    else if (checkpoint.previous !== previous) {
      this.#report(
        `checkpoint ${checkpoint.previous ?? previous}`,
        `is not the checkpoint before ${size}: a checkpoint was removed or added`,
      )
    }
    if (checkpoint !== null && checkpoint.size === size && checkpoint.root !== root && !this.#isRootWrong) {
      this.#isRootWrong = true
      this.#report(place, 'root hash mismatch: the log was changed before this checkpoint')
    }
  }

  #checkSavedCheckpoints(): void {
    const { root } = this.#frontier
    const saved = this.#savedCheckpoints
    for (let first = saved[0]; first !== undefined && first.size <= this.#next; first = saved[0]) {
      saved.shift()
      if (first.root !== root)
        this.#report(`saved checkpoint ${first.size}`, 'root hash mismatch: the history was changed')
    }
  }

  async #checkNodes(nodes: readonly Node[]): Promise<void> {
    const stored = await this.#deps.store.log.hashes(
      nodes.map(({ level, index }) => ({ level, from: index, to: index + 1 })),
    )
    for (const [at, { level, index, hash }] of nodes.entries()) {
      if (stored[at]?.[0] !== hash)
        this.#report(`node ${index} of level ${level}`, 'does not match its leaves')
    }
  }

  /** Checks that every subject is sealed or waiting. The service never records one that is neither. */
  async checkSealed(kind: LogSubject): Promise<void> {
    const { log } = this.#deps.store
    const total = await log.countSubjects(kind)
    const counts = { listed: 0, sealed: 0 }
    let after = ''
    for (;;) {
      const ids = await log.subjects(kind, after, pageSize)
      if (ids.length === 0) break
      const last = ids.at(-1) ?? ''
      if (last <= after) break
      after = last
      counts.listed += ids.length
      const { missing, checked } = await this.#findSealed(ids)
      counts.sealed += checked
      if (missing.length > 0) await this.#checkUnsealed(kind, missing)
    }
    if (counts.listed < total) {
      this.#report(`${kind}s`, `${total - counts.listed} have an id that Fairway does not generate`)
    }
    if (counts.sealed !== this.#counts[kind]) {
      const message = `${counts.sealed} are sealed, but ${this.#counts[kind]} leaves refer to them`
      this.#report(`${kind}s`, message)
    }
  }

  async #checkUnsealed(kind: LogSubject, missing: readonly string[]): Promise<void> {
    const isWaiting = await this.#waitingIds(kind)
    // An entry may have been sealed between the two reads.
    const { missing: unsealed } = await this.#findSealed(missing.filter((id) => !isWaiting(id)))
    this.#counts.waiting += missing.length - unsealed.length
    for (const id of unsealed) this.#report(`${kind} ${id}`, 'was never sealed and is not waiting to be')
  }

  /** The ids without a leaf in the current log, and the number of ids whose leaf was checked. */
  async #findSealed(ids: readonly string[]): Promise<{ missing: string[]; checked: number }> {
    const { log } = this.#deps.store
    const leaves = await log.find(ids)
    const { size } = await log.head()
    const isBefore = (place: number, end: number): boolean => (leaves[place]?.index ?? Infinity) < end
    return {
      missing: ids.filter((_, place) => !isBefore(place, size)),
      checked: ids.filter((_, place) => isBefore(place, this.#checkedSize)).length,
    }
  }

  async #waitingIds(kind: LogSubject): Promise<(id: string) => boolean> {
    const { log } = this.#deps.store
    // The queue first: an entry leaves it only for the numbered leaves.
    const queued = (await log.queued()).flatMap(({ entries }) => entries)
    const { backlog, size, sequenced }: LogHead = await log.head()
    const numbered = await log.leaves(size, sequenced - size)
    const ids = new Set([...queued, ...numbered].map(({ subjectId }) => subjectId))
    const rest = backlog.find((item) => item.kind === kind)
    return (id) => ids.has(id) || (rest !== undefined && id > rest.after && id <= rest.until)
  }

  /** Checks what operators' acts have made against the rows of now. */
  async checkActs(): Promise<void> {
    const { store } = this.#deps
    const acts = this.#acts
    const sealedUntilMs = this.#sealedUntilMs
    const report = (place: string, message: string): void => this.#report(place, message)
    const isWaiting = async (): Promise<boolean> =>
      (await store.log.queued()).length > 0 || (await store.log.head()).sequenced > this.#checkedSize
    const archived = this.#archived
    await checkActs(store, { acts, sealedUntilMs, isWaiting, report, archived })
    await checkReviews(store.reviews, report)
    await checkErasures(store.erasures, acts, report)
  }

  /** Checks the queued entries. An invalid one is never sealed. */
  async checkQueue(): Promise<void> {
    for (const { number, entries } of await this.#deps.store.log.queued()) {
      if (!entries.every(isEntry))
        this.#report(`journal_queue row ${number}`, 'has an entry without a valid id or hash')
    }
  }
}

function hashOf(subject: Subject): Hash {
  if (subject.kind === 'record') return leafHashes.record(subject.value)
  if (subject.kind === 'override') return leafHashes.override(subject.value)
  if (subject.kind === 'outcome') return leafHashes.outcome(subject.value)
  return subject.kind === 'act' ? leafHashes.act(subject.value) : leafHashes.review(subject.value)
}
