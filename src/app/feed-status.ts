/** The signal feeds that exist, with what was last seen of each, and those that are still to come. */

import { clockSkewMsMax } from '../core/cooldown.ts'
import { categoryOf, labelOf, signalNames, titleOf } from '../core/signals.ts'
import { probeAdapter } from './cip/probe.ts'
import type { Clock, Observation, SignalSource, Store } from './ports.ts'

export interface FeedStatusDeps {
  readonly store: Store
  readonly clock: Clock
  readonly live: SignalSource
}

export function createFeedStatus({ store, clock, live }: FeedStatusDeps) {
  const startedAtMs = clock.nowMs()
  return async () => {
    const latest = await store.cip.latest(clock.nowMs() + clockSkewMsMax)
    const newestMs = latest.length === 0 ? startedAtMs : Math.max(...latest.map((one) => one.observedAtMs))
    const isLive = new Set(live.signals)
    return {
      available: {
        feeds: [
          ...signalNames.map((signal, place) => ({
            feed: `${probeAdapter}:${signal}`,
            signal,
            category: categoryOf[signal],
            source: 'simulation' as const,
            ...observed(latest, place),
          })),
          ...live.signals.map((signal) => ({
            feed: `live:${signal}`,
            signal,
            category: categoryOf[signal],
            source: 'live' as const,
            last_observation: null,
            observations: [],
          })),
        ],
      },
      roadmap: {
        feeds: signalNames
          .filter((signal) => !isLive.has(signal))
          .map((signal) => ({
            feed: `live:${signal}`,
            signal,
            category: categoryOf[signal],
            description: `A live feed for the ${titleOf[signal]}.`,
          })),
      },
      environment: 'sandbox' as const,
      // The day on which a feed last said something; before that, the day on which they were set up.
      last_updated: new Date(newestMs).toISOString().slice(0, 10),
    }
  }
}

/** Of each corridor, newest first; null where nothing was observed yet. */
function observed(latest: readonly Observation[], place: number) {
  const observations = latest
    .toSorted((left, right) => right.observedAtMs - left.observedAtMs)
    .map(({ corridor, observedAtMs, riskThousandths }) => {
      const risk = riskThousandths[place] ?? 0
      return {
        corridor: String(corridor),
        observed_at: new Date(observedAtMs).toISOString(),
        risk_value: risk / 1000,
        label: labelOf(risk),
      }
    })
  return { last_observation: observations[0] ?? null, observations }
}
