/** Tries a call again for a moment where its fault passes by itself. A 503 is never waited for. */

import { ConnectionError, FairwayError, RateLimitError, UnavailableError } from '../../../client/src/index.ts'
import type { Clock } from '../../app/ports.ts'
import { isBroken, isPassing, laterText } from './failure.ts'

/** For all tries of one call together. */
export const patienceMs = 10_000

const firstPauseMs = 1_000

export interface Patience {
  readonly clock: Clock
  readonly sleep: (ms: number) => Promise<void>
  /** Tells whoever watches why nothing happens. */
  readonly note: (text: string) => void
  readonly budgetMs?: number
}

export async function patiently<Result>(
  call: () => Promise<Result>,
  { clock, sleep, note, budgetMs = patienceMs }: Patience,
): Promise<Result> {
  const deadlineMs = clock.monotonicMs() + budgetMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const pauseMs = error instanceof FairwayError ? pauseAfter(error, attempt) : null
      if (pauseMs === null || clock.monotonicMs() + pauseMs >= deadlineMs) throw error
      note(`${(error as Error).message} Trying again ${laterText(pauseMs / 1000)} …`)
      await sleep(pauseMs)
    }
  }
}

/** Null where nothing is gained by it: a 503, a server that is not there or has taken its time, a request that is wrong. */
function pauseAfter(error: FairwayError, attempt: number): number | null {
  if (error instanceof UnavailableError) return null
  if (error instanceof RateLimitError && error.retryAfterSeconds !== null)
    return error.retryAfterSeconds * 1000
  const isTried = error instanceof ConnectionError ? isBroken(error) : isPassing(error)
  return isTried ? firstPauseMs * 2 ** (attempt - 1) : null
}
