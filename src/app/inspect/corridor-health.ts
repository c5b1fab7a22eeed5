/** Reports a corridor's current health: from live feeds for a live key, otherwise from simulated signals. */

import type { Mode } from '../../core/identity/api-key.ts'
import { healthOf } from '../../core/explain/corridor-health.ts'
import { isSupported, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency as currency } from '../../core/reference/currency.ts'
import { decide } from '../../core/decision/decide.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { moneyText } from '../../core/explain/wording.ts'
import { liveReadings } from '../../core/live/live-reading.ts'
import { signalCategories, signalNames, type Readings, type SignalName } from '../../core/decision/signals.ts'
import { simulate } from '../../core/shadow/simulation.ts'
import { iso } from '../../core/time/durations.ts'
import { environmentOf } from '../verify/answer.ts'
import { observedOrWorst, unavailableSignalsOf } from '../verify/live-signals.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedResult, FeedResults } from '../ports/feeds.ts'
import type { LiveSource } from '../ports/signals.ts'

export interface CorridorQuery {
  readonly ownerId: string
  readonly corridor: Corridor
  /** Health for payments of this amount; null for no particular amount. */
  readonly amount: number | null
  readonly mode: Mode
}

export interface CorridorDeps {
  readonly signals: { readonly live: LiveSource }
  readonly clock: Clock
  readonly policy: Policy
}

interface CorridorReadings {
  readonly readings: Readings
  /** Live signals that could not be read; the readings have their worst values. */
  readonly unavailable: readonly SignalName[]
  /** Null when the readings are simulated. */
  readonly results: FeedResults | null
}

export type ReadCorridorHealth = ReturnType<typeof createReadCorridorHealth>

export function createReadCorridorHealth(deps: CorridorDeps) {
  /** Ignores test amounts: they describe a payment, not the corridor. */
  async function readingsOf(query: CorridorQuery): Promise<CorridorReadings> {
    const { live } = deps.signals
    if (query.mode !== 'live' || !isSupported(query.corridor) || live.signals.length === 0) {
      return { readings: simulate({ ...query, currency }), unavailable: [], results: null }
    }
    const results = await live.readFeeds({ ...query, currency })
    const readings = liveReadings(observedOrWorst(results, deps.clock.nowMs()))
    return { readings, unavailable: unavailableSignalsOf(results), results }
  }

  return async (query: CorridorQuery) => {
    const { corridor, amount, mode } = query
    const { readings, unavailable, results } = await readingsOf(query)
    const liveSignals = results === null ? 0 : signalNames.length - unavailable.length
    const nowMs = deps.clock.nowMs()
    const { status, buckets, advisory } = healthOf(
      corridor,
      decide({ corridor, amount, currency, readings, policy: deps.policy }),
      unavailable,
    )
    const bucketOf = (category: (typeof signalCategories)[number]) => {
      const bucket = buckets?.[category] ?? null
      return bucket === null
        ? { status: 'NO_DATA' as const, risk_value: null, signals: [] }
        : { status: bucket.label, risk_value: bucket.healthThousandths / 1000, signals: [...bucket.signals] }
    }
    return {
      corridor,
      corridor_supported: isSupported(corridor),
      amount,
      currency,
      status,
      data_environment: results !== null ? ('mixed' as const) : ('simulation' as const),
      live_signals: liveSignals,
      signals: {
        fx: bucketOf('fx'),
        network: bucketOf('network'),
        settlement: bucketOf('settlement'),
        liquidity: bucketOf('liquidity'),
        compliance: bucketOf('compliance'),
      },
      advisory: `${buckets === null ? '' : amountPrefix(amount)}${advisory}${buckets === null || results !== null ? '' : simulatedNote[mode]}`,
      feeds: results === null ? [] : feedsOf(results, deps.signals.live, nowMs),
      environment: environmentOf[mode],
      evaluated_at: iso(nowMs),
    }
  }
}

/** Health for one amount must not be mistaken for that of all payments. */
function amountPrefix(amount: number | null): string {
  return amount === null ? '' : `For payments of ${moneyText(amount, currency)}, `
}

/** Appended to the advisory when the signals are simulated. */
const simulatedNote: Readonly<Record<Mode, string>> = {
  live: ' No live feed is configured: these signals are simulated, and live decisions are on hold.',
  shadow: ' These signals are simulated; no payment rail was queried.',
}

/** The current state of each feed, for the calling owner. */
function feedsOf(results: FeedResults, live: LiveSource, nowMs: number) {
  const states = new Map(live.states().map((state) => [state.signal, state]))
  return signalNames.map((signal) => {
    const result = results[signal]
    const observedAtMs = result.kind === 'read' ? result.observedAtMs : null
    return {
      signal,
      kind: result.feed,
      status: freshnessOf(result),
      observed_at: iso(observedAtMs),
      age_ms: observedAtMs === null ? null : Math.max(0, nowMs - observedAtMs),
      fault: result.kind === 'read' ? null : result.fault,
      breaker: states.get(signal)?.breaker ?? null,
    }
  })
}

/** A value without an observation time is assumed, not fresh. */
function freshnessOf(result: FeedResult) {
  if (result.kind === 'failed') return 'unavailable' as const
  return result.observedAtMs === null ? ('assumed' as const) : ('fresh' as const)
}
