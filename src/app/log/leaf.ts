/** Builds the leaf text of a record or override, and its hash. */

import type { LeafHashes, LogEntry } from '../ports/log.ts'
import type { Override, Verification } from '../ports/records.ts'
import { isHash, leafHash, type Hash } from './merkle.ts'

/** Version of the leaf form. A changed form gets a new name. */
export const recordForm = 'fairway/record/1'
export const overrideForm = 'fairway/override/1'

/** The members of a type with unchecked values, so that claimed members of an export fit, too. */
type Unchecked<Subject> = Readonly<Record<keyof Subject, unknown>>

/** The members of a record except answer and evidence, in the order of the form. */
export function recordMembers(record: Unchecked<Omit<Verification, 'answer' | 'evidence'>>): unknown[] {
  return [
    record.requestId,
    record.ownerId,
    record.keyId,
    record.mode,
    record.corridor,
    record.verdict,
    record.scoreHundredths,
    record.confidenceHundredths,
    record.amount,
    record.currency,
    record.correlationId,
    record.evaluatedAtMs,
    record.recordedAtMs,
    record.cooldownSourceId,
  ]
}

export function overrideMembers(override: Unchecked<Override>): unknown[] {
  return [
    override.overrideId,
    override.requestId,
    override.ownerId,
    override.keyId,
    override.action,
    override.reasonCode,
    override.justification,
    override.originalVerdict,
    override.createdAtMs,
  ]
}

/** Three lines: the members as a JSON array, the stored answer, the stored evidence. Stored JSON has no line breaks. */
function recordLines(record: Verification): string[] {
  const members = JSON.stringify([recordForm, ...recordMembers(record)])
  return [members, '\n', record.answer, '\n', record.evidence]
}

export const recordLeaf = (record: Verification): string => recordLines(record).join('')

export function overrideLeaf(override: Override): string {
  return JSON.stringify([overrideForm, ...overrideMembers(override)])
}

export const recordHash = (record: Verification): Hash => leafHash(...recordLines(record))
export const overrideHash = (override: Override): Hash => leafHash(overrideLeaf(override))

/** Whether the entry can be a leaf. The store never writes an invalid one; it would corrupt the rest of the tree. */
export const isEntry = ({ subjectId, leafHash: hash }: LogEntry): boolean => subjectId !== '' && isHash(hash)

/** The hashes that the store computes for each record and override it writes. */
export const leafHashes: LeafHashes<Verification, Override> = { record: recordHash, override: overrideHash }
