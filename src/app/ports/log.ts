/** Port of the log's store. Hashes are SHA-256 in base64. */

export interface LogEntry {
  /** The id of a request or an override. */
  readonly subjectId: string
  readonly leafHash: string
}

/**
 * Compute leaf hashes. The store calls them where it writes, which for SQLite is the writer thread. Null without a log,
 * which only a benchmark does.
 */
export interface LeafHashes<Record, Override> {
  readonly record: (record: Record) => string | null
  readonly override: (override: Override) => string | null
}

/** The unsealed entries of one transaction. */
export interface WaitingEntries {
  readonly number: number
  readonly entries: readonly LogEntry[]
}

export interface Waiting {
  readonly found: readonly WaitingEntries[]
  /** Whether nothing else was waiting. */
  readonly isComplete: boolean
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

/** An extension of the log, written atomically. */
export interface LogGrowth {
  /** The number of leaves before it. */
  readonly from: number
  readonly leaves: readonly LogEntry[]
  /** Subtrees that these leaves complete, at the stored levels. */
  readonly nodes: readonly LogNode[]
  /** The signed checkpoint of the extended log. */
  readonly note: string
  /** The numbers of the waiting entries that it includes. */
  readonly sealedRows: readonly number[]
  /** The progress through subjects recorded before the log existed. */
  readonly backlog: BacklogProgress | null
}

interface BacklogProgress {
  readonly kind: LogSubject
  readonly upTo: string
}

/** Subjects recorded before the log existed, oldest first. */
export type Backlog<Record, Override> =
  | { readonly kind: 'record'; readonly subjects: readonly Record[]; readonly upTo: string }
  | { readonly kind: 'override'; readonly subjects: readonly Override[]; readonly upTo: string }

export interface LogHead {
  readonly size: number
  /** The name of the log; null before its first key. */
  readonly origin: string | null
  /** The newest checkpoint. */
  readonly note: string | null
  /** Unsealed subjects recorded before the log existed. */
  readonly backlog: readonly RemainingBacklog[]
}

export interface RemainingBacklog {
  readonly kind: LogSubject
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

export type LogSubject = 'record' | 'override'

export interface LeafAndSubject<Record, Override> extends LogLeaf {
  readonly record: Record | null
  readonly override: Override | null
}

/** Counts of the stored log, from one snapshot. */
export interface LogExtent {
  readonly heads: number
  /** The size in the head. */
  readonly size: number
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

export interface LogStore<Record, Override> {
  head(): Promise<LogHead>
  /** Oldest first; about `entriesMax` entries. */
  waiting(entriesMax: number): Promise<Waiting>
  /** Null when it is done. */
  backlog(countMax: number): Promise<Backlog<Record, Override> | null>
  /** False, without a change, if another instance was first. */
  append(growth: LogGrowth): Promise<boolean>
  /** The hashes that exist in each range. Level 0 is the leaves. */
  hashes(ranges: readonly LogRange[]): Promise<string[][]>
  extent(): Promise<LogExtent>
  find(subjectIds: readonly string[]): Promise<(LogLeaf | null)[]>
  /** Leaves from this index on, in order, each with its subject as currently stored. */
  leaves(from: number, countMax: number): Promise<LeafAndSubject<Record, Override>[]>
  countSubjects(kind: LogSubject): Promise<number>
  /** Ids of recorded subjects, in order. */
  subjects(kind: LogSubject, afterId: string, countMax: number): Promise<string[]>
  /** Signed checkpoints of more than `afterSize` leaves, in order, with the size each is stored under. */
  checkpoints(afterSize: number, countMax: number): Promise<StoredNote[]>
  /** Oldest first. */
  keys(): Promise<LogKey[]>
  /** Adds the key if it is new. The first key sets the log's origin, also when several are added concurrently. */
  addKey(key: LogKey, origin: string): Promise<void>
}
