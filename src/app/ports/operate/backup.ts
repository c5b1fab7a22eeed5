/** Port of backups: a file with every row of every table, portable between the two engines. */

import type { Store } from '../store.ts'

export interface TableSum {
  readonly name: string
  readonly rows: number
  /** Over the table's rows in the file, in key order; the same on both engines. */
  readonly sha256: string
}

interface BackupContents {
  readonly schema: number
  readonly tables: readonly TableSum[]
}

/** The input of the check that a copy must pass. */
export interface CheckedCopy {
  readonly store: Store
  /** Detached months, whose records are in no backup. */
  readonly detachedMonths: readonly string[]
}

export interface BackupOptions<Found> {
  readonly check: (copy: CheckedCopy) => Promise<Found>
  readonly onProgress: (done: number, all: number) => void
}

export interface RestoreOptions<Found> extends BackupOptions<Found> {
  /** If false, the restore is undone. */
  readonly isIntact: (found: Found) => boolean
}

export interface Copied<Found> extends BackupContents {
  readonly found: Found
}

export interface Backups {
  /** Writes a consistent snapshot while servers run. The file appears complete or not at all. */
  write<Found>(path: string, options: BackupOptions<Found>): Promise<Copied<Found>>
  /** Restores into an empty database, in one transaction. */
  restore<Found>(path: string, options: RestoreOptions<Found>): Promise<Copied<Found>>
}
