/** Lists the available signal feeds with their latest observations, and the planned ones. */

import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import { categoryOf, labelOf, signalNames, titleOf } from '../../core/decision/signals.ts'
import { iso } from '../../core/time/durations.ts'
import type { Mode } from '../../core/identity/api-key.ts'
import { simulationAdapter } from '../../core/live/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedState } from '../ports/feeds.ts'
import type { LiveSource } from '../ports/signals.ts'
import type { Observation } from '../ports/cip.ts'
import type { Store } from '../ports/store.ts'

export interface FeedStatusDeps {
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveSource
}

/** The modes in which a decision is possible now: live mode needs a feed for every signal, and none that fails. */
export function servedModes(live: LiveSource): Mode[] {
  const working = new Set(
    live
      .current()
      .states()
      .flatMap(({ signal, lastFault }) => (lastFault === null ? [signal] : [])),
  )
  return signalNames.every((signal) => working.has(signal)) ? ['shadow', 'live'] : ['shadow']
}

export function createFeedStatus({ store, clock, live }: FeedStatusDeps) {
  const startedAtMs = clock.nowMs()
  return async () => {
    const untilMs = clock.nowMs() + clockSkewMsMax
    const { adapter } = live.scope()
    const latest = await store.cip.latest(adapter, untilMs)
    const isSimulated = adapter === simulationAdapter
    const states = live.current().states()
    const updatesAtMs = [
      ...latest.map((one) => one.observedAtMs),
      ...states.flatMap((one) => one.lastReadAtMs ?? []),
    ]
    const newestMs = updatesAtMs.length === 0 ? startedAtMs : Math.max(...updatesAtMs)
    const isLive = new Set(states.map(({ signal }) => signal))
    return {
      available: {
        feeds: [
          ...signalNames.map((signal, index) => ({
            feed: `${simulationAdapter}:${signal}`,
            signal,
            category: categoryOf[signal],
            source: 'simulation' as const,
            // With live feeds nothing simulated is observed.
            ...observed(isSimulated ? latest : [], index),
            live: null,
          })),
          ...worstBySignal(states).map((state) => ({
            feed: `live:${state.signal}`,
            signal: state.signal,
            category: categoryOf[state.signal],
            source: 'live' as const,
            // A live value may concern one caller's payment, so this public endpoint does not show it.
            last_observation: null,
            observations: [],
            live: liveMember(state),
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
      modes: servedModes(live),
      environment: 'sandbox' as const,
      // The day of the newest feed value; before the first, the day this instance started.
      last_updated: new Date(newestMs).toISOString().slice(0, 10),
    }
  }
}

/** One feed for each signal: corridors and partners are the operator's, and this endpoint is public. */
function worstBySignal(states: readonly FeedState[]): FeedState[] {
  const badness = ({ lastFault, lastReadAtMs }: FeedState): number =>
    lastFault !== null ? 2 : Number(lastReadAtMs === null)
  return signalNames.flatMap((signal) => {
    const own = states.filter((state) => state.signal === signal)
    return own.toSorted((left, right) => badness(right) - badness(left)).slice(0, 1)
  })
}

/** Every feed with its place, for keys of live mode. */
export function feedList(live: LiveSource) {
  return live
    .current()
    .states()
    .map((state) => ({
      signal: state.signal,
      corridor: state.corridor === null ? null : String(state.corridor),
      partner: state.partner,
      ...liveMember(state),
    }))
}

/** The state of a live feed, as seen by this instance. */
function liveMember({ kind, breaker, lastReadAtMs, lastObservedAtMs, lastFault }: FeedState) {
  return {
    kind,
    status: statusOfFeed(lastReadAtMs, lastFault),
    breaker,
    last_read_at: iso(lastReadAtMs),
    last_observed_at: iso(lastObservedAtMs),
    last_fault: lastFault,
  }
}

function statusOfFeed(lastReadAtMs: number | null, lastFault: FeedState['lastFault']) {
  if (lastFault !== null) return 'failing' as const
  return lastReadAtMs === null ? ('not_read_yet' as const) : ('healthy' as const)
}

/** Observations of all corridors, newest first; `last_observation` is null before the first. */
function observed(latest: readonly Observation[], index: number) {
  const observations = latest
    .toSorted((left, right) => right.observedAtMs - left.observedAtMs)
    .flatMap(({ corridor, observedAtMs, healthThousandths }) => {
      const risk = healthThousandths[index] ?? null
      const observation = { corridor: String(corridor), observed_at: iso(observedAtMs) }
      return risk === null ? [] : [{ ...observation, risk_value: risk / 1000, label: labelOf(risk) }]
    })
  return { last_observation: observations[0] ?? null, observations }
}
