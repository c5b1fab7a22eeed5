/** Proofs from the log: that a record and its override are in it, and that it only grew since an earlier checkpoint. */

import type { LogLeaf } from '../ports/log.ts'
import type { Override, Verification } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, verifierKey, verifiersOf } from './checkpoint.ts'
import { overrideLeaf, recordLeaf } from './leaf.ts'
import { consistencyRanges, hashesOf, inclusionRanges, type Hash } from './merkle.ts'
import { lookUpWith } from './tree.ts'

/** A signed checkpoint, also in parts for those who only want to read it. */
export interface CheckpointMember {
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: Hash
  readonly made_at: string
  /** The signed note, to the letter: only this is signed. */
  readonly note: string
  /** With what the note can be checked; null where the log knows no such key. */
  readonly verifier_key: string | null
}

interface LeafMember {
  readonly leaf_index: number
  readonly leaf_hash: Hash
  /** The text of which it is the hash. */
  readonly leaf: string
  readonly inclusion_path: Hash[]
}

export interface ProofMember {
  /** Pending: recorded, and about to be sealed. */
  readonly status: 'sealed' | 'pending'
  readonly record: LeafMember | null
  /** Null where there is no override, or it is pending. */
  readonly override: LeafMember | null
  readonly checkpoint: CheckpointMember | null
}

export interface ConsistencyMember {
  readonly from_size: number
  readonly path: Hash[]
}

/** Null before the first. */
export async function newestCheckpoint({ log }: Store): Promise<CheckpointMember | null> {
  const { note } = await log.head()
  const told = note === null ? null : readNote(note)
  if (note === null || told === null) return null
  const { origin, size, root, madeAtMs } = told
  const keys = await log.keys()
  const signed = verifiersOf(origin, keys).find((verifier) => isSignedBy(note, verifier))
  return {
    origin,
    tree_size: size,
    root_hash: root,
    made_at: new Date(madeAtMs).toISOString(),
    note,
    verifier_key: signed === undefined ? null : verifierKey(origin, signed.publicKey),
  }
}

export async function proveConsistency({ log }: Store, from: number, to: number): Promise<ConsistencyMember> {
  const path = await hashesOf(
    consistencyRanges(from, to),
    lookUpWith((ranges) => log.hashes(ranges)),
  )
  return { from_size: from, path }
}

/** What was recorded a moment ago is sealed first: nobody is sent away to come back in a second. */
export async function proveSealed(
  { store, sealNow }: { readonly store: Store; readonly sealNow: () => Promise<void> },
  record: Verification,
  override: Override | null,
): Promise<ProofMember> {
  const proof = await proveInclusion(store, record, override)
  if (proof.status === 'sealed') return proof
  await sealNow()
  return proveInclusion(store, record, override)
}

async function proveInclusion(
  store: Store,
  record: Verification,
  override: Override | null,
): Promise<ProofMember> {
  const { log } = store
  const checkpoint = await newestCheckpoint(store)
  const size = checkpoint?.tree_size ?? 0
  const ids = [record.requestId, ...(override === null ? [] : [override.overrideId])]
  const [ofRecord = null, ofOverride = null] = await log.find(ids)
  const isSealed = (leaf: LogLeaf | null): leaf is LogLeaf => leaf !== null && leaf.index < size
  const look = lookUpWith((ranges) => log.hashes(ranges))
  const proven = async (leaf: LogLeaf | null, text: () => string): Promise<LeafMember | null> =>
    isSealed(leaf)
      ? {
          leaf_index: leaf.index,
          leaf_hash: leaf.leafHash,
          leaf: text(),
          inclusion_path: await hashesOf(inclusionRanges(leaf.index, size), look),
        }
      : null
  const all = isSealed(ofRecord) && (override === null || isSealed(ofOverride))
  return {
    status: all ? 'sealed' : 'pending',
    record: await proven(ofRecord, () => recordLeaf(record)),
    override: override === null ? null : await proven(ofOverride, () => overrideLeaf(override)),
    checkpoint,
  }
}
