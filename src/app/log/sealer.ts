/** Seals what was recorded: takes what waits into the log, a piece at a time, and signs how far it has come. */

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
import { levelsApart, lookUpWith } from './tree.ts'

/** So many at a time: a commit that comes meanwhile waits a few milliseconds at most. */
const entriesMax = 1_024
/** Fewer of those that are read whole, since requests wait for the reading. */
const backlogMax = 128
/** And so many pieces of it in a turn: a long history is sealed bit by bit, beside what is new. */
const backlogPiecesMax = 16

export interface SealerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly signing: Signing
}

/** With what checkpoints are signed, and in whose name. */
export interface Signing {
  readonly origin: string
  readonly signer: Signer
}

interface Piece {
  readonly entries: readonly LogEntry[]
  readonly taken: readonly number[]
  /** All that waited when it was read. */
  readonly isLast: boolean
  readonly backlog: { readonly kind: 'record' | 'override'; readonly upTo: string } | null
}

const nothing: Piece = { entries: [], taken: [], isLast: true, backlog: null }

export class Sealer {
  readonly #deps: SealerDeps
  /** Of the log as this instance last left it: where another went on, it is read again. */
  #frontier = new Frontier([])

  constructor(deps: SealerDeps) {
    this.#deps = deps
  }

  /** Seals what waits, until `isEnough` says so; the number of leaves that were added. */
  async turn(isEnough: () => boolean = () => false): Promise<number> {
    let added = 0
    let isCaughtUp = false
    let olderLeft = backlogPiecesMax
    while (!isEnough() && olderLeft > 0) {
      // Before what waits is read: if the log is still as long at the end, nobody has taken any of it meanwhile.
      const head = await this.#deps.store.log.head()
      const piece: Piece | null = isCaughtUp ? null : await this.#waiting()
      const next: Piece | null = piece ?? (head.backlog.length > 0 ? await this.#older() : null)
      // An empty log is signed, too: so there is always something to keep.
      if (next === null && head.note === null) await this.#append(head, nothing)
      if (next === null) break
      const grown = await this.#append(head, next)
      // Another instance is at it: one at a time is enough.
      if (grown === null) break
      added += grown
      // What has come meanwhile is for the next turn: under load there is always something, and little of it is dear to seal.
      isCaughtUp ||= next.isLast
      if (piece === null) olderLeft -= 1
    }
    return added
  }

  async #waiting(): Promise<Piece | null> {
    const { found, isAll } = await this.#deps.store.log.waiting(entriesMax)
    if (found.length === 0) return null
    return {
      entries: found.flatMap(({ entries }) => entries).filter(isEntry),
      taken: found.map(({ number }) => number),
      isLast: isAll,
      backlog: null,
    }
  }

  /** What was recorded before there was a log. */
  async #older(): Promise<Piece | null> {
    const older = await this.#deps.store.log.backlog(backlogMax)
    if (older === null) return null
    const { kind, upTo } = older
    const entries =
      kind === 'record'
        ? older.subjects.map((record) => ({ subjectId: record.requestId, leafHash: recordHash(record) }))
        : older.subjects.map((made) => ({ subjectId: made.overrideId, leafHash: overrideHash(made) }))
    return { entries, taken: [], isLast: true, backlog: { kind, upTo } }
  }

  async #append(
    { size: from, note: newest }: Pick<LogHead, 'size' | 'note'>,
    { entries, taken, backlog }: Piece,
  ): Promise<number | null> {
    const { store, clock, signing } = this.#deps
    const told = newest === null ? null : readNote(newest)
    const frontier = fits(this.#frontier, { from, told }) ? this.#frontier : await this.#read(from, newest)
    if (!fits(frontier, { from, told })) throw new Error(notFitting)
    // Until it is known that it was written: whatever becomes of it, a wrong root must not be signed the next time.
    this.#frontier = new Frontier([])
    const nodes: Node[] = []
    for (const { leafHash } of entries) {
      for (const full of frontier.append(leafHash)) if (full.level % levelsApart === 0) nodes.push(full)
    }
    const { root, size } = frontier
    const note = signedNote(
      { origin: signing.origin, size, root, previous: told?.size ?? null, madeAtMs: clock.nowMs() },
      signing.signer,
    )
    const isOurs = await store.log.append({ from, leaves: entries, nodes, note, taken, backlog })
    // What was added to it is not in the log where another was first.
    if (isOurs) this.#frontier = frontier
    return isOurs ? entries.length : null
  }

  /** What another left is believed where it is signed. */
  async #read(size: number, newest: string | null): Promise<Frontier> {
    const { log } = this.#deps.store
    const verifiers = verifiersOf(this.#deps.signing.origin, await log.keys())
    if (!verifiers.some((verifier) => isSignedBy(newest ?? '', verifier))) throw new Error(notFitting)
    const places = peaksOf({ from: 0, to: size })
    const hashes = await lookUpWith((ranges) => log.hashes(ranges))(places)
    return new Frontier(places.map((place, at) => ({ ...place, hash: hashes[at] ?? '' })))
  }
}

const notFitting =
  'the log is not what its newest checkpoint signs, and nothing is added to it; fairway audit verify-log shows where it was changed'

/** Somebody who changes the log must not have it signed by those who go on with it. */
function fits({ size, root }: Frontier, { from, told }: { from: number; told: Checkpoint | null }): boolean {
  return size === from && (told === null ? size === 0 : told.size === size && told.root === root)
}

export interface SigningDeps {
  readonly store: Store
  readonly clock: Clock
  readonly random: { bytes(count: number): Uint8Array }
  /** From the settings; null: one that is made once, and kept with the records. */
  readonly seed: Uint8Array | null
}

/** The key of this installation, made where there is none. The first one names the log. */
export async function openSigning({ store, clock, random, seed }: SigningDeps): Promise<Signing> {
  const known = await store.log.keys()
  const kept = known.find((key) => key.seed !== null)?.seed ?? null
  const wanted = seed ?? (kept === null ? random.bytes(seedBytes) : Buffer.from(kept, 'base64'))
  const publicKey = Buffer.from(signerOf(wanted).publicKey).toString('base64')
  if (!known.some((key) => key.publicKey === publicKey)) {
    const encoded = seed === null ? Buffer.from(wanted).toString('base64') : null
    await store.log.addKey({ publicKey, seed: encoded, createdAtMs: clock.nowMs() }, originOf(publicKey))
    // Another instance may have been first: its key is the one.
    if (seed === null) return openSigning({ store, clock, random, seed })
  }
  const { origin } = await store.log.head()
  if (origin === null) throw new Error('the log has no name')
  return { origin, signer: signerOf(wanted) }
}

/** Names are compared byte by byte, and have no blanks and no plus sign. */
function originOf(publicKey: string): string {
  return `fairway/${Buffer.from(publicKey, 'base64').toString('hex').slice(0, 16)}`
}
