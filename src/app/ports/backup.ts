/** What is said of a backup: a file with every row of every table, whichever engine it comes from and goes to. */

import type { Store } from './store.ts'

export interface TableSum {
  readonly name: string
  readonly rows: number
  /** Of its rows as they stand in the file, in the order of its key; the same on both engines. */
  readonly sha256: string
}

interface BackupContents {
  readonly schema: number
  readonly tables: readonly TableSum[]
}

/** Looks at what is in the copy, before it counts as made. */
export interface CheckedCopy {
  readonly store: Store
  /** Months that an operator has taken away: their records are in no backup. */
  readonly awayMonths: readonly string[]
}

export interface BackupOptions<Found> {
  readonly check: (copy: CheckedCopy) => Promise<Found>
  readonly onProgress: (done: number, all: number) => void
}

export interface RestoreOptions<Found> extends BackupOptions<Found> {
  /** Where it is not, nothing is left of what was restored. */
  readonly isSound: (found: Found) => boolean
}

export interface Copied<Found> extends BackupContents {
  readonly found: Found
}

export interface Backups {
  /** As of one moment, while servers go on. Appears whole under its name, or not at all. */
  write<Found>(path: string, options: BackupOptions<Found>): Promise<Copied<Found>>
  /** Into an empty database, in one go. */
  restore<Found>(path: string, options: RestoreOptions<Found>): Promise<Copied<Found>>
}
