/** The evidence bundle of one decision: all that is kept of it, what follows from that, and the hashes that bind them. */

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { KeptAnswer } from '../verify/answer.ts'
import { sourceOf, type DecisionFile } from '../inspect/decision-file.ts'
import { explain, timeline } from '../inspect/explain.ts'
import type { ProofMember } from '../log/proof.ts'
import type { Verification } from '../ports/records.ts'
import {
  auditMembers,
  outcomeMember,
  overrideMember,
  readAnswer,
  summaryMembers,
} from '../inspect/record-wire.ts'
import { escaped } from '../../core/reference/json.ts'

/** The second has the outcome, the third the proof. */
export const exportVersion = 3
export const hashAlgorithm = 'SHA-256'
export const canonicalisation = 'RFC 8785'

/** Everything of a bundle but its integrity. */
export interface Evidence {
  readonly export_version: number
  readonly exported_at: string
  readonly record: Readonly<Record<string, unknown>>
  /** Of a record that repeats another during a cooldown: the other. */
  readonly source_record: Readonly<Record<string, unknown>> | null
  readonly human_override: unknown
  /** Not in the first version. */
  readonly outcome?: unknown
  readonly explanation: unknown
  readonly timeline: unknown
}

export interface Integrity {
  readonly algorithm: string
  readonly canonicalisation: string
  /** Of `record`, which never changes: every export of one decision has the same. */
  readonly record_hash: string
  /** Of everything but `exported_at`, `proof` and `integrity` itself. */
  readonly bundle_hash: string
  /** Of the parts, by their JSON pointers, so that a change can be found. */
  readonly member_hashes: Readonly<Record<string, string>>
}

export interface Bundle extends Evidence {
  /** That the record is in the log: from version 3 on. It changes as the log grows, and is signed by itself. */
  readonly proof?: unknown
  readonly integrity: Integrity
}

export interface Exported {
  readonly atMs: number
  readonly proof: ProofMember
}

export function bundleOf(file: DecisionFile, { atMs, proof }: Exported): Bundle {
  const evidence = evidenceOf(file, atMs)
  return { ...evidence, proof, integrity: integrityOf(evidence) }
}

/** The bundle as JSON. Canonical texts are dear, so the file is put together from those that were hashed. */
export function bundleJson(file: DecisionFile, { atMs, proof }: Exported): string {
  const evidence = evidenceOf(file, atMs)
  const record = canonicalMembers(evidence.record)
  const others = canonicalMembers({ ...evidence, record: undefined })
  const texts = new Map([...others, { name: 'record', text: joined(record) }].map((one) => [one.name, one]))
  const members = Object.keys(evidence).flatMap((name) => texts.get(name) ?? [])
  const integrity = { name: 'integrity', text: JSON.stringify(seal(record, others)) }
  const proven = { name: 'proof', text: JSON.stringify(proof) }
  return `{${[...members, proven, integrity].map(textOf).join(',')}}`
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
    explanation: explain(file),
    timeline: timeline(file),
  }
}

/** As everywhere, and with the key by which it was made. */
function overrideOf(file: DecisionFile): unknown {
  const { human_override: told } = overrideMember(file)
  return told === null ? null : { ...told, key_id: file.override?.keyId }
}

/** Likewise. */
function outcomeOf(file: DecisionFile): unknown {
  const { outcome: told } = outcomeMember(file)
  return told === null ? null : { ...told, key_id: file.outcome?.keyId }
}

/** The record as it was written, and the members by which an audit knows it. */
export function recordMember(record: Verification, answer: KeptAnswer): Record<string, unknown> {
  return {
    ...summaryMembers(record),
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

/** The parts that have a hash of their own: each member of the record, and each other member whole. */
function seal(record: readonly Member[], others: readonly Member[]): Integrity {
  const hashes: Record<string, string> = {}
  for (const { name, text } of others) hashes[`/${escaped(name)}`] = sha256(text)
  for (const { name, text } of record) hashes[`/record/${escaped(name)}`] = sha256(text)
  const whole = { name: 'record', text: joined(record) }
  return {
    algorithm: hashAlgorithm,
    canonicalisation,
    record_hash: sha256(whole.text),
    bundle_hash: sha256(joined([...others.filter(({ name }) => name !== 'exported_at'), whole])),
    member_hashes: hashes,
  }
}

/** A member of an object, with the canonical text of its value. */
interface Member {
  readonly name: string
  readonly text: string
}

function canonicalMembers(value: Readonly<Record<string, unknown>>): Member[] {
  const members: Member[] = []
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) members.push({ name, text: canonicalize(inner) ?? 'null' })
  }
  return members
}

const textOf = ({ name, text }: Member): string => `${JSON.stringify(name)}:${text}`

/** The canonical text of the object that has these members: RFC 8785 orders them by their code units, as sorting does. */
function joined(members: readonly Member[]): string {
  const sorted = members.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  return `{${sorted.map(textOf).join(',')}}`
}

export function hashOf(value: unknown): string {
  return sha256(canonicalize(value) ?? '')
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
