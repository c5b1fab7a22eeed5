/** Ports of file assessment: worker pool, input file and output folder. */

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
