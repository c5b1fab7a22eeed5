/** Port of erasure: finds personal texts, erases them with the act that says so, and cleans the files that held them. */

import type { EventId } from '../../../core/events/event.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Act } from '../records.ts'

export const textKinds = ['correlation_id', 'justification', 'review_text'] as const
export type TextKind = (typeof textKinds)[number]

/** The payments with a correlation id. */
export interface CorrelatedPayments {
  /** Those whose correlation id is kept apart. */
  readonly apart: readonly RequestId[]
  /** Those of form 1, whose sealed record holds it. */
  readonly sealed: readonly RequestId[]
}

/** A record, an override or a change of a review. */
export interface TextSubject {
  readonly subjectId: string
  readonly ownerId: string
  readonly kind: TextKind
  /** `sealed`: the text is in the sealed entry itself. `none`: there is no text, or it was erased. */
  readonly text: 'kept' | 'sealed' | 'none'
}

/** An idempotency key of a payment whose correlation id is kept. */
export interface KeyOfText {
  readonly ownerId: string
  readonly key: string
  readonly requestId: RequestId
  /** Whether the key contains the correlation id. */
  readonly holdsText: boolean
}

export interface KeyPage {
  readonly keys: readonly KeyOfText[]
  /** The place after which the next page starts; null after the last one. */
  readonly next: KeyPlace | null
}

export interface KeyPlace {
  readonly ownerId: string
  readonly key: string
}

/** A stretch of ids of one kind of subject, by their time. */
export interface TextRange {
  readonly kind: TextKind
  readonly fromMs: number
  readonly toMs: number
}

export interface OldText extends TextSubject {
  /** Whether it belongs to a review that is not closed. */
  readonly isInUse: boolean
}

export interface TextCount {
  readonly texts: number
  /** Those of reviews that are not closed. */
  readonly inUse: number
}

export interface EraseCommand {
  /** Exactly these have a text. */
  readonly subjectIds: readonly string[]
  /** The receivers' answers to these events may repeat a text, so they are not kept. */
  readonly events: readonly { readonly ownerId: string; readonly eventId: EventId }[]
  /** Kept batch reports to delete. */
  readonly reportIds: readonly string[]
  readonly act: Act
}

export interface OldReport {
  readonly reportId: string
  readonly keptAtMs: number
}

export interface ErasureStore {
  findPayments(ownerId: string, correlationId: string): Promise<CorrelatedPayments>
  /** Everything of these payments that has or had a personal text, and every entry that makes an event. */
  subjectsOf(requestIds: readonly RequestId[]): Promise<TextSubject[]>
  /** Idempotency keys in the order of their places. */
  keys(after: KeyPlace, limit: number): Promise<KeyPage>
  /** Replaces fingerprints by nothing, which no request matches; deletes keys that hold a text. */
  forgetKeys(keys: readonly KeyOfText[]): Promise<void>
  /** False, and nothing is changed, if another command has erased one of the texts meanwhile. */
  erase(command: EraseCommand): Promise<boolean>
  /** Texts of a range, by id, after this one. */
  oldTexts(range: TextRange, afterId: string, limit: number): Promise<OldText[]>
  countTexts(range: TextRange): Promise<TextCount>
  /** The time of the oldest text of a kind; null without any. */
  oldestText(kind: TextKind): Promise<number | null>
  /** Texts before this time that are in sealed entries of form 1. */
  countSealed(toMs: number): Promise<number>
  /** Kept batch reports of all owners from before this time, oldest first. */
  oldReports(toMs: number): Promise<OldReport[]>
  /** Whether erased texts may still be in free pages of the database. */
  needsCleaning(): Promise<boolean>
  /** Removes what erased texts left in free pages, as far as the engine can. Fails if somebody may still read them. */
  clean(): Promise<void>
  // For the check of the log
  /** Which of these subjects are listed as erased. */
  erasedAmong(subjectIds: readonly string[]): Promise<ReadonlySet<string>>
  /** The subjects that an act erased, in order. */
  erasedBy(actId: string): Promise<string[]>
  /** Listed without an act of erasure, or with a text all the same. */
  inconsistent(limit: number): Promise<readonly { readonly subjectId: string; readonly hasText: boolean }[]>
}
