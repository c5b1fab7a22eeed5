/** Seals recorded entries: appends them to the log in batches and signs a checkpoint for each. */

import type { Clock } from '../ports/system.ts'
import type { LogEntry, LogHead } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import {
  isSignedBy,
  readNote,
  seedBytes,
  signedNote,
  signerOf,
  verifiersOf,
  type Checkpoint,
  type Signer,
} from './checkpoint.ts'
import { isEntry, overrideHash, recordHash } from './leaf.ts'
import { Frontier, peaksOf, type Node } from './merkle.ts'
import { hashLookup, storedLevelStep } from './tree.ts'

/** Batch size. It keeps commits from waiting more than a few milliseconds. */
const entriesMax = 1_024
/** Smaller for the backlog: it reads complete records, and requests wait meanwhile. */
const backlogMax = 128
/** Backlog batches per turn, so that a long history does not delay new entries. */
const backlogBatchesMax = 16

export interface SealerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly signing: Signing
}

/** The key that signs checkpoints, and the log's name. */
export interface Signing {
  readonly origin: string
  readonly signer: Signer
}

interface Batch {
  readonly entries: readonly LogEntry[]
  readonly taken: readonly number[]
  /** True if the batch holds all entries that were waiting. */
  readonly isLast: boolean
  readonly backlog: { readonly kind: 'record' | 'override'; readonly upTo: string } | null
}

const emptyBatch: Batch = { entries: [], taken: [], isLast: true, backlog: null }

export class Sealer {
  readonly #deps: SealerDeps
  /** The log as this instance last wrote it. Read again if another instance has appended since. */
  #frontier = new Frontier([])

  constructor(deps: SealerDeps) {
    this.#deps = deps
  }

  /** Seals waiting entries until none are left or `isEnough` returns true. Returns the number of leaves added. */
  async turn(isEnough: () => boolean = () => false): Promise<number> {
    let added = 0
    let isCaughtUp = false
    let backlogLeft = backlogBatchesMax
    while (!isEnough() && backlogLeft > 0) {
      // Read before the entries: an append to this size then proves that no other instance took any of them.
      const head = await this.#deps.store.log.head()
      const waiting: Batch | null = isCaughtUp ? null : await this.#waiting()
      const next: Batch | null = waiting ?? (head.backlog.length > 0 ? await this.#backlog() : null)
      // An empty log is signed, too, so that a checkpoint always exists.
      if (next === null && head.note === null) await this.#append(head, emptyBatch)
      if (next === null) break
      const appended = await this.#append(head, next)
      // Another instance is sealing; one at a time is enough.
      if (appended === null) break
      added += appended
      // Leave newer entries to the next turn: under load there are always some, and small batches are expensive.
      isCaughtUp ||= next.isLast
      if (waiting === null) backlogLeft -= 1
    }
    return added
  }

  async #waiting(): Promise<Batch | null> {
    const { found, isComplete: isAll } = await this.#deps.store.log.waiting(entriesMax)
    if (found.length === 0) return null
    return {
      entries: found.flatMap(({ entries }) => entries).filter(isEntry),
      taken: found.map(({ number }) => number),
      isLast: isAll,
      backlog: null,
    }
  }

  /** Entries recorded before the log existed. */
  async #backlog(): Promise<Batch | null> {
    const backlog = await this.#deps.store.log.backlog(backlogMax)
    if (backlog === null) return null
    const { kind, upTo } = backlog
    const entries =
      kind === 'record'
        ? backlog.subjects.map((record) => ({ subjectId: record.requestId, leafHash: recordHash(record) }))
        : backlog.subjects.map((override) => ({
            subjectId: override.overrideId,
            leafHash: overrideHash(override),
          }))
    return { entries, taken: [], isLast: true, backlog: { kind, upTo } }
  }

  async #append(
    { size: from, note: newest }: Pick<LogHead, 'size' | 'note'>,
    { entries, taken, backlog }: Batch,
  ): Promise<number | null> {
    const { store, clock, signing } = this.#deps
    const checkpoint = newest === null ? null : readNote(newest)
    const isCurrent = matches(this.#frontier, { from, checkpoint })
    const frontier = isCurrent ? this.#frontier : await this.#read(from, newest)
    if (!matches(frontier, { from, checkpoint })) throw new Error(checkpointMismatch)
    // Reset until the write is confirmed, so that a failed append cannot lead to a wrong signed root.
    this.#frontier = new Frontier([])
    const nodes: Node[] = []
    for (const { leafHash } of entries) {
      for (const node of frontier.append(leafHash)) if (node.level % storedLevelStep === 0) nodes.push(node)
    }
    const { root, size } = frontier
    const note = signedNote(
      { origin: signing.origin, size, root, previous: checkpoint?.size ?? null, madeAtMs: clock.nowMs() },
      signing.signer,
    )
    const isAppended = await store.log.append({
      from,
      leaves: entries,
      nodes,
      note,
      sealedRows: taken,
      backlog,
    })
    // If another instance was first, these leaves are not in the log.
    if (isAppended) this.#frontier = frontier
    return isAppended ? entries.length : null
  }

  /** Reads the tree as another instance left it. Trusts it only if its checkpoint is signed. */
  async #read(size: number, newest: string | null): Promise<Frontier> {
    const { log } = this.#deps.store
    const verifiers = verifiersOf(this.#deps.signing.origin, await log.keys())
    if (!verifiers.some((verifier) => isSignedBy(newest ?? '', verifier))) throw new Error(checkpointMismatch)
    const places = peaksOf({ from: 0, to: size })
    const hashes = await hashLookup((ranges) => log.hashes(ranges))(places)
    return new Frontier(places.map((place, at) => ({ ...place, hash: hashes[at] ?? '' })))
  }
}

const checkpointMismatch =
  'the log does not match its newest checkpoint, so nothing is appended; run fairway audit verify-log to find the change'

/** The log must match its signed checkpoint: otherwise the sealer would sign a tampered log. */
function matches(
  { size, root }: Frontier,
  { from, checkpoint }: { from: number; checkpoint: Checkpoint | null },
): boolean {
  if (size !== from) return false
  return checkpoint === null ? size === 0 : checkpoint.size === size && checkpoint.root === root
}

export interface SigningDeps {
  readonly store: Store
  readonly clock: Clock
  readonly random: { bytes(count: number): Uint8Array }
  /** From the settings; null: a key generated once and stored in the database. */
  readonly seed: Uint8Array | null
}

/** The signing key of this installation; generated if there is none. The first key names the log. */
export async function openSigning({ store, clock, random, seed }: SigningDeps): Promise<Signing> {
  const keys = await store.log.keys()
  const stored = keys.find((key) => key.seed !== null)?.seed ?? null
  const ownSeed = seed ?? (stored === null ? random.bytes(seedBytes) : Buffer.from(stored, 'base64'))
  const publicKey = Buffer.from(signerOf(ownSeed).publicKey).toString('base64')
  if (!keys.some((key) => key.publicKey === publicKey)) {
    const encoded = seed === null ? Buffer.from(ownSeed).toString('base64') : null
    await store.log.addKey({ publicKey, seed: encoded, createdAtMs: clock.nowMs() }, originOf(publicKey))
    // Another instance may have been first; its key then applies.
    if (seed === null) return openSigning({ store, clock, random, seed })
  }
  const { origin } = await store.log.head()
  if (origin === null) throw new Error('the log has no origin in log_head')
  return { origin, signer: signerOf(ownSeed) }
}

/** Signed notes allow neither spaces nor plus signs in a name. */
function originOf(publicKey: string): string {
  return `fairway/${Buffer.from(publicKey, 'base64').toString('hex').slice(0, 16)}`
}
