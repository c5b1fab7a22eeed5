/** Says after an erasure what could not be cleaned. */

import type { Cleaning } from '../../../app/erasure/erase-texts.ts'
import { CommandFailure } from '../../deps.ts'

/** The texts are erased, but the files of the database may still hold them. */
const uncleanedExitCode = 4

/** After the result was printed: what was erased stays erased. */
export function refuseUncleaned(cleaning: Cleaning, notes: readonly string[] = []): void {
  if (!(cleaning instanceof Error)) return
  throw new CommandFailure(
    `the texts are erased, but the files of the database may still hold them: ${cleaning.message}. Run the same command again: it cleans what is left`,
    uncleanedExitCode,
    notes,
  )
}
