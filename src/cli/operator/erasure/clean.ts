/** Cleaning after an erasure: what could not be cleaned is said, and the next run tries it again. */

import { cleanIfNeeded } from '../../../app/erasure/erase-texts.ts'
import type { Store } from '../../../app/ports/store.ts'
import { CommandFailure } from '../../deps.ts'

/** The texts are erased, but the files of the database may still hold them. */
const uncleanedExitCode = 4

/** `left` to a later run, or failed. `none`: there was nothing to clean. */
export type Cleaning = 'done' | 'none' | 'left' | Error

export async function clean(store: Store): Promise<Cleaning> {
  try {
    return (await cleanIfNeeded({ store })) ? 'done' : 'none'
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** After the result was printed: what was erased stays erased. */
export function refuseUncleaned(cleaning: Cleaning, notes: readonly string[] = []): void {
  if (!(cleaning instanceof Error)) return
  throw new CommandFailure(
    `the texts are erased, but the files of the database may still hold them: ${cleaning.message}. Run the same command again: it cleans what is left`,
    uncleanedExitCode,
    notes,
  )
}
