/** What the store needs of an engine: all that differs between SQLite and PostgreSQL is behind it. */

import { StoreUnavailable } from '../../../app/ports/store.ts'
import type { Change } from './named-changes.ts'
import type { Script } from './script.ts'

export interface Driver {
  /** Whether other instances may be at work on the same database. */
  readonly isShared: boolean
  /** Statements whose one row has `ok` 1 where it is so: a commit waits for the disk; no guard of what is write-once is missing. */
  readonly checks: Readonly<Record<'durable' | 'guarded', string>>
  /** How many batches may be under way at once. */
  readonly inFlightMax: number
  /** Statements on their own: each sees what is committed. */
  read<Result>(script: () => Script<Result>): Promise<Result>
  /** One transaction, durable when it resolves. */
  readonly change: Change
  close(): Promise<void>
}

/** Nothing happened: another was first with an idempotency key. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken'
}

/** The disk did not confirm a write: what it holds is not known any more, and asking it again would not tell. */
export class SyncFailed extends StoreUnavailable {
  override readonly name = 'SyncFailed'
}
