/** The manifest of an archive: its files with their hashes, the proof of its leaves, and the signature over it all. */

import { hash } from 'node:crypto'
import type { Verdict } from '../../core/decision/score.ts'
import { isObject } from '../../core/reference/json.ts'
import { parseIsoTime } from '../../core/time/iso-time.ts'
import { hashOf } from '../audit/bundle.ts'
import { faultOver, signatureOver, type ExportSignature } from '../audit/signature.ts'
import type { Verifier } from '../log/checkpoint.ts'
import type { Signing } from '../log/installation-key.ts'
import type { Hash } from '../log/merkle.ts'
import type { CheckpointMember } from '../log/proof.ts'
import { isHash } from '../ports/log.ts'
import { unlessTooDeep } from './line.ts'

export const manifestName = 'manifest.json'
/** Exists while an archive is being written. */
export const progressName = 'progress.json'

const archiveVersion = 1

const archiveFormats = ['jsonl', 'csv', 'parquet'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

export type Decisions = Readonly<Record<Verdict, number>>

/** The records that an archive is made of. */
export interface ArchiveScope {
  readonly archive_version: number
  readonly format: ArchiveFormat
  /** Recording time, inclusive. */
  readonly from: string
  /** Recording time, exclusive. */
  readonly to: string
  /** Null for the records of all owners. */
  readonly owner_id: string | null
  /** Names of the members that are masked, as the settings ask. */
  readonly masked: readonly string[]
}

export interface ArchivePart {
  readonly file: string
  readonly records: number
  readonly decisions: Decisions
  readonly bytes: number
  readonly sha256: string
  /** The leaves that the part is about: those of its records, and those between them. */
  readonly first_leaf: number
  /** Exclusive. */
  readonly end_leaf: number
  /** Their hashes, 32 bytes each. */
  readonly leaves_file: string
  readonly leaves_sha256: string
}

/** An archive that is being written, after its last whole part. */
export interface Progress extends ArchiveScope {
  readonly checkpoint: CheckpointMember
  readonly first_leaf: number
  readonly end_leaf: number
  readonly parts: readonly ArchivePart[]
}

interface UnsignedManifest extends Progress {
  readonly records: number
  readonly decisions: Decisions
  /** Roots of the full subtrees before the first leaf and after the last one, from left to right. */
  readonly subtrees_before: readonly Hash[]
  readonly subtrees_after: readonly Hash[]
  readonly written_at: string
}

export interface Manifest extends UnsignedManifest {
  readonly signature: ExportSignature
}

interface ScopeRequest {
  readonly format: ArchiveFormat
  readonly fromMs: number
  readonly toMs: number
  readonly ownerId: string | null
}

export const scopeOf = (
  { format, fromMs, toMs, ownerId }: ScopeRequest,
  masked: readonly string[],
): ArchiveScope => ({
  archive_version: archiveVersion,
  format,
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  owner_id: ownerId,
  masked,
})

export function scopeText({ format, from, to, owner_id: ownerId, masked }: ArchiveScope): string {
  const owner = ownerId === null ? 'all owners' : `owner ${ownerId}`
  return `${format} from ${from} to ${to} of ${owner}${masked.length === 0 ? '' : ` with ${masked.join(', ')} masked`}`
}

export const noDecisions: Decisions = { GO: 0, DEGRADED: 0, 'NO-GO': 0 }

export function sumOf(parts: readonly Pick<ArchivePart, 'records' | 'decisions'>[]) {
  const sum = (countOf: (part: Pick<ArchivePart, 'records' | 'decisions'>) => number): number =>
    parts.reduce((total, part) => total + countOf(part), 0)
  return {
    records: sum(({ records }) => records),
    decisions: {
      GO: sum(({ decisions }) => decisions.GO),
      DEGRADED: sum(({ decisions }) => decisions.DEGRADED),
      'NO-GO': sum(({ decisions }) => decisions['NO-GO']),
    },
  }
}

/** Canonical JSON, so that neither the order nor the layout of the file matters. */
const signedTextOf = (manifest: UnsignedManifest): string => `fairway/archive/1\n${hashOf(manifest)}\n`

export function manifestText(manifest: UnsignedManifest, signing: Signing): string {
  const signature = signatureOver(signedTextOf(manifest), signing)
  return `${JSON.stringify({ ...manifest, signature }, null, 2)}\n`
}

/** Null if the manifest is signed by the trusted key or, without one, by the key that it names. */
export function manifestFault(manifest: Manifest, trusted: Verifier | null): string | null {
  const { signature, ...signed } = manifest
  return faultOver(signature, signedTextOf(signed), trusted)
}

const progressTextOf = (progress: Progress): string => `fairway/archive-progress/1\n${hashOf(progress)}\n`

/** Signed, so that an export goes on with nothing that somebody else added. */
export const progressText = (progress: Progress, signing: Signing): string =>
  JSON.stringify({ ...progress, signature: signatureOver(progressTextOf(progress), signing) })

/** Null if this installation signed the progress. */
export function progressFault(progress: Progress, signature: unknown, signing: Signing): string | null {
  const text = unlessTooDeep(() => progressTextOf(progress))
  return text === null ? 'is over too deep a value' : faultOver(signature, text, verifierOf(signing))
}

const verifierOf = ({ origin, signer }: Signing): Verifier => ({ origin, publicKey: signer.publicKey })

/** Whether this installation wrote the manifest of exactly these parts. */
export function isOwnManifest(text: string, { parts }: Progress, signing: Signing): boolean {
  try {
    const manifest = readManifest(text)
    return (
      hashOf({ parts: manifest.parts }) === hashOf({ parts }) &&
      manifestFault(manifest, verifierOf(signing)) === null
    )
  } catch (error) {
    if (error instanceof InvalidArchive || error instanceof RangeError) return false
    throw error
  }
}

/** SHA-256 of the file, as `sha256sum manifest.json` prints it. */
export const receiptOf = (text: string): string => hash('sha256', text, 'hex')

/** The folder holds no archive that can be read. */
export class InvalidArchive extends Error {
  override readonly name = 'InvalidArchive'
}

export function readManifest(text: string): Manifest {
  const value = parsed(text, manifestName)
  const isManifest =
    isProgress(value) &&
    isCount(value['records']) &&
    areDecisions(value['decisions']) &&
    areHashes(value['subtrees_before']) &&
    areHashes(value['subtrees_after']) &&
    isTime(value['written_at']) &&
    isObject(value['signature']) &&
    typeof value['signature']['verifier_key'] === 'string'
  if (!isManifest) throw new InvalidArchive(`${manifestName} is not the manifest of an archive`)
  return value as unknown as Manifest
}

/** With its signature, which is not checked. */
export function readProgress(text: string): { readonly progress: Progress; readonly signature: unknown } {
  const { signature, ...value } = parsed(text, progressName)
  if (!isProgress(value)) throw new InvalidArchive(`${progressName} is not that of an export`)
  return { progress: value as unknown as Progress, signature }
}

function parsed(text: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidArchive(`${name} is not valid JSON`)
  }
  if (!isObject(value)) throw new InvalidArchive(`${name} is not a JSON object`)
  const { archive_version: version } = value
  if (version !== archiveVersion)
    throw new InvalidArchive(
      `${name} has archive version ${JSON.stringify(version)}; this release reads version ${archiveVersion}`,
    )
  return value
}

type Members = Readonly<Record<string, unknown>>

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isTime = (value: unknown): boolean => typeof value === 'string' && parseIsoTime(value) !== null
const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const areHashes = (value: unknown): boolean => Array.isArray(value) && value.every(isHash)
/** A plain name: a manifest must not lead out of its folder. */
const isFileName = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-z]+-\d{6}\.[a-z]+$/.test(value)

const isRange = ({ first_leaf: first, end_leaf: end }: Members): boolean =>
  isCount(first) && isCount(end) && first <= end

const areDecisions = (value: unknown): boolean =>
  isObject(value) && ['GO', 'DEGRADED', 'NO-GO'].every((name) => isCount(value[name]))

function isProgress(value: Members): boolean {
  const { format, from, to, owner_id: ownerId, masked, checkpoint, parts } = value
  return (
    (archiveFormats as readonly unknown[]).includes(format) &&
    isTime(from) &&
    isTime(to) &&
    (ownerId === null || typeof ownerId === 'string') &&
    Array.isArray(masked) &&
    masked.every((name) => typeof name === 'string') &&
    isRange(value) &&
    isObject(checkpoint) &&
    isCount(checkpoint['tree_size']) &&
    typeof checkpoint['note'] === 'string' &&
    Array.isArray(parts) &&
    parts.every(isPart)
  )
}

function isPart(value: unknown): boolean {
  return (
    isObject(value) &&
    isFileName(value['file']) &&
    isFileName(value['leaves_file']) &&
    isCount(value['records']) &&
    isCount(value['bytes']) &&
    areDecisions(value['decisions']) &&
    isDigest(value['sha256']) &&
    isDigest(value['leaves_sha256']) &&
    isRange(value)
  )
}
