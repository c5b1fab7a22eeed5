/** Retries a call briefly after a temporary failure. A 503 is never retried. */

import {
  ConnectionError,
  FairwayError,
  RateLimitError,
  UnavailableError,
} from '../../../../client/src/index.ts'
import type { Clock } from '../../../app/ports/system.ts'
import { isConnectionLost, isTemporary, laterText } from './failure.ts'

/** For all attempts of one call together. */
const retryBudgetMs = 10_000

const firstPauseMs = 1_000

export interface RetryOptions {
  readonly clock: Clock
  readonly sleep: (ms: number) => Promise<void>
  /** Reports why the command is waiting. */
  readonly note: (text: string) => void
  /** Budget for rate limits, which are certain to end; default: as for other failures. */
  readonly rateLimitBudgetMs?: number
}

export async function withRetries<Result>(
  call: () => Promise<Result>,
  { clock, sleep, note, rateLimitBudgetMs = retryBudgetMs }: RetryOptions,
): Promise<Result> {
  const startedMs = clock.monotonicMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const pauseMs = error instanceof FairwayError ? pauseAfter(error, attempt) : null
      const budgetMs = error instanceof RateLimitError ? rateLimitBudgetMs : retryBudgetMs
      if (pauseMs === null || clock.monotonicMs() + pauseMs >= startedMs + budgetMs) throw error
      note(`${(error as Error).message} Retrying ${laterText(pauseMs / 1000)} …`)
      await sleep(pauseMs)
    }
  }
}

/** Null if a retry is pointless: a 503, an unreachable server, a timeout, an invalid request. */
function pauseAfter(error: FairwayError, attempt: number): number | null {
  if (error instanceof UnavailableError) return null
  const waitSeconds = error instanceof RateLimitError ? (error.retryAfterSeconds ?? 0) : 0
  // Zero, or a date in the past, says nothing: back off as for other failures.
  if (waitSeconds > 0) return waitSeconds * 1000
  const isRetried = error instanceof ConnectionError ? isConnectionLost(error) : isTemporary(error)
  return isRetried ? firstPauseMs * 2 ** (attempt - 1) : null
}
