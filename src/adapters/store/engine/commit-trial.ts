/**
 * Remembers a decision that the database did not take, and tries it again without recording it. A full disk may take the
 * one row of a write probe, and no decision.
 */

import { StoreUnavailable } from '../../../app/ports/store.ts'
import type { CommitCommand } from '../../../app/ports/records.ts'
import type { Driver } from './driver.ts'

export interface CommitTrial {
  /** Remembers the first of these commands if the database does not take them. */
  watch<Result>(commands: readonly CommitCommand[], commit: () => Promise<Result>): Promise<Result>
  /** Tries the remembered command, until the database takes it or another one. */
  run(): Promise<void>
}

export function createCommitTrial({ change }: Pick<Driver, 'change'>): CommitTrial {
  let failed: CommitCommand | null = null
  return {
    async watch(commands, commit) {
      try {
        const result = await commit()
        failed = null
        return result
      } catch (error) {
        if (error instanceof StoreUnavailable) failed = commands[0] ?? null
        throw error
      }
    },
    async run() {
      const command = failed
      if (command === null) return
      try {
        await change('tryCommit', command)
      } catch (error) {
        // Any other error concerns this command, which may have been written after all, and not the database.
        if (error instanceof StoreUnavailable) throw error
      }
      if (failed === command) failed = null
    },
  }
}
