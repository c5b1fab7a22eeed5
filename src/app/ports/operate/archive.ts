/** Ports of archives: the records to be written in leaf order, and the folder that holds the files. */

import type { Month } from '../../../core/time/month.ts'
import type { LogLeaf } from '../log.ts'
import type { Override, ReportedOutcome, Verification } from '../records.ts'

/** Leaves from `from` (inclusive) to `to` (exclusive). */
export interface LeafRange {
  readonly from: number
  readonly to: number
}

/** An override or outcome with its leaf; null for an outcome that was reported before outcomes were in the log. */
export interface Sealed<Value> {
  readonly value: Value
  readonly leaf: LogLeaf | null
}

/** A decision as the log had it at one size. */
export interface SealedDecision {
  readonly record: Verification
  readonly override: Sealed<Override> | null
  /** The latest report. */
  readonly outcome: Sealed<ReportedOutcome> | null
}

export interface DecisionQuery {
  readonly requestIds: readonly string[]
  /** Overrides and outcomes beyond this size of the log are left out, so that a later read finds the same. */
  readonly treeSize: number
  /** Months whose records are in their detached table. */
  readonly detached: ReadonlySet<Month>
}

export interface ArchiveStore {
  /** The smallest range with all sealed decisions of these times, in whole blocks of leaves; null if there are none. */
  range(times: {
    readonly fromMs: number
    readonly toMs: number
    readonly treeSize: number
  }): Promise<LeafRange | null>
  /** Leaves from this index on, in order. */
  leaves(from: number, countMax: number): Promise<LogLeaf[]>
  /** In the order of the ids; null for a record that is not there. */
  decisions(query: DecisionQuery): Promise<(SealedDecision | null)[]>
}

/** A file that is being written. */
export interface PartFile {
  /** The bytes must not change before it is done. Shared memory is not copied. */
  append(bytes: Uint8Array): Promise<void>
  /** Waits for the disk, closes the file, and returns its SHA-256 in hexadecimal digits. */
  finish(): Promise<string>
  /** Closes and removes the file. */
  discard(): Promise<void>
}

/** A folder with the files of one archive. */
export interface ArchiveFolder {
  readonly path: string
  /** Of all files, temporary ones too. */
  names(): Promise<string[]>
  /** Null if there is no such file. */
  readText(name: string): Promise<string | null>
  pieces(name: string): AsyncIterable<Uint8Array>
  /** Reads so many bytes from an offset, or fewer at the end. */
  bytesAt(name: string, offset: number, count: number): Promise<Uint8Array>
  /** Empties the file if it is there. */
  create(name: string): Promise<PartFile>
  /** Durable. Fails if the new name is taken, unless it replaces that file. */
  rename(from: string, to: string, options?: { readonly replaces: true }): Promise<void>
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** Writes a CSV file of the folder as Parquet, under another name, and waits for the disk. */
export type ToParquet = (
  folder: ArchiveFolder,
  files: { readonly csv: string; readonly parquet: string },
  columns: Readonly<Record<string, string>>,
) => Promise<void>
