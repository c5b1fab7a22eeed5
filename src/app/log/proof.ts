/** Builds proofs from the log: inclusion of a record, its override and its outcome, and consistency with an earlier checkpoint. */

import type { LogLeaf, LogStore } from '../ports/log.ts'
import type { Override, ReportedOutcome, Verification } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, verifierKey, verifiersOf } from './checkpoint.ts'
import { outcomeLeaf, overrideLeaf, recordLeaf } from './leaf.ts'
import { consistencyRanges, hashesOf, inclusionRanges, type Hash } from './merkle.ts'
import { hashLookup, keptLookup, type HashLookup } from './tree.ts'

/** A signed checkpoint, with its parts repeated as members for readers. */
export interface CheckpointMember {
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: Hash
  readonly made_at: string
  /** The signed note, verbatim. Only the note is signed, not the other members. */
  readonly note: string
  /** The key that verifies the note; null if the log has no such key. */
  readonly verifier_key: string | null
}

interface LeafMember {
  readonly leaf_index: number
  readonly leaf_hash: Hash
  /** The text that `leaf_hash` is the hash of. */
  readonly leaf: string
  readonly inclusion_path: Hash[]
}

export interface ProofMember {
  /** Pending: recorded but not yet sealed. */
  readonly status: 'sealed' | 'pending'
  readonly record: LeafMember | null
  /** Null if there is no override or it is pending. */
  readonly override: LeafMember | null
  /** Null if there is no outcome, it is pending, or it was reported before outcomes were in the log. */
  readonly outcome: LeafMember | null
  readonly checkpoint: CheckpointMember | null
}

export interface ConsistencyMember {
  readonly from_size: number
  readonly path: Hash[]
}

interface Known {
  readonly lookUp: HashLookup
  /** The newest checkpoint whose signature was checked. */
  checkpoint: CheckpointMember | null
}

/** Proofs of one log share most of what they read. */
const knownOf = new WeakMap<LogStore, Known>()

function knownAbout(log: LogStore): Known {
  const known = knownOf.get(log) ?? {
    lookUp: keptLookup(hashLookup((ranges) => log.hashes(ranges))),
    checkpoint: null,
  }
  knownOf.set(log, known)
  return known
}

/** Null before the first checkpoint. */
export async function newestCheckpoint({ log }: Store): Promise<CheckpointMember | null> {
  const { note } = await log.head()
  const known = knownAbout(log)
  if (note !== null && known.checkpoint?.note === note) return known.checkpoint
  const checkpoint = note === null ? null : readNote(note)
  if (note === null || checkpoint === null) return null
  const { origin, size, root, madeAtMs } = checkpoint
  const keys = await log.keys()
  const signer = verifiersOf(origin, keys).find((verifier) => isSignedBy(note, verifier))
  const member = {
    origin,
    tree_size: size,
    root_hash: root,
    made_at: new Date(madeAtMs).toISOString(),
    note,
    verifier_key: signer === undefined ? null : verifierKey(origin, signer.publicKey),
  }
  if (signer !== undefined) known.checkpoint = member
  return member
}

export async function proveConsistency({ log }: Store, from: number, to: number): Promise<ConsistencyMember> {
  const path = await hashesOf(consistencyRanges(from, to), knownAbout(log).lookUp)
  return { from_size: from, path }
}

/** Proves inclusion. Seals first if anything of the decision is pending, so that the caller need not retry. */
export async function proveSealed(
  { store, sealNow }: { readonly store: Store; readonly sealNow: () => Promise<void> },
  decision: ProvedDecision,
): Promise<ProofMember> {
  const proof = await proveInclusion(store, decision)
  if (proof.status === 'sealed') return proof
  await sealNow()
  return proveInclusion(store, decision)
}

/** A record with its override and outcome. */
interface ProvedDecision {
  readonly record: Verification
  readonly override: Override | null
  readonly outcome: ReportedOutcome | null
}

async function proveInclusion(
  store: Store,
  { record, override, outcome }: ProvedDecision,
): Promise<ProofMember> {
  const { log } = store
  const checkpoint = await newestCheckpoint(store)
  const size = checkpoint?.tree_size ?? 0
  const outcomeId = outcome?.outcomeId ?? null
  // An empty id has no leaf.
  const ids = [record.requestId, override?.overrideId ?? '', outcomeId ?? '']
  const [recordEntry = null, overrideEntry = null, outcomeEntry = null] = await log.find(ids)
  const isSealed = (leaf: LogLeaf | null): leaf is LogLeaf => leaf !== null && leaf.index < size
  const { lookUp } = knownAbout(log)
  const prove = async (leaf: LogLeaf | null, text: () => string): Promise<LeafMember | null> =>
    isSealed(leaf)
      ? {
          leaf_index: leaf.index,
          leaf_hash: leaf.leafHash,
          leaf: text(),
          inclusion_path: await hashesOf(inclusionRanges(leaf.index, size), lookUp),
        }
      : null
  const isComplete =
    isSealed(recordEntry) &&
    (override === null || isSealed(overrideEntry)) &&
    (outcomeId === null || isSealed(outcomeEntry))
  return {
    status: isComplete ? 'sealed' : 'pending',
    record: await prove(recordEntry, () => recordLeaf(record)),
    override: override === null ? null : await prove(overrideEntry, () => overrideLeaf(override)),
    outcome: outcome === null ? null : await prove(outcomeEntry, () => outcomeLeaf(outcome)),
    checkpoint,
  }
}
