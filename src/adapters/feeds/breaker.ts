/** A circuit breaker for one feed: opens after outages in a row, and lets one request try it again after a while. */

import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import type { BreakerState } from '../../app/ports/feeds.ts'
import type { Clock } from '../../app/ports/system.ts'
import { FeedError, type BreakerRule } from './source.ts'

export interface Breaker {
  state(): BreakerState
  /** Throws what the work throws, or `FeedError` with `breaker_open` where it is not let through. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

const stateNames: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
}

/** What only tells that there is no good answer to one question says nothing against the provider. */
const outages = handleWhen((error) => !(error instanceof FeedError) || error.about === 'provider')

const isOpen = (): FeedError =>
  new FeedError('breaker_open', 'failed too often, and is not asked for a while', 'question')

/**
 * The library goes by the wall clock, which may be set back while a breaker is open and would then hold it open for as long.
 * So the pause is measured here, by a clock that never goes back, and the library is told that it is over.
 */
export function createBreaker({ failures, resetMs }: BreakerRule, clock: Clock): Breaker {
  let openedMs = 0
  const policyFrom = (initialState?: unknown) => {
    const policy = circuitBreaker(outages, {
      halfOpenAfter: resetMs,
      breaker: new ConsecutiveBreaker(failures),
      ...(initialState === undefined ? {} : { initialState }),
    })
    policy.onBreak(() => (openedMs = clock.monotonicMs()))
    return policy
  }
  let policy = policyFrom()
  return {
    state: () => stateNames[policy.state],
    async run(work) {
      if (policy.state === CircuitState.Open) {
        if (clock.monotonicMs() - openedMs < resetMs) throw isOpen()
        policy = policyFrom(longOpen(policy.toJSON()))
      }
      try {
        return await policy.execute(work)
      } catch (error) {
        throw error instanceof BrokenCircuitError ? isOpen() : error
      }
    },
  }
}

/** An open state as it would be had it opened at the beginning of time. */
function longOpen(state: unknown): unknown {
  const { ownState, breakerState } = state as { ownState: object; breakerState: unknown }
  return { ownState: { ...ownState, openedAt: 0 }, breakerState }
}
