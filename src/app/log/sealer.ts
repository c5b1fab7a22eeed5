/** Seals numbered entries: extends the tree over them in batches and signs a checkpoint for each. */

import type { Clock, Random } from '../ports/system.ts'
import { isHash, type LogHead } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, signedNote, verifiersOf, type Checkpoint } from './checkpoint.ts'
import { recordChange, type InstallationKey, type Signing } from './installation-key.ts'
import { overrideHash, recordHash } from './leaf.ts'
import { Frontier, peaksOf, type Hash, type Node } from './merkle.ts'
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

export class Sealer {
  readonly #deps: SealerDeps
  /** The log as this instance last wrote it. Read again if another instance has appended since. */
  #frontier = new Frontier([])

  constructor(deps: SealerDeps) {
    this.#deps = deps
  }

  /** Seals numbered leaves until none are left or `isEnough` returns true. Returns how many it sealed. */
  async turn(isEnough: () => boolean = () => false): Promise<number> {
    const { log } = this.#deps.store
    let sealed = 0
    let backlogLeft = backlogBatchesMax
    for (let isCaughtUp = false; !isEnough();) {
      const head = await log.head()
      const hasMore = head.size < head.sequenced && !isCaughtUp
      if (!hasMore && head.size === head.sequenced) {
        // An empty log is signed, too, so that a checkpoint always exists.
        if (head.note === null) await this.#append(head, [])
        if (backlogLeft === 0 || !(await this.#numberBacklog(head))) break
        backlogLeft -= 1
        isCaughtUp = false
        continue
      }
      if (!hasMore) break
      const appended = await this.#append(head, await this.#leaves(head))
      // Another instance is sealing; one at a time is enough.
      if (appended === null) break
      sealed += appended
      // Leave newer leaves to the next turn: under load there are always some, and small batches are expensive.
      isCaughtUp = appended < entriesMax
    }
    return sealed
  }

  async #leaves({ size: from, sequenced }: LogHead): Promise<readonly Hash[]> {
    const to = Math.min(sequenced, from + entriesMax)
    const [hashes = []] = await this.#deps.store.log.hashes([{ level: 0, from, to }])
    if (hashes.length !== to - from || !hashes.every(isHash)) throw new Error(checkpointMismatch)
    return hashes
  }

  /** Numbers entries recorded before the log existed. False if there are none, or if another instance was first. */
  async #numberBacklog({ sequenced, backlog: remaining }: LogHead): Promise<boolean> {
    const { log } = this.#deps.store
    const backlog = remaining.length === 0 ? null : await log.backlog(backlogMax)
    if (backlog === null) return false
    const { kind, upTo } = backlog
    const entries =
      kind === 'record'
        ? backlog.subjects.map((record) => ({ subjectId: record.requestId, leafHash: recordHash(record) }))
        : backlog.subjects.map((override) => ({
            subjectId: override.overrideId,
            leafHash: overrideHash(override),
          }))
    return log.sequenceBacklog(sequenced, entries, { kind, upTo })
  }

  /** Returns null if another instance was first. */
  async #append(
    { size: from, note: newest }: Pick<LogHead, 'size' | 'note'>,
    leaves: readonly Hash[],
  ): Promise<number | null> {
    const { store, clock, signing } = this.#deps
    const checkpoint = newest === null ? null : readNote(newest)
    const isCurrent = matches(this.#frontier, { from, checkpoint })
    const frontier = isCurrent ? this.#frontier : await this.#read(from, newest)
    if (!matches(frontier, { from, checkpoint })) throw new Error(checkpointMismatch)
    // Reset until the write is confirmed, so that a failed append cannot lead to a wrong signed root.
    this.#frontier = new Frontier([])
    const nodes: Node[] = []
    for (const leaf of leaves) {
      for (const node of frontier.append(leaf)) if (node.level % storedLevelStep === 0) nodes.push(node)
    }
    const { root, size } = frontier
    const note = signedNote(
      { origin: signing.origin, size, root, previous: checkpoint?.size ?? null, madeAtMs: clock.nowMs() },
      signing.signer,
    )
    const isAppended = await store.log.append({ from, size, nodes, note })
    // If another instance was first, these leaves are sealed already.
    if (isAppended) this.#frontier = frontier
    return isAppended ? leaves.length : null
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

export interface SealDeps extends Pick<SealerDeps, 'store' | 'clock'> {
  readonly random: Random
  readonly key: () => Promise<InstallationKey>
}

/** Seals with the installation's key, and records first that it is another than before. Returns the number of leaves sealed. */
export function createSeal(deps: SealDeps): (isEnough?: () => boolean) => Promise<number> {
  let sealer: Sealer | null = null
  async function open(): Promise<Sealer> {
    const key = await deps.key()
    await recordChange(deps, key)
    return new Sealer({ ...deps, signing: key.signing })
  }
  return async (isEnough) => {
    sealer ??= await open()
    return sealer.turn(isEnough)
  }
}
