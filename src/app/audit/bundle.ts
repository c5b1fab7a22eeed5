/** Builds the audit export of a decision: its record, derived explanation, proof and hashes. */

import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/reference/canonical-json.ts'
import type { StoredAnswer } from '../verify/answer.ts'
import { sourceOf, type DecisionFile } from '../inspect/decision-file.ts'
import { explain, timeline } from '../inspect/explain.ts'
import type { Signing } from '../log/installation-key.ts'
import type { ProofMember } from '../log/proof.ts'
import type { PoliciesInForce } from '../policy/in-force.ts'
import type { Attributed, Verification } from '../ports/records.ts'
import {
  auditMembers,
  outcomeMember,
  overrideMember,
  readAnswer,
  summaryMembers,
} from '../inspect/record-wire.ts'
import { escaped } from '../../core/reference/json.ts'
import { signExport } from './signature.ts'

/**
 * Version 2 added the outcome, version 3 the proof, version 4 forms, personal texts and the outcome's id, version 5 the
 * signature, version 6 the policies, version 7 principals, version 8 the approval of an override.
 */
export const exportVersion = 8
export const hashAlgorithm = 'SHA-256'
export const canonicalisation = 'RFC 8785'

/** The bundle without `proof` and `integrity`. */
export interface Evidence {
  readonly export_version: number
  readonly exported_at: string
  readonly record: Readonly<Record<string, unknown>>
  /** The original record, if this one repeats it during a cooldown. */
  readonly source_record: Readonly<Record<string, unknown>> | null
  readonly human_override: unknown
  /** From version 2 on. */
  readonly outcome?: unknown
  /** From version 6 on: the documents of the policies that the decision was made under. */
  readonly policies?: unknown
  readonly explanation: unknown
  readonly timeline: unknown
}

export interface Integrity {
  readonly algorithm: string
  readonly canonicalisation: string
  /** The hash of `record`. Records never change, so every export of a decision has the same. */
  readonly record_hash: string
  /** The hash of everything except `exported_at`, `proof` and `integrity`. */
  readonly bundle_hash: string
  /** The hash of each part by its JSON pointer, to locate a change. */
  readonly member_hashes: Readonly<Record<string, string>>
  /** Over `bundle_hash`, by the log's key; from version 5 on. */
  readonly signature?: unknown
}

export interface Bundle extends Evidence {
  /** Inclusion in the log, from version 3 on. Not hashed: it changes as the log grows and has its own signature. */
  readonly proof?: unknown
  readonly integrity: Integrity
}

export interface ExportOptions {
  readonly atMs: number
  readonly proof: ProofMember
  readonly signing: Signing
}

export function bundleOf(file: DecisionFile, { atMs, proof, signing }: ExportOptions): Bundle {
  const evidence = evidenceOf(file, atMs)
  return { ...evidence, proof, integrity: signed(evidence, integrityOf(evidence), signing) }
}

function signed(evidence: Evidence, integrity: Integrity, signing: Signing): Integrity {
  const { bundle_hash: bundleHash } = integrity
  const { exported_at: exportedAt, record } = evidence
  const requestId = String(record['request_id'])
  return { ...integrity, signature: signExport({ requestId, bundleHash, exportedAt }, signing) }
}

/** The bundle as JSON. Canonicalising is expensive, so the hashed texts are reused in the file. */
export function bundleJson(file: DecisionFile, { atMs, proof, signing }: ExportOptions): string {
  const evidence = evidenceOf(file, atMs)
  const record = canonicalMembers(evidence.record)
  const others = canonicalMembers({ ...evidence, record: undefined })
  const texts = new Map(
    [...others, { name: 'record', text: joined(record) }].map((member) => [member.name, member]),
  )
  const members = Object.keys(evidence).flatMap((name) => texts.get(name) ?? [])
  const integrity = {
    name: 'integrity',
    text: JSON.stringify(signed(evidence, seal(record, others), signing)),
  }
  const proofText = { name: 'proof', text: JSON.stringify(proof) }
  return `{${[...members, proofText, integrity].map(textOf).join(',')}}`
}

function evidenceOf(file: DecisionFile, exportedAtMs: number): Evidence {
  const source = sourceOf(file)
  return {
    export_version: exportVersion,
    exported_at: new Date(exportedAtMs).toISOString(),
    record: recordMember(file.record, file.answer),
    source_record: source === null ? null : recordMember(source, readAnswer(source)),
    human_override: overrideOf(file),
    outcome: outcomeOf(file),
    policies: policiesMember(file.policies),
    explanation: explain(file),
    timeline: timeline(file),
  }
}

/** The override as in other answers, plus its key or session, its principal and its form. */
export function overrideOf(file: Pick<DecisionFile, 'override'>) {
  const { human_override: override } = overrideMember(file)
  if (override === null || file.override === null) return null
  const { approval } = file.override
  return {
    ...override,
    ...attributedMembers(file.override),
    ...apartMembers(file.override),
    approval: approval === null ? null : { ...override.approval, ...attributedMembers(approval) },
  }
}

/** The outcome as in other answers, plus its key or session, its principal and its own id. */
export function outcomeOf(file: Pick<DecisionFile, 'outcome'>) {
  const { outcome } = outcomeMember(file)
  return outcome === null || file.outcome === null
    ? null
    : { ...outcome, ...attributedMembers(file.outcome), outcome_id: file.outcome.outcomeId }
}

/** The owner's policy first. Their hashes are in the evidence, which the log seals. */
export function policiesMember(policies: PoliciesInForce | null): object[] {
  return [policies?.owner, policies?.installation].flatMap((policy) =>
    policy === null || policy === undefined
      ? []
      : [{ policy_id: policy.policyId, document: policy.document }],
  )
}

/** As the leaf has them: a person's session takes the place of the key. */
const attributedMembers = ({ keyId, personId, principalId }: Attributed) => ({
  key_id: keyId,
  person_id: personId,
  principal_id: principalId,
})

/** How personal text is kept: in form 2 apart, under a salted hash. */
function apartMembers({ form, personalText }: Pick<Verification, 'form' | 'personalText'>) {
  return { form, personal_text: personalText }
}

/** The record as stored, with its audit members, as in an export of this version. */
export function recordMember(
  record: Verification,
  answer: StoredAnswer,
  version = exportVersion,
): Record<string, unknown> {
  return {
    ...(version < 4 ? {} : apartMembers(record)),
    ...summaryMembers(record),
    // Nothing stands in the place of an erased one: the hash without its salt says so.
    correlation_id: record.correlationId,
    ...auditMembers(answer),
    recorded_at: new Date(record.recordedAtMs).toISOString(),
    key_id: record.keyId,
    cooldown_source_request_id: record.cooldownSourceId,
    answer,
    evidence: JSON.parse(record.evidence) as unknown,
  }
}

export function integrityOf(evidence: Evidence): Integrity {
  return seal(canonicalMembers(evidence.record), canonicalMembers({ ...evidence, record: undefined }))
}

/** Hashes each member of the record and each other member of the bundle. */
function seal(record: readonly Member[], others: readonly Member[]): Integrity {
  const hashes: Record<string, string> = {}
  for (const { name, text } of others) hashes[`/${escaped(name)}`] = sha256(text)
  for (const { name, text } of record) hashes[`/record/${escaped(name)}`] = sha256(text)
  const recordText = { name: 'record', text: joined(record) }
  return {
    algorithm: hashAlgorithm,
    canonicalisation,
    record_hash: sha256(recordText.text),
    bundle_hash: sha256(joined([...others.filter(({ name }) => name !== 'exported_at'), recordText])),
    member_hashes: hashes,
  }
}

/** A member of an object with the canonical JSON of its value. */
interface Member {
  readonly name: string
  readonly text: string
}

function canonicalMembers(value: Readonly<Record<string, unknown>>): Member[] {
  const members: Member[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push({ name, text: canonicalJson(member) })
  }
  return members
}

const textOf = ({ name, text }: Member): string => `${JSON.stringify(name)}:${text}`

/** The canonical JSON of an object with these members. RFC 8785 sorts names by code units, as `<` does. */
function joined(members: readonly Member[]): string {
  const sorted = members.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  return `{${sorted.map(textOf).join(',')}}`
}

export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value))
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
