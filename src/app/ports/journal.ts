/** Port of the journal: what was recorded, in one order, and how far its followers are. */

import type { Month } from '../../core/time/month.ts'

/** Followers whose results are tables of the store. */
export type ProjectionName = 'totals' | 'webhooks' | 'calibration' | 'events'

/**
 * `log` seals entries; `totals` counts decisions; `webhooks` announces them; `policies` evaluates candidates on them;
 * `calibration` counts how their payments ended; `reviews` opens a review for those that need a person; `events` lists
 * each owner's events in order; `stream` publishes those, if there is a sink.
 */
export type FollowerName = 'log' | 'policies' | 'reviews' | 'stream' | ProjectionName

export interface Sequenced {
  /** How many entries have a number. */
  readonly sequenced: number
  /** Whether the queue was empty afterwards. */
  readonly isComplete: boolean
}

export interface Followed {
  /** The number of entries that the follower has passed. */
  readonly position: number
  /** The endpoints that have new events. */
  readonly webhookIds: readonly string[]
  /** The entries concerned nobody, because nobody subscribes to anything. */
  readonly isIdle: boolean
}

export interface FollowerPosition {
  readonly name: FollowerName
  readonly position: number
}

export interface JournalState {
  readonly sequenced: number
  /** Entries from before the journal are still being numbered. */
  readonly hasBacklog: boolean
  /** Null if every entry has a number. */
  readonly oldestQueuedId: string | null
  /** Of all followers, also of one that is not configured. */
  readonly positions: readonly FollowerPosition[]
}

/** The instance that follows. It raises `beat` while it lives, so that others need no common clock to see its end. */
export interface Lease {
  readonly holder: string
  readonly beat: number
}

export interface LeaseStore {
  /** The newest schema that this program knows. */
  readonly schema: number
  read(): Promise<Lease>
  /** False if the lease has changed since it was read. */
  replace(seen: Lease, next: Lease): Promise<boolean>
}

export interface JournalStore {
  /** Calls the listener after each commit that appended entries. */
  onAppended(listener: () => void): void
  /** Numbers queued entries, a bounded number per call. */
  sequence(): Promise<Sequenced>
  /** Follows the next entries, a bounded number per call. */
  follow(name: ProjectionName): Promise<Followed>
  /** Counts a month for calibration that was detached when its entries were followed; does nothing for any other. */
  countMonth(month: Month): Promise<void>
  state(): Promise<JournalState>
  /** Entries that have no number yet; counts the first thousand transactions. */
  countQueued(): Promise<number>
  /** The ids of the entries with these numbers; null for those that do not exist. */
  subjectIds(indexes: readonly number[]): Promise<(string | null)[]>
  /** Null if no other instance can use the database. */
  readonly lease: LeaseStore | null
}
