/** Reports a corridor's current health: from live feeds alone for a live key, otherwise from simulated signals. */

import type { Mode } from '../../core/identity/api-key.ts'
import { healthOf } from '../../core/explain/corridor-health.ts'
import { isSupported, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency as currency } from '../../core/reference/currency.ts'
import { decide } from '../../core/decision/decide.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { moneyText } from '../../core/explain/wording.ts'
import { liveReadings } from '../../core/live/live-reading.ts'
import {
  noReadings,
  signalCategories,
  signalNames,
  type Readings,
  type SignalName,
} from '../../core/decision/signals.ts'
import { simulate } from '../../core/shadow/simulation.ts'
import { withinCooldown } from '../../core/time/cooldown.ts'
import { iso } from '../../core/time/durations.ts'
import { environmentOf } from '../verify/answer.ts'
import { observedOrWorst, unavailableSignalsOf } from '../verify/live-signals.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedResult, FeedResults } from '../ports/feeds.ts'
import type { LiveSource } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'

export interface CorridorQuery {
  readonly ownerId: string
  readonly corridor: Corridor
  /** Health for payments of this amount; null for no particular amount. */
  readonly amount: number | null
  readonly mode: Mode
}

export interface CorridorDeps {
  readonly signals: { readonly live: LiveSource }
  readonly store: Pick<Store, 'look'>
  readonly clock: Clock
  readonly policy: Policy
  readonly cooldownMs: number
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
    if (query.mode === 'shadow') {
      return { readings: simulate({ ...query, currency }), unavailable: [], results: null }
    }
    if (!isSupported(query.corridor)) return { readings: noReadings, unavailable: [], results: null }
    const results = await live.readFeeds({ ...query, currency })
    const readings = liveReadings(observedOrWorst(results, deps.clock.nowMs()))
    return { readings, unavailable: unavailableSignalsOf(results), results }
  }

  return async (query: CorridorQuery) => {
    const { corridor, amount, mode } = query
    const [{ readings, unavailable, results }, cooldown] = await Promise.all([
      readingsOf(query),
      openCooldown(deps, query),
    ])
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
      data_environment: mode === 'live' ? ('mixed' as const) : ('simulation' as const),
      live_signals: liveSignals,
      signals: {
        fx: bucketOf('fx'),
        network: bucketOf('network'),
        settlement: bucketOf('settlement'),
        liquidity: bucketOf('liquidity'),
        compliance: bucketOf('compliance'),
      },
      advisory: `${buckets === null ? '' : amountPrefix(amount)}${advisory}${buckets === null || mode === 'live' ? '' : simulatedNote}`,
      cooldown,
      feeds: results === null ? [] : feedsOf(results, deps.signals.live, nowMs),
      environment: environmentOf[mode],
      evaluated_at: iso(nowMs),
    }
  }
}

/** The open window in which verify repeats a `NO-GO`; null if there is none. */
async function openCooldown(
  { store, clock, cooldownMs }: CorridorDeps,
  { ownerId, mode, corridor }: CorridorQuery,
) {
  const found = await store.look({ ownerId, mode, corridor, idempotency: null })
  const block = found.kind === 'open' ? found.block : null
  if (block === null || !withinCooldown(block.blockedAtMs, clock.nowMs(), cooldownMs)) return null
  return {
    source_request_id: block.record.requestId,
    expires_at: iso(block.blockedAtMs + cooldownMs),
  }
}

/** Health for one amount must not be mistaken for that of all payments. */
function amountPrefix(amount: number | null): string {
  return amount === null ? '' : `For payments of ${moneyText(amount, currency)}, `
}

/** Appended to the advisory when the signals are simulated. */
const simulatedNote = ' These signals are simulated; no payment rail was queried.'

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
