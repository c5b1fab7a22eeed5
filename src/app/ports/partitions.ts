/** What commands on months need of a store that keeps records by month. */

import type { Month } from '../../core/time/month.ts'

/**
 * `detaching`: begun and interrupted. `moved`: recorded as detached, and its table is not in this database.
 */
export type MonthState = 'attached' | 'detaching' | 'detached' | 'moved'

/** A month that is away, as it was when it went. */
export interface AwayMonth {
  readonly records: number
  /** SHA-256 over all rows in the order of their ids. */
  readonly fingerprint: string
  readonly detachedAtMs: number
  readonly detachedBy: string
}

export interface StoredMonth {
  readonly month: Month
  readonly state: MonthState
  /** Null where its table is not here. */
  readonly table: string | null
  /** Of a month that is away exact; else an estimate of the database, or null where it has none yet. */
  readonly records: number | null
  /** With its indexes; null where its table is not here. */
  readonly bytes: number | null
  readonly away: AwayMonth | null
}

/** What still needs the records of a month. */
export interface MonthNeeds {
  readonly pendingDeliveries: number
  readonly openCooldowns: number
  /** The database's own clock: a wrong one of the command is not believed alone. */
  readonly databaseNowMs: number
}

export interface MoveCommand {
  readonly month: Month
  readonly by: string
  readonly nowMs: number
}

export type Detached =
  | { readonly kind: 'detached'; readonly table: string; readonly away: AwayMonth }
  /** There is no such month. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'away'; readonly away: AwayMonth }
  /** Another such command is at work. */
  | { readonly kind: 'busy' }

export type Attached =
  | { readonly kind: 'attached'; readonly table: string; readonly records: number }
  /** It is not recorded as detached. */
  | { readonly kind: 'present' }
  /** It went half-way: detach it again first. */
  | { readonly kind: 'unfinished' }
  /** No table of that name is in the database. */
  | { readonly kind: 'missing'; readonly table: string }
  /** It is not what was detached; a line for each difference. */
  | { readonly kind: 'changed'; readonly table: string; readonly findings: readonly string[] }
  | { readonly kind: 'busy' }

export interface PartitionStore {
  /** Oldest first. */
  list(): Promise<StoredMonth[]>
  /** Cooldowns that were set after `cooldownsSinceMs` are open. */
  needs(month: Month, cooldownsSinceMs: number): Promise<MonthNeeds>
  /** Also ends what an earlier one left half-way. */
  detach(command: MoveCommand): Promise<Detached>
  attach(command: MoveCommand): Promise<Attached>
}
