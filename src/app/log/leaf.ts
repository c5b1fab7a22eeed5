/** The text of what is sealed: all that is kept of a record or an override, in one form, of which the leaf's hash is taken. */

import type { LeafHashes, LogEntry } from '../ports/log.ts'
import type { Override, Verification } from '../ports/records.ts'
import { isHash, leafHash, type Hash } from './merkle.ts'

/** Names the form; another form gets another name. */
export const recordForm = 'fairway/record/1'
export const overrideForm = 'fairway/override/1'

/** Whatever stands in the members: also what somebody else says that they are. */
type Short<Whole> = Readonly<Record<keyof Whole, unknown>>

/** What is short of a record, in the order of the form. */
export function recordMembers(record: Short<Omit<Verification, 'answer' | 'evidence'>>): unknown[] {
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

export function overrideMembers(override: Short<Override>): unknown[] {
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

/** Three lines: the short members as a JSON list, the answer and the evidence as they are kept. JSON has no line breaks in it. */
function recordLines(record: Verification): string[] {
  const short = JSON.stringify([recordForm, ...recordMembers(record)])
  return [short, '\n', record.answer, '\n', record.evidence]
}

export const recordLeaf = (record: Verification): string => recordLines(record).join('')

export function overrideLeaf(override: Override): string {
  return JSON.stringify([overrideForm, ...overrideMembers(override)])
}

export const recordHash = (record: Verification): Hash => leafHash(...recordLines(record))
export const overrideHash = (override: Override): Hash => leafHash(overrideLeaf(override))

/** Whether it can be a leaf. What cannot was not written by a store, and in the tree it would spoil all that comes after it. */
export const isEntry = ({ subjectId, leafHash: hash }: LogEntry): boolean => subjectId !== '' && isHash(hash)

/** For the store, which hands over to the log what it writes. */
export const leafHashes: LeafHashes<Verification, Override> = { record: recordHash, override: overrideHash }
