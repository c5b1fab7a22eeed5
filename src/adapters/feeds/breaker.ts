/** A circuit breaker for one feed: opens after outages in a row, and lets one request try it again after a while. */

import type { BreakerState } from '../../app/ports/feeds.ts'
import type { Clock } from '../../app/ports/system.ts'
import { FeedError, type BreakerRule } from './source.ts'

export interface Breaker {
  state(): BreakerState
  /** Throws what the work throws, or `FeedError` with `breaker_open` where it is not let through. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** A period of the breaker. A request that outlasts the period in which it began changes nothing in a later one. */
type Period =
  | { readonly state: 'closed'; outages: number }
  /** By the monotonic clock: a wall clock that is set back would hold the breaker open for as long. */
  | { readonly state: 'open'; readonly untilMs: number }
  | { readonly state: 'half_open'; readonly tried: Promise<void> }

/** An answer that is no good says nothing against the provider. */
const isOutage = (error: unknown): boolean => !(error instanceof FeedError) || error.about === 'provider'

const isOpen = (): FeedError =>
  new FeedError('breaker_open', 'failed too often, and is not asked for a while', 'question')

export function createBreaker({ failures, resetMs }: BreakerRule, clock: Clock): Breaker {
  let period: Period = { state: 'closed', outages: 0 }
  const opened = (): Period => ({ state: 'open', untilMs: clock.monotonicMs() + resetMs })

  async function trial<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise: tried, resolve: end } = Promise.withResolvers<void>()
    period = { state: 'half_open', tried }
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
      while (period.state === 'half_open') await period.tried
      if (period.state === 'open') {
        if (clock.monotonicMs() < period.untilMs) throw isOpen()
        return trial(work)
      }
      const began = period
      try {
        const result = await work()
        began.outages = 0
        return result
      } catch (error) {
        if (isOutage(error)) began.outages += 1
        if (began.outages >= failures && period === began) period = opened()
        throw error
      }
    },
  }
}
