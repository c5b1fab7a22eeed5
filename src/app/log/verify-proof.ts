/** Checks a proof without asking anybody: does the leaf say what the record says, is it in the tree, and who has signed the tree? */

import canonicalize from 'canonicalize'
import {
  isSignedBy,
  readNote,
  readVerifierKey,
  verifierKey,
  type Checkpoint,
  type Verifier,
} from './checkpoint.ts'
import { overrideForm, overrideMembers, recordForm, recordMembers } from './leaf.ts'
import { leafHash, rootByInclusion, type Hash } from './merkle.ts'
import { isObject } from '../../core/reference/json.ts'

interface ProofFinding {
  /** JSON pointer from the proof on. */
  readonly path: string
  readonly message: string
}

export interface CheckedProof {
  readonly findings: readonly ProofFinding[]
  /** The checkpoint that the proof leads to; null where there is none that is signed. */
  readonly checkpoint: (Checkpoint & { readonly verifierKey: string }) | null
}

type Members = Readonly<Record<string, unknown>>

/** What the bundle tells, against which the leaves are held. */
export interface ClaimedMembers {
  readonly record: Members
  readonly override: unknown
}

/** With a key that is trusted, nobody else's signature counts. */
export function checkProof(proof: Members, claimed: ClaimedMembers, trusted: Verifier | null): CheckedProof {
  const findings: ProofFinding[] = []
  const found = (path: string, message: string): void => void findings.push({ path, message })
  const checkpoint = signedCheckpoint(proof['checkpoint'], trusted, found)
  const { record, override, status } = proof
  if (record !== null) {
    checkLeaf('/record', record, checkpoint, found)
    const text = isObject(record) ? String(record['leaf']) : ''
    if (!isRecordLeaf(text, claimed.record)) found('/record/leaf', 'does not tell what the record tells')
  }
  if (override !== null) {
    checkLeaf('/override', override, checkpoint, found)
    const text = isObject(override) ? String(override['leaf']) : ''
    if (!isOverrideLeaf(text, claimed.override))
      found('/override/leaf', 'does not tell what the override tells')
  }
  const isWhole = record !== null && (override !== null || (claimed.override ?? null) === null)
  if (status !== (isWhole ? 'sealed' : 'pending')) found('/status', 'is not what the rest of the proof shows')
  return { findings, checkpoint }
}

type Found = (path: string, message: string) => void

function signedCheckpoint(
  member: unknown,
  trusted: Verifier | null,
  found: Found,
): CheckedProof['checkpoint'] {
  if (member === null) return null
  const {
    note,
    verifier_key: key,
    origin,
    tree_size: size,
    root_hash: root,
    made_at: madeAt,
  } = isObject(member) ? member : {}
  const claimed = typeof note === 'string' ? readNote(note) : null
  const verifier = typeof key === 'string' ? readVerifierKey(key) : null
  if (claimed === null || typeof note !== 'string') found('/checkpoint/note', 'is no checkpoint')
  else if (verifier === null || typeof key !== 'string') found('/checkpoint/verifier_key', 'is no key')
  else if (!isSignedBy(note, trusted ?? verifier)) {
    found(
      '/checkpoint/note',
      trusted === null ? 'is not signed by its key' : 'is not signed by the key that is trusted',
    )
  } else {
    const parts = [origin, size, root, finite(Date.parse(String(madeAt)))]
    if (!isSame(parts, [claimed.origin, claimed.size, claimed.root, claimed.madeAtMs]))
      found('/checkpoint', 'tells other parts than its note')
    // The one by which it was checked, whatever the file says of it.
    return {
      ...claimed,
      verifierKey: trusted === null ? key : verifierKey(trusted.origin, trusted.publicKey),
    }
  }
  return null
}

function checkLeaf(path: string, member: unknown, checkpoint: Checkpoint | null, found: Found): void {
  const { leaf, leaf_hash: hash, leaf_index: index, inclusion_path: way } = isObject(member) ? member : {}
  if (typeof leaf !== 'string' || hash !== leafHash(leaf))
    return found(`${path}/leaf_hash`, 'is not the hash of the leaf')
  if (checkpoint === null) return found(path, 'has no signed checkpoint to lead to')
  const { size, root } = checkpoint
  const place = { index: Number(index), size }
  const reached = Array.isArray(way) ? rootByInclusion(hash, place, way as Hash[]) : null
  if (reached !== root) found(`${path}/inclusion_path`, 'does not lead to the root of the checkpoint')
}

/** The record as the bundle tells it, in the form of the leaf. */
function isRecordLeaf(text: string, record: Members): boolean {
  const [line = '', answer = '', evidence = '', ...more] = text.split('\n')
  const [short, answered, evident] = [line, answer, evidence].map(parsed)
  /** Null where it has more digits than are kept. */
  const hundredths = (name: string): number | null => {
    const whole = Math.round(Number(record[name]) * 100)
    return whole / 100 === record[name] ? whole : null
  }
  const atMs = (name: string): number | null => finite(Date.parse(String(record[name])))
  const members = recordMembers({
    requestId: record['request_id'],
    // Whose it is, the bundle does not say: its key does.
    ownerId: Array.isArray(short) ? (short[2] as unknown) : null,
    keyId: record['key_id'],
    mode: record['mode'],
    corridor: record['corridor'],
    verdict: record['decision'],
    scoreHundredths: hundredths('score'),
    confidenceHundredths: hundredths('confidence'),
    amount: record['amount'],
    currency: record['currency'],
    correlationId: record['correlation_id'],
    evaluatedAtMs: atMs('evaluated_at'),
    recordedAtMs: atMs('recorded_at'),
    cooldownSourceId: record['cooldown_source_request_id'],
  })
  return (
    more.length === 0 &&
    isSame(short, [recordForm, ...members]) &&
    isSame(answered, record['answer']) &&
    isSame(evident, record['evidence'])
  )
}

function isOverrideLeaf(text: string, claimed: unknown): boolean {
  if (!isObject(claimed)) return false
  const short = parsed(text)
  const members = overrideMembers({
    overrideId: claimed['override_id'],
    requestId: claimed['request_id'],
    ownerId: Array.isArray(short) ? (short[3] as unknown) : null,
    keyId: claimed['key_id'],
    action: claimed['action'],
    reasonCode: claimed['reason_code'],
    justification: claimed['justification'],
    originalVerdict: claimed['original_decision'],
    createdAtMs: finite(Date.parse(String(claimed['created_at']))),
  })
  return isSame(short, [overrideForm, ...members])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** What is no number is none that a leaf has. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalize(left) === canonicalize(right)
}
