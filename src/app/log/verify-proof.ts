/** Verifies a proof offline: the leaf matches the record, the tree contains the leaf, and a key signed the tree. */

import { canonicalJson } from '../../core/reference/canonical-json.ts'
import {
  isSignedBy,
  readNote,
  readVerifierKey,
  verifierKey,
  type Checkpoint,
  type Verifier,
} from './checkpoint.ts'
import {
  outcomeFormOf,
  outcomeMembers,
  overrideFormOf,
  overrideMembers,
  recordForms,
  recordMembers,
} from './leaf.ts'
import { erased, isText } from './personal-text.ts'
import { leafHash, rootByInclusion, type Hash } from './merkle.ts'
import { isObject } from '../../core/reference/json.ts'

interface ProofFinding {
  /** JSON pointer, relative to the proof. */
  readonly path: string
  readonly message: string
}

export interface CheckedProof {
  readonly findings: readonly ProofFinding[]
  /** The proof's checkpoint; null if it is missing or not signed. */
  readonly checkpoint: (Checkpoint & { readonly verifierKey: string }) | null
}

type Members = Readonly<Record<string, unknown>>

/** The bundle's record, override and outcome, which the leaves must match. */
export interface ClaimedMembers {
  readonly record: Members
  readonly override: unknown
  readonly outcome: unknown
}

/** If a trusted key is provided, no other signature is accepted. */
export function checkProof(proof: Members, claimed: ClaimedMembers, trusted: Verifier | null): CheckedProof {
  const findings: ProofFinding[] = []
  const report: Report = (path, message) => void findings.push({ path, message })
  const checkpoint = signedCheckpoint(proof['checkpoint'], trusted, report)
  const { record, override, outcome = null, status } = proof
  if (record !== null) {
    checkLeaf('/record', record, checkpoint, report)
    const text = isObject(record) ? String(record['leaf']) : ''
    if (!isRecordLeaf(text, claimed.record)) report('/record/leaf', 'does not match the record')
  }
  if (override !== null) {
    checkLeaf('/override', override, checkpoint, report)
    const text = isObject(override) ? String(override['leaf']) : ''
    if (!isOverrideLeaf(text, claimed.override)) report('/override/leaf', 'does not match the override')
  }
  if (outcome !== null) {
    checkLeaf('/outcome', outcome, checkpoint, report)
    const text = isObject(outcome) ? String(outcome['leaf']) : ''
    if (!isOutcomeLeaf(text, claimed)) report('/outcome/leaf', 'does not match the outcome')
  }
  const isComplete =
    record !== null &&
    (override !== null || (claimed.override ?? null) === null) &&
    (outcome !== null || !isInLog(claimed.outcome))
  if (status !== (isComplete ? 'sealed' : 'pending'))
    report('/status', 'does not match the rest of the proof')
  return { findings, checkpoint }
}

/** Outcomes that were reported to an earlier version are not in the log, and have no id. */
export function isInLog(outcome: unknown): boolean {
  return isObject(outcome) && typeof outcome['outcome_id'] === 'string'
}

export type Report = (path: string, message: string) => void

export function signedCheckpoint(
  member: unknown,
  trusted: Verifier | null,
  report: Report,
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
  if (claimed === null || typeof note !== 'string') report('/checkpoint/note', 'is not a valid checkpoint')
  else if (verifier === null || typeof key !== 'string')
    report('/checkpoint/verifier_key', 'is not a valid verifier key')
  else if (!isSignedBy(note, trusted ?? verifier)) {
    report(
      '/checkpoint/note',
      trusted === null ? 'is not signed by its verifier key' : 'is not signed by the trusted key',
    )
  } else {
    const parts = [origin, size, root, finite(Date.parse(String(madeAt)))]
    if (!isSame(parts, [claimed.origin, claimed.size, claimed.root, claimed.madeAtMs]))
      report('/checkpoint', 'does not match its note')
    // The key that verified the signature, not the key that the file names.
    return {
      ...claimed,
      verifierKey: trusted === null ? key : verifierKey(trusted.origin, trusted.publicKey),
    }
  }
  return null
}

function checkLeaf(path: string, member: unknown, checkpoint: Checkpoint | null, report: Report): void {
  const {
    leaf,
    leaf_hash: hash,
    leaf_index: index,
    inclusion_path: inclusion,
  } = isObject(member) ? member : {}
  if (typeof leaf !== 'string' || hash !== leafHash(leaf))
    return report(`${path}/leaf_hash`, 'is not the hash of the leaf')
  if (checkpoint === null) return report(path, 'has no signed checkpoint')
  const { size, root } = checkpoint
  const position = { index: Number(index), size }
  const computed = Array.isArray(inclusion) ? rootByInclusion(hash, position, inclusion as Hash[]) : null
  if (computed !== root) report(`${path}/inclusion_path`, 'does not lead to the root hash of the checkpoint')
}

/** Whether the leaf text is that of the record in the bundle. A bundle does not contain the owner, so the leaf's is used. */
function isRecordLeaf(text: string, record: Members): boolean {
  const [line = '', answer = '', evidence = '', ...more] = text.split('\n')
  const [leafMembers, leafAnswer, leafEvidence] = [line, answer, evidence].map(parsed)
  const ownerId = Array.isArray(leafMembers) ? (leafMembers[2] as unknown) : null
  return (
    more.length === 0 &&
    isSame(leafMembers, claimedRecord(record, ownerId)) &&
    isSame(leafAnswer, record['answer']) &&
    isSame(leafEvidence, record['evidence'])
  )
}

/** The first line of the leaf of an exported record. */
export function claimedRecord(record: Members, ownerId: unknown): unknown[] {
  /** Null if the value has more digits than a record stores. */
  const hundredths = (name: string): number | null => {
    const rounded = Math.round(Number(record[name]) * 100)
    return rounded / 100 === record[name] ? rounded : null
  }
  const atMs = (name: string): number | null => finite(Date.parse(String(record[name])))
  const members = recordMembers({
    requestId: record['request_id'],
    ownerId,
    keyId: record['key_id'],
    mode: record['mode'],
    corridor: record['corridor'],
    verdict: record['decision'],
    scoreHundredths: hundredths('score'),
    confidenceHundredths: hundredths('confidence'),
    amount: record['amount'],
    currency: record['currency'],
    personal: committed(record, { text: record['correlation_id'], erasedAs: null }),
    evaluatedAtMs: atMs('evaluated_at'),
    recordedAtMs: atMs('recorded_at'),
    cooldownSourceId: record['cooldown_source_request_id'],
  })
  return [recordForms[isApart(record) ? 2 : 1], ...members]
}

function isOverrideLeaf(text: string, claimed: unknown): boolean {
  if (!isObject(claimed)) return false
  const leafMembers = parsed(text)
  const ownerId = Array.isArray(leafMembers) ? (leafMembers[3] as unknown) : null
  return isSame(leafMembers, claimedOverride(claimed, ownerId))
}

/** The leaf of an exported override. */
export function claimedOverride(claimed: Members, ownerId: unknown): unknown[] {
  const approval = approvalOf(claimed)
  const members = overrideMembers({
    overrideId: claimed['override_id'],
    requestId: claimed['request_id'],
    ownerId,
    keyId: claimed['key_id'],
    ...principalOf(claimed),
    action: claimed['action'],
    reasonCode: claimed['reason_code'],
    personal: committed(claimed, { text: claimed['justification'], erasedAs: erased }),
    originalVerdict: claimed['original_decision'],
    createdAtMs: finite(Date.parse(String(claimed['created_at']))),
    approval,
  })
  const form = overrideFormOf(isApart(claimed) ? 2 : 1, { ...principalOf(claimed), approval })
  return [form, ...members]
}

/** Null for an override without a review, and in exports of before reviews. */
function approvalOf({ approval = null }: Readonly<Record<string, unknown>>) {
  if (!isObject(approval)) return null
  return { reviewId: approval['review_id'], keyId: approval['key_id'], ...principalOf(approval) }
}

function isOutcomeLeaf(text: string, { record, outcome }: ClaimedMembers): boolean {
  if (!isObject(outcome)) return false
  const leafMembers = parsed(text)
  const ownerId = Array.isArray(leafMembers) ? (leafMembers[3] as unknown) : null
  return isSame(leafMembers, claimedOutcome(outcome, record, ownerId))
}

/** The leaf of an exported outcome. */
export function claimedOutcome(outcome: Members, record: Members, ownerId: unknown): unknown[] {
  const { occurred_at: occurredAt, reported_at: reportedAt, partner = null } = outcome
  const principal = principalOf(outcome)
  const members = outcomeMembers({
    outcomeId: outcome['outcome_id'],
    requestId: outcome['request_id'],
    ownerId,
    keyId: outcome['key_id'],
    ...principal,
    mode: record['mode'],
    corridor: record['corridor'],
    outcome: outcome['outcome'],
    partner,
    occurredAtMs: occurredAt === null ? null : timeOf(occurredAt),
    reportedAtMs: timeOf(reportedAt),
  })
  return [outcomeFormOf({ partner, ...principal }), ...members]
}

/** Records and overrides have a form from version 4 of the export on. */
const isApart = (member: Members): boolean => member['form'] === 2

/** Exports from before principals have none. */
const principalOf = ({ person_id: personId = null, principal_id: principalId = null }: Members) => ({
  personId,
  principalId,
})

/**
 * The part of a leaf that commits to a personal text: the text itself in form 1; in form 2 its salted hash, if the text is the one
 * that it was made of. Undefined, which matches no leaf, if it is not.
 */
export function committed(
  member: Members,
  { text, erasedAs }: { readonly text: unknown; readonly erasedAs: string | null },
): unknown {
  if (!isApart(member)) return text
  const personal = member['personal_text']
  if (!isObject(personal)) return personal === null && text === null ? null : undefined
  const { hash, salt } = personal
  if (typeof hash !== 'string') return undefined
  // Without its salt the text is erased, and no other may stand in its place.
  if (salt === null) return text === erasedAs ? hash : undefined
  const isTrue = typeof salt === 'string' && typeof text === 'string' && isText({ hash, salt }, text)
  return isTrue ? hash : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

const timeOf = (value: unknown): number | null =>
  typeof value === 'string' ? finite(Date.parse(value)) : null

/** Null for NaN and infinity, which never match a leaf. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function isSame(left: unknown, right: unknown): boolean {
  // A member may be missing from what is claimed.
  return left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right)
}
