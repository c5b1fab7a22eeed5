/** The interface of a database engine. It hides the differences between SQLite and PostgreSQL. */

import { StoreRefusal, StoreUnavailable } from '../../../app/ports/store.ts'
import type { Change } from './named-changes.ts'
import type { LongRead } from './reads/long-reads.ts'
import type { Row, Script } from './script.ts'

export interface Driver {
  /** Whether other instances may use the same database. */
  readonly isShared: boolean
  /** Statements whose one row has `ok` 1 if a commit waits for the disk, or if all write-once triggers exist. */
  readonly checks: Readonly<Record<'durable' | 'guarded', string>>
  /** The most batches in flight. */
  readonly inFlightMax: number
  /** Runs statements outside a transaction: each sees the latest commit. */
  read<Result>(script: () => Script<Result>): Promise<Result>
  /** Like `read`, for the reads that may be long. */
  readonly longRead: LongRead
  /** The most long reads at a time, so that decisions find a connection and a processor. */
  readonly longReadsMax: number
  /** Runs one transaction, durable when the promise resolves. */
  readonly change: Change
  /**
   * Removes deleted texts from free pages and from the write-ahead log, as far as the engine can. Fails if a reader of an
   * old state keeps them.
   */
  clean(): Promise<void>
  close(): Promise<void>
}

export type OnRefusal = (refusal: StoreRefusal) => void

/** Reports every refusal, since some callers try again later, or in another way, and show none. */
export function reportRefusals(driver: Driver, onRefusal: OnRefusal): Driver {
  const report = (error: unknown): never => {
    const cause = error instanceof LookFirst ? error.cause : error
    if (cause instanceof StoreRefusal) onRefusal(cause)
    throw error
  }
  return {
    ...driver,
    read: (script) => driver.read(script).catch(report),
    longRead: (name, ...values) => driver.longRead(name, ...values).catch(report),
    change: (name, ...values) => driver.change(name, ...values).catch(report),
    clean: () => driver.clean().catch(report),
  }
}

/** Something is in the way of a commit; nothing was written. */
export class LookFirst extends Error {
  override readonly name: string = 'LookFirst'
  /** The rows of the statements before the one that failed, if their engine tells. */
  readonly groups: readonly (readonly Row[])[]

  constructor(message: string, options: ErrorOptions & { readonly groups?: LookFirst['groups'] } = {}) {
    super(message, options)
    this.groups = options.groups ?? []
  }
}

/** An idempotency key is taken; nothing was written. */
export class DuplicateIdempotencyKey extends LookFirst {
  override readonly name = 'KeyTaken'
}

/** An fsync failed. The state of the disk is unknown, and a retry would not reveal it. */
export class SyncFailed extends StoreUnavailable {
  override readonly name = 'SyncFailed'
}
