/** The evidence bundle of one decision: all that is kept of it, what follows from that, and the hashes that bind them. */

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sourceOf, type Dossier } from '../dossier.ts'
import { explain, timeline } from '../explain.ts'
import type { Verification } from '../ports.ts'
import { auditMembers, overrideMember, readAnswer, summaryMembers } from '../record-wire.ts'

export const exportVersion = 1
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
  readonly explanation: unknown
  readonly timeline: unknown
}

export interface Integrity {
  readonly algorithm: string
  readonly canonicalisation: string
  /** Of `record`, which never changes: every export of one decision has the same. */
  readonly record_hash: string
  /** Of the parts, by their JSON pointers, so that a change can be found. */
  readonly member_hashes: Readonly<Record<string, string>>
}

export interface Bundle extends Evidence {
  readonly integrity: Integrity
}

export function bundleOf(dossier: Dossier, exportedAtMs: number): Bundle {
  const source = sourceOf(dossier)
  const evidence: Evidence = {
    export_version: exportVersion,
    exported_at: new Date(exportedAtMs).toISOString(),
    record: recordMember(dossier.record),
    source_record: source === null ? null : recordMember(source),
    ...overrideMember(dossier),
    explanation: explain(dossier),
    timeline: timeline(dossier),
  }
  return { ...evidence, integrity: integrityOf(evidence) }
}

/** The record as it was written, and the members by which an audit knows it. */
export function recordMember(record: Verification): Record<string, unknown> {
  const answer = readAnswer(record)
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
  return {
    algorithm: hashAlgorithm,
    canonicalisation,
    record_hash: hashOf(evidence.record),
    member_hashes: Object.fromEntries(partsOf(evidence).map(([path, value]) => [path, hashOf(value)])),
  }
}

/** The parts that have a hash of their own: each member of the record, and each other member whole. */
export function partsOf(evidence: object): [path: string, value: unknown][] {
  return Object.entries(evidence).flatMap(([name, value]): [string, unknown][] => {
    if (name !== 'record' || typeof value !== 'object' || value === null)
      return [[`/${escaped(name)}`, value]]
    return Object.entries(value).map(([member, inner]) => [`/record/${escaped(member)}`, inner])
  })
}

export function hashOf(value: unknown): string {
  return hash('sha256', canonicalize(value) ?? '', 'hex')
}

/** A name as a token of a JSON pointer. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
