/** Port of a store that partitions records by month. */

import type { Month } from '../../../core/time/month.ts'
import type { Act } from '../records.ts'

/**
 * `detaching`: started and interrupted. `moved`: recorded as detached, and its table is not in this database. `dropped`:
 * the same, and an act says which archive holds its records.
 */
export type MonthState = 'attached' | 'detaching' | 'detached' | 'moved' | 'dropped'

/** A detached month, as it was when it was detached. */
export interface DetachedMonth {
  readonly records: number
  /** SHA-256 over all rows in id order. */
  readonly fingerprint: string
  readonly detachedAtMs: number
  readonly detachedBy: string
}

export interface StoredMonth {
  readonly month: Month
  readonly state: MonthState
  /** Null if its table is not in this database. */
  readonly table: string | null
  /** Exact for a detached month; otherwise the database's estimate, or null without one. */
  readonly records: number | null
  /** Including indexes; null if its table is not in this database. */
  readonly bytes: number | null
  readonly away: DetachedMonth | null
}

/** Work in progress that needs the records of a month. */
/** Needs depend on the time, and on how long a cooldown lasts. */
export interface MonthMoment {
  readonly nowMs: number
  readonly cooldownMs: number
}

export interface MonthNeeds {
  readonly pendingDeliveries: number
  readonly openCooldowns: number
  readonly waitingReviews: number
  /** The database's clock, as a check on the clock of the command. */
  readonly databaseNowMs: number
}

export interface MoveCommand {
  readonly month: Month
  readonly by: string
  readonly nowMs: number
}

export type Detached =
  | { readonly kind: 'detached'; readonly table: string; readonly away: DetachedMonth }
  /** There is no such month. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'away'; readonly away: DetachedMonth }
  /** Another such command is running. */
  | { readonly kind: 'busy' }

export type Attached =
  | { readonly kind: 'attached'; readonly table: string; readonly records: number }
  /** It is not recorded as detached. */
  | { readonly kind: 'present' }
  /** Detaching was interrupted: complete it first. */
  | { readonly kind: 'unfinished' }
  /** No table of that name is in the database. */
  | { readonly kind: 'missing'; readonly table: string }
  /** It differs from what was detached; one line per difference. */
  | { readonly kind: 'changed'; readonly table: string; readonly findings: readonly string[] }
  | { readonly kind: 'busy' }

export interface DropCommand {
  readonly month: Month
  /** Recorded with the drop: it names the archive. */
  readonly act: Act
}

export type Dropped =
  { readonly kind: 'dropped'; readonly table: string } | Exclude<Attached, { readonly kind: 'attached' }>

export interface PartitionStore {
  /** Oldest first. */
  list(): Promise<StoredMonth[]>
  /** Cooldowns set after `cooldownsSinceMs` count as open. */
  needs(month: Month, moment: MonthMoment): Promise<MonthNeeds>
  /** Also completes an interrupted detach. */
  detach(command: MoveCommand): Promise<Detached>
  attach(command: MoveCommand): Promise<Attached>
  /** Drops the table of a detached month, if it is still as it was detached. */
  drop(command: DropCommand): Promise<Dropped>
}
