/** A circuit breaker for one feed: opens after consecutive outages, then lets one trial request through. */

import type { BreakerState } from '../../app/ports/feeds.ts'
import type { Clock } from '../../app/ports/system.ts'
import { FeedError, type BreakerRule } from './source.ts'

export interface Breaker {
  state(): BreakerState
  /** Rethrows errors of the work, or throws `FeedError` with `breaker_open` if the breaker is open. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** A period of the breaker. A request that outlasts the period in which it started does not affect a later one. */
type Period =
  | { readonly state: 'closed'; outages: number }
  /** Monotonic: a wall clock that is set back would keep the breaker open. */
  | { readonly state: 'open'; readonly untilMs: number }
  | { readonly state: 'half_open'; readonly settled: Promise<void> }

/** Only faults of the provider count, not unusable values. */
const isOutage = (error: unknown): boolean => !(error instanceof FeedError) || error.about === 'provider'

const breakerOpenError = (): FeedError =>
  new FeedError('breaker_open', 'failed repeatedly, so its circuit breaker is open', 'query')

export function createBreaker({ failures, resetMs }: BreakerRule, clock: Clock): Breaker {
  let period: Period = { state: 'closed', outages: 0 }
  const opened = (): Period => ({ state: 'open', untilMs: clock.monotonicMs() + resetMs })

  async function trial<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise: settled, resolve: end } = Promise.withResolvers<void>()
    period = { state: 'half_open', settled }
    let next: Period = { state: 'closed', outages: 0 }
    try {
      return await work()
    } catch (error) {
      if (isOutage(error)) next = opened()
      throw error
    } finally {
      period = next
      end()
    }
  }

  return {
    state: () => period.state,
    async run(work) {
      while (period.state === 'half_open') await period.settled
      if (period.state === 'open') {
        if (clock.monotonicMs() < period.untilMs) throw breakerOpenError()
        return trial(work)
      }
      const startedIn = period
      try {
        const result = await work()
        startedIn.outages = 0
        return result
      } catch (error) {
        if (isOutage(error)) startedIn.outages += 1
        if (startedIn.outages >= failures && period === startedIn) period = opened()
        throw error
      }
    },
  }
}
