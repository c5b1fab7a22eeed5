/** Source of the failure rate, from the outcomes of the owner's payments. */

import { StoreUnavailable } from '../../app/ports/store.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { CountOutcomes, FeedPlace, OutcomeWindow } from '../../app/ports/feeds.ts'
import { failureRatePermilleOf, type OutcomeCount } from '../../core/live/outcome.ts'
import type { OutcomesSpec } from './schema.ts'
import { breakerRule, FeedError, type Source } from './source.ts'
import { dayMs } from '../../core/time/durations.ts'

const defaults = { windowDays: 30, outcomesMin: 20, cacheMs: 1_000 } as const

/** Only the newest are counted: more would cost time and barely change the rate. */
const outcomesMax = 500

/** A partner's own feed counts the payments that went through it; any other counts all of the corridor. */
export function outcomesSource(
  spec: OutcomesSpec,
  { partner }: FeedPlace,
  countOutcomes: CountOutcomes,
  clock: Clock,
): Source {
  const windowMs = (spec.window_days ?? defaults.windowDays) * dayMs
  const outcomesMin = spec.least ?? defaults.outcomesMin
  const rule = { outcomesMin, assumedRate: spec.assumed_rate }
  return {
    kind: 'outcomes',
    maxAgeMs: windowMs,
    aheadMsMax: 0,
    cacheMs: spec.cache_ms ?? defaults.cacheMs,
    breaker: breakerRule(undefined),
    isPerPartner: false,
    isProbed: false,
    keyOf: ({ ownerId, corridor }) => `${ownerId} ${corridor}`,
    async fetch({ ownerId, corridor }) {
      const nowMs = clock.nowMs()
      const within = { sinceMs: nowMs - windowMs, untilMs: nowMs, countMax: outcomesMax }
      const count =
        ownerId === null
          ? noOutcomes
          : await countOrFail(countOutcomes, { ownerId, corridor, partner, ...within })
      const scaled = failureRatePermilleOf(count, rule)
      return {
        value: scaled / 1000,
        scaled,
        // Null for an assumed rate.
        observedAtMs: count.newestAtMs,
        history: { have: Math.min(count.ended, outcomesMin), need: outcomesMin },
      }
    },
  }
}

/** Used without an owner. */
const noOutcomes: OutcomeCount = { ended: 0, failed: 0, newestAtMs: null }

async function countOrFail(countOutcomes: CountOutcomes, window: OutcomeWindow): Promise<OutcomeCount> {
  try {
    return await countOutcomes(window)
  } catch (error) {
    if (error instanceof StoreUnavailable)
      throw new FeedError('store_unavailable', 'cannot be read', 'provider')
    throw error
  }
}
