/** What assessing a file needs: worker threads, a file to read, a folder to write. */

/** Work for many hands at once. */
export interface WorkerPool<Job, Result> {
  /** How many jobs are done at the same time. */
  readonly size: number
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** A file cannot be read or written. The message is a sentence that says which, and why. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Files that appear whole, or not at all. */
export interface OutputFolder {
  readonly path: string
  append(name: string, bytes: Uint8Array): Promise<void>
  /** Puts every file under its name, and takes away those of an earlier run that this one did not write. */
  publish(stale: readonly string[]): Promise<void>
  /** Leaves nothing behind; false where it is too late for that, since the files are being put under their names. */
  discard(): Promise<boolean>
}

export interface InputFile {
  /** For people. */
  readonly name: string
  /** Null where it is not known before the end. */
  readonly sizeBytes: number | null
  /** Tells whether two paths lead to this one file; null where it is no file. */
  readonly id: string | null
  readonly pieces: AsyncIterable<Uint8Array>
}
