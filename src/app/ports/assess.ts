/** Ports of assessments: worker pool, input file and output folder of files; reports that are kept. */

import type { Act, Attributed } from './records.ts'

export interface WorkerPool<Job, Result> {
  /** The number of jobs run in parallel. */
  readonly size: number
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** A file cannot be read or written. The message names the file and the cause. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Output files, which appear complete or not at all. */
export interface OutputFolder {
  readonly path: string
  append(name: string, bytes: Uint8Array): Promise<void>
  /** Moves every file to its final name, and removes the `stale` ones that this run did not write. */
  publish(stale: readonly string[]): Promise<void>
  /** Removes all files; false if publishing has already started. */
  discard(): Promise<boolean>
}

export interface InputFile {
  /** For display. */
  readonly name: string
  /** Null if unknown in advance. */
  readonly sizeBytes: number | null
  /** The same for all paths to one file; null if the input is not a file. */
  readonly id: string | null
  readonly pieces: AsyncIterable<Uint8Array>
}

/** A report of a batch that somebody keeps, as it is listed. */
export interface KeptReport {
  readonly reportId: string
  readonly name: string
  readonly keptAtMs: number
  readonly keptBy: Attributed
  readonly transactions: number
  readonly go: number
  readonly degraded: number
  readonly noGo: number
  /** The Execution Uncertainty Score, 0 to 100. */
  readonly uncertainty: number
}

export interface FoundReport extends KeptReport {
  /** The figures, in JSON. */
  readonly content: string
  /** The self-contained page. */
  readonly page: string
}

export interface NewReport extends FoundReport {
  readonly ownerId: string
}

/** One owner's kept reports. */
export interface OwnerReports {
  /** False if the owner has `countMax` reports. */
  insert(report: NewReport, countMax: number): Promise<boolean>
  /** Newest first. */
  list(): Promise<KeptReport[]>
  find(reportId: string): Promise<FoundReport | null>
  /** False if it is gone already: the act is then not recorded. */
  remove(reportId: string, act: Act): Promise<boolean>
}
