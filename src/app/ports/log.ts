/** What the log of all that was recorded needs of the store. Hashes are SHA-256 in base64. */

/** What goes into the log: whose leaf it is, and the hash of its text. */
export interface LogEntry {
  /** A request id, or that of an override. */
  readonly subjectId: string
  readonly leafHash: string
}

/**
 * The hash by which something is sealed. The store takes it where it writes, which on an embedded database is a thread that serves
 * nobody. Null where there is no log, which is so in the bench alone.
 */
export interface LeafHashes<Record, Override> {
  readonly record: (record: Record) => string | null
  readonly override: (override: Override) => string | null
}

/** What one transaction has recorded, and nobody has sealed yet. */
export interface WaitingEntries {
  readonly number: number
  readonly entries: readonly LogEntry[]
}

export interface Waiting {
  readonly found: readonly WaitingEntries[]
  /** Nothing else waited at that moment. */
  readonly isAll: boolean
}

/** The root of a full subtree: of 2^`level` leaves, the `index`th of its size. */
interface LogNode {
  readonly level: number
  readonly index: number
  readonly hash: string
}

/** Hashes of one level, side by side. */
export interface LogRange {
  readonly level: number
  readonly from: number
  /** Not itself in it. */
  readonly to: number
}

/** How the log grows: all of it or nothing. */
export interface LogGrowth {
  /** How many leaves there were. */
  readonly from: number
  readonly leaves: readonly LogEntry[]
  /** Subtrees that these leaves have made full, of the levels that are kept. */
  readonly nodes: readonly LogNode[]
  /** The signed checkpoint of what there is then. */
  readonly note: string
  /** The numbers of what waited and is in it. */
  readonly taken: readonly number[]
  /** How far it went through what was recorded before there was a log. */
  readonly backlog: BacklogDone | null
}

interface BacklogDone {
  readonly kind: LogSubject
  readonly upTo: string
}

/** What was recorded before there was a log, oldest first. */
export type Backlog<Record, Override> =
  | { readonly kind: 'record'; readonly subjects: readonly Record[]; readonly upTo: string }
  | { readonly kind: 'override'; readonly subjects: readonly Override[]; readonly upTo: string }

export interface LogHead {
  readonly size: number
  /** The name of the log; null before its first key. */
  readonly origin: string | null
  /** The newest checkpoint. */
  readonly note: string | null
  /** What was recorded before there was a log, and is not sealed yet. */
  readonly backlog: readonly BacklogLeft[]
}

export interface BacklogLeft {
  readonly kind: LogSubject
  readonly after: string
  readonly until: string
}

/** A key by which checkpoints are signed. */
export interface LogKey {
  readonly publicKey: string
  /** Null where it comes from the settings, and is not kept. */
  readonly seed: string | null
  readonly createdAtMs: number
}

/** A leaf where it is. */
export interface LogLeaf extends LogEntry {
  readonly index: number
}

export type LogSubject = 'record' | 'override'

export interface LeafAndSubject<Record, Override> extends LogLeaf {
  readonly record: Record | null
  readonly override: Override | null
}

/** How much there is of everything, all at one moment. */
export interface LogExtent {
  readonly heads: number
  /** As the head says. */
  readonly size: number
  /** As many as are kept, whatever they are called. */
  readonly leaves: number
  readonly nodes: number
  /** Where the last leaves begin; null where there are none. */
  readonly lastLeaves: number | null
  readonly newestCheckpoint: number | null
}

export interface KeptNote {
  readonly size: number
  readonly note: string
}

export interface LogStore<Record, Override> {
  head(): Promise<LogHead>
  /** Oldest first: about so many entries. */
  waiting(entriesMax: number): Promise<Waiting>
  /** Null where nothing is left of it. */
  backlog(countMax: number): Promise<Backlog<Record, Override> | null>
  /** False where another was first: nothing has changed then. */
  append(growth: LogGrowth): Promise<boolean>
  /** Level 0 are the leaves. As far as they are there. */
  hashes(ranges: readonly LogRange[]): Promise<string[][]>
  extent(): Promise<LogExtent>
  find(subjectIds: readonly string[]): Promise<(LogLeaf | null)[]>
  /** From this leaf on, in order, each with what it is of as it is kept now. */
  leaves(from: number, countMax: number): Promise<LeafAndSubject<Record, Override>[]>
  countSubjects(kind: LogSubject): Promise<number>
  /** Ids of what is recorded, in order. */
  subjects(kind: LogSubject, afterId: string, countMax: number): Promise<string[]>
  /** Signed notes for more than so many leaves, in order, with the size under which each is kept. */
  checkpoints(afterSize: number, countMax: number): Promise<KeptNote[]>
  /** Oldest first. */
  keys(): Promise<LogKey[]>
  /** Adds it unless it is known; the first names the log, whoever comes at once. */
  addKey(key: LogKey, origin: string): Promise<void>
}
