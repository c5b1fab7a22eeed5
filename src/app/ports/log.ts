/** Port of the log's store. Hashes are SHA-256 in base64. */

import type { Act, Override, ReportedOutcome, Verification } from './records.ts'
import type { ReviewChange } from './reviews.ts'

/** Accepts only canonical base64 of 32 bytes. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)
}

export interface LogEntry {
  /** The id of a decision, an override, an outcome, an act or a change of a review. */
  readonly subjectId: string
  readonly leafHash: string
}

/** Whether the entry can be a leaf. An invalid one would corrupt the rest of the tree; the store never writes one. */
export const isEntry = ({ subjectId, leafHash }: LogEntry): boolean => subjectId !== '' && isHash(leafHash)

/**
 * Compute leaf hashes. The store calls them where it writes, which for SQLite is the writer thread.
 */
export interface LeafHashes {
  readonly record: (record: Verification) => string
  readonly override: (override: Override) => string
  readonly outcome: (outcome: ReportedOutcome) => string
  readonly act: (act: Act) => string
  readonly review: (change: ReviewChange) => string
}

/** The entries of one transaction that have no number yet. */
export interface QueuedRow {
  readonly number: number
  readonly entries: readonly LogEntry[]
}

/** The root of a full subtree: the `index`th one with 2^`level` leaves. */
interface LogNode {
  readonly level: number
  readonly index: number
  readonly hash: string
}

/** Adjacent hashes of one level. */
export interface LogRange {
  readonly level: number
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** An extension of the log over numbered leaves, written atomically. */
export interface LogGrowth {
  /** The number of leaves before it. */
  readonly from: number
  /** And after it. */
  readonly size: number
  /** Subtrees that these leaves complete, at the stored levels. */
  readonly nodes: readonly LogNode[]
  /** The signed checkpoint of the extended log. */
  readonly note: string
}

/** The progress through subjects recorded before the log existed. */
interface BacklogProgress {
  readonly kind: 'record' | 'override'
  readonly upTo: string
}

/** Subjects recorded before the log existed, oldest first. */
export type Backlog =
  | { readonly kind: 'record'; readonly subjects: readonly Verification[]; readonly upTo: string }
  | { readonly kind: 'override'; readonly subjects: readonly Override[]; readonly upTo: string }

export interface LogHead {
  /** The number of sealed leaves. */
  readonly size: number
  /** The number of numbered leaves; those from `size` on are not sealed yet. */
  readonly sequenced: number
  /** The name of the log; null before its first key. */
  readonly origin: string | null
  /** The newest checkpoint. */
  readonly note: string | null
  /** Unsealed subjects recorded before the log existed. */
  readonly backlog: readonly RemainingBacklog[]
}

export interface RemainingBacklog {
  readonly kind: 'record' | 'override'
  readonly after: string
  readonly until: string
}

/** A key that signs checkpoints. */
export interface LogKey {
  readonly publicKey: string
  /** Null if it comes from the settings and is not stored. */
  readonly seed: string | null
  readonly createdAtMs: number
}

export interface LogLeaf extends LogEntry {
  readonly index: number
}

export type LogSubject = 'record' | 'override' | 'outcome' | 'act' | 'review'

/** The subject of an entry, as it is stored now. */
export type Subject =
  | { readonly kind: 'record'; readonly value: Verification }
  | { readonly kind: 'override'; readonly value: Override }
  | { readonly kind: 'outcome'; readonly value: ReportedOutcome }
  | { readonly kind: 'act'; readonly value: Act }
  | { readonly kind: 'review'; readonly value: ReviewChange }

export interface LeafAndSubject extends LogLeaf {
  /** Empty if nothing has this id; more than one only after tampering. */
  readonly subjects: readonly Subject[]
}

/** Counts of the stored log, from one snapshot. */
export interface LogExtent {
  readonly heads: number
  /** The sizes in the head. */
  readonly size: number
  readonly sequenced: number
  /** The number of stored leaves. */
  readonly leaves: number
  readonly nodes: number
  /** The index of the first of the last leaves; null without leaves. */
  readonly lastLeaves: number | null
  readonly newestCheckpoint: number | null
}

export interface StoredNote {
  readonly size: number
  readonly note: string
}

/** The file that holds the installation's key. */
export interface KeyFile {
  readonly path: string
  /** Null if there is none. Fails if others can read it. */
  read(): Promise<string | null>
  /** For its owner only. False if there is one already. */
  create(text: string): Promise<boolean>
}

export interface LogStore {
  head(): Promise<LogHead>
  /** All entries that have no number yet. */
  queued(): Promise<QueuedRow[]>
  /** Null when it is done. */
  backlog(countMax: number): Promise<Backlog | null>
  /** Numbers subjects of the backlog. False, without a change, if another instance was first. */
  sequenceBacklog(from: number, entries: readonly LogEntry[], progress: BacklogProgress): Promise<boolean>
  /** False, without a change, if another instance was first. */
  append(growth: LogGrowth): Promise<boolean>
  /** The hashes that exist in each range. Level 0 is the leaves. */
  hashes(ranges: readonly LogRange[]): Promise<string[][]>
  extent(): Promise<LogExtent>
  find(subjectIds: readonly string[]): Promise<(LogLeaf | null)[]>
  /** Leaves from this index on, in order, each with its subject as currently stored. */
  leaves(from: number, countMax: number): Promise<LeafAndSubject[]>
  countSubjects(kind: LogSubject): Promise<number>
  /** Ids of recorded subjects, in order. */
  subjects(kind: LogSubject, afterId: string, countMax: number): Promise<string[]>
  /** Signed checkpoints of more than `afterSize` leaves, in order, with the size each is stored under. */
  checkpoints(afterSize: number, countMax: number): Promise<StoredNote[]>
  /** Oldest first. */
  keys(): Promise<LogKey[]>
  /** Adds the log's first key, which sets its origin. Changes nothing if there is one, also when several are added concurrently. */
  addKey(key: LogKey, origin: string): Promise<void>
  /** Makes the key the newest, with the act that says so. */
  changeKey(key: LogKey, act: Act): Promise<void>
  /** Removes the private part of all keys from the database. */
  forgetSeeds(act: Act): Promise<void>
}
