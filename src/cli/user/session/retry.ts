/** Tries a call again for a moment where its fault passes by itself. A 503 is never waited for. */

import {
  ConnectionError,
  FairwayError,
  RateLimitError,
  UnavailableError,
} from '../../../../client/src/index.ts'
import type { Clock } from '../../../app/ports/system.ts'
import { isBroken, isTemporary, laterText } from './failure.ts'

/** For all tries of one call together. */
const patienceMs = 10_000

const firstPauseMs = 1_000

export interface Patience {
  readonly clock: Clock
  readonly sleep: (ms: number) => Promise<void>
  /** Tells whoever watches why nothing happens. */
  readonly note: (text: string) => void
  /** For a rate limit alone, which ends for certain; as for the rest unless given. */
  readonly limitBudgetMs?: number
}

export async function patiently<Result>(
  call: () => Promise<Result>,
  { clock, sleep, note, limitBudgetMs = patienceMs }: Patience,
): Promise<Result> {
  const startedMs = clock.monotonicMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const pauseMs = error instanceof FairwayError ? pauseAfter(error, attempt) : null
      const budgetMs = error instanceof RateLimitError ? limitBudgetMs : patienceMs
      if (pauseMs === null || clock.monotonicMs() + pauseMs >= startedMs + budgetMs) throw error
      note(`${(error as Error).message} Trying again ${laterText(pauseMs / 1000)} …`)
      await sleep(pauseMs)
    }
  }
}

/** Null where nothing is gained by it: a 503, a server that is not there or has taken its time, a request that is wrong. */
function pauseAfter(error: FairwayError, attempt: number): number | null {
  if (error instanceof UnavailableError) return null
  const waitSeconds = error instanceof RateLimitError ? (error.retryAfterSeconds ?? 0) : 0
  // Zero, or a date that is past, tells nothing: to ask at once, and again, helps nobody.
  if (waitSeconds > 0) return waitSeconds * 1000
  const isTried = error instanceof ConnectionError ? isBroken(error) : isTemporary(error)
  return isTried ? firstPauseMs * 2 ** (attempt - 1) : null
}
