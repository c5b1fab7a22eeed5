/** The live signal source: requires a fresh, valid value from every feed, otherwise the payment is on hold. */

import { isSupported } from '../../core/reference/corridor.ts'
import { scaleOf, type FeedScale } from '../../core/live/feed-map.ts'
import { liveReadings, withCurrencyChecked, type Observed } from '../../core/live/live-reading.ts'
import { noReadings, signalNames, type SignalName } from '../../core/decision/signals.ts'
import { simulate, simulatedVolatility } from '../../core/shadow/simulation.ts'
import { volatilityOf } from '../../core/decision/score.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedEvidence, LiveSource, SignalReport } from '../ports/signals.ts'
import type { FeedReading, FeedResults, LiveFeeds } from '../ports/feeds.ts'
import type { Store } from '../ports/store.ts'

/** The volatility is computed from at most this many of the owner's live scores. */
const liveScoresMax = 50

export interface LiveDeps {
  readonly feeds: LiveFeeds
  readonly store: Pick<Store, 'forOwner'>
  readonly clock: Clock
}

export function createLiveSignals({ feeds, store, clock }: LiveDeps): LiveSource {
  const signals = (): SignalName[] => feeds.states().map(({ signal }) => signal)
  return {
    get signals() {
      return signals()
    },
    states: () => feeds.states(),
    async readFeeds(query) {
      return freshAt(await feeds.read(query), clock.nowMs())
    },
    async read(query) {
      // Asks no feed: none has data on an unsupported corridor.
      if (!isSupported(query.corridor)) return noDataReport
      const scores =
        query.ownerId === null ? [] : store.forOwner(query.ownerId).liveScores(query.corridor, liveScoresMax)
      // Taken together with the feed read, since the feed configuration may change during it.
      const recommendedPartner = feeds.partnerFor(query.corridor)
      const [read, recent] = await Promise.all([feeds.read(query), scores])
      // Checked after the last value arrived: the first ones have aged meanwhile.
      const nowMs = clock.nowMs()
      const results = freshAt(read, nowMs)
      const unavailable = unavailableSignalsOf(results)
      if (unavailable.length > 0) return { kind: 'unavailable', signals: unavailable }
      return {
        kind: 'read',
        source: 'live',
        readings: withCurrencyChecked(
          liveReadings(observedOrWorst(results, nowMs)),
          query.corridor,
          query.currency,
        ),
        volatility: volatilityOf(recent),
        recommendedPartner,
        feeds: feedEvidenceOf(results),
      }
    },
  }
}

/** The report for an unsupported corridor, which is never `GO`. */
export const noDataReport = {
  kind: 'read',
  source: 'none',
  readings: noReadings,
  volatility: 0,
  recommendedPartner: null,
} as const satisfies SignalReport

/** The same before revision 2, when the simulation stood in. */
export function simulatedReport(query: Parameters<typeof simulate>[0]): SignalReport {
  return {
    kind: 'read',
    source: 'simulation',
    readings: simulate(query),
    volatility: simulatedVolatility(query.corridor),
    recommendedPartner: null,
  }
}

/** Turns values that expired after they were read into failures. */
function freshAt(results: FeedResults, nowMs: number): FeedResults {
  const isStale = (signal: SignalName): boolean => {
    const result = results[signal]
    if (result.kind === 'failed' || result.observedAtMs === null) return false
    return nowMs - result.observedAtMs > result.maxAgeMs
  }
  const stale = signalNames.filter(isStale)
  if (stale.length === 0) return results
  const failures = stale.map((signal) => {
    const { feed, latencyMs } = results[signal]
    const detail = 'expired while other feeds were read'
    return [signal, { kind: 'failed', feed, fault: 'stale', detail, latencyMs }] as const
  })
  return { ...results, ...(Object.fromEntries(failures) as Partial<FeedResults>) }
}

/** The signals that could not be read, in the order of `signalNames`. */
export function unavailableSignalsOf(results: FeedResults): SignalName[] {
  return signalNames.filter((signal) => results[signal].kind === 'failed')
}

/** A missing value counts as the worst one. */
const worst: Readonly<Record<FeedScale, number>> = { flags: 1, rate: 1000, risk: 0 }

export function observedOrWorst(results: FeedResults, nowMs: number): Record<SignalName, Observed> {
  const observed = {} as Record<SignalName, Observed>
  for (const signal of signalNames) {
    const result = results[signal]
    observed[signal] =
      result.kind === 'read'
        ? observedOf(result, nowMs)
        : { scaled: worst[scaleOf[signal]], ageMs: null, maxAgeMs: 1, history: null }
  }
  return observed
}

function observedOf({ scaled, observedAtMs, maxAgeMs, history }: FeedReading, nowMs: number): Observed {
  return { scaled, ageMs: observedAtMs === null ? null : nowMs - observedAtMs, maxAgeMs, history }
}

/** Requires that every feed was read. */
function feedEvidenceOf(results: FeedResults): FeedEvidence[] {
  return signalNames.flatMap((signal) => {
    const result = results[signal]
    if (result.kind === 'failed') return []
    const { feed: kind, value, observedAtMs, history } = result
    return [{ kind, value, observed_at_ms: observedAtMs, ...(history === null ? {} : { history }) }]
  })
}
