/** Live feeds for tests that are not about feeds: any readings, told as live, so that what is decided of them is known. */

import type {
  FeedReading,
  FeedResults,
  FeedSet,
  FeedState,
  LiveFeeds,
  SignalQuery,
} from '../../src/app/ports/feeds.ts'
import { contractWorld } from '../../src/core/live/world.ts'
import { signalNames, type Readings, type SignalName } from '../../src/core/decision/signals.ts'
import { simulate } from '../../src/core/shadow/simulation.ts'

/** On the scale of the signal. */
function scaledOf(signal: SignalName, readings: Readings): number {
  if (signal === 'fraud_flags') return readings.fraudFlagCount
  return signal === 'historical_failure_rate'
    ? readings.failureRatePermille
    : readings[signal].healthThousandths
}

const stateOf = (signal: SignalName): FeedState => ({
  signal,
  corridor: null,
  partner: null,
  kind: 'http',
  breaker: 'closed',
  lastReadAtMs: Date.parse('2026-03-01T12:00:00Z'),
  lastObservedAtMs: null,
  lastFault: null,
})

/** What `readings` says of a query, or a signal that cannot be read. */
export function feedsOf(
  readings: (query: SignalQuery) => Readings | SignalName,
  signals: readonly SignalName[] = signalNames,
): LiveFeeds {
  const told = (scaled: number): FeedReading => ({
    kind: 'read',
    feed: 'http',
    value: scaled,
    scaled,
    observedAtMs: null,
    maxAgeMs: 1,
    history: null,
    latencyMs: 0,
  })
  function resultsOf(query: SignalQuery): FeedResults {
    const found = readings(query)
    const results = signalNames.map((signal) => [
      signal,
      typeof found !== 'string'
        ? told(scaledOf(signal, found))
        : signal === found
          ? { kind: 'failed', feed: 'http', fault: 'timeout', detail: '', latencyMs: 0 }
          : told(0),
    ])
    return Object.fromEntries(results) as FeedResults
  }
  const set: FeedSet = {
    isConfigured: true,
    world: contractWorld(),
    states: () => signals.map(stateOf),
    signalsOf: () => signals,
    read: (query) => Promise.resolve([{ partner: null, results: resultsOf(query) }]),
    probe: () => Promise.resolve([]),
    isProbed: () => true,
  }
  return { current: () => set }
}

/** The calm shadow world. */
export const simulatedFeeds = feedsOf((query) => simulate(query))
