/** Reports a corridor's current health: from live feeds alone for a live key, otherwise from simulated signals. */

import type { Mode } from '../../core/identity/api-key.ts'
import { healthOf } from '../../core/explain/corridor-health.ts'
import { isSupported, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency, type Currency } from '../../core/reference/currency.ts'
import { decide, type Decision } from '../../core/decision/decide.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { moneyText } from '../../core/explain/wording.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import {
  noReadings,
  signalNames,
  type signalCategories,
  type SignalName,
} from '../../core/decision/signals.ts'
import { simulate } from '../../core/shadow/simulation.ts'
import { withinCooldown } from '../../core/time/cooldown.ts'
import { iso } from '../../core/time/durations.ts'
import { environmentOf } from '../verify/answer.ts'
import { readFresh } from '../verify/live-signals.ts'
import { windowAt } from '../verify/settlement-window.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedSet, RouteResults } from '../ports/feeds.ts'
import type { LiveSource } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import {
  feedRows,
  hourRows,
  partnerRows,
  telemetryFor,
  corridorVerdict,
  type CorridorVerdict,
  type LiveView,
  type Telemetry,
} from './live-corridor.ts'

export interface CorridorQuery {
  readonly ownerId: string
  readonly corridor: Corridor
  /** Health for payments of this amount; null for no particular amount. */
  readonly amount: number | null
  readonly mode: Mode
}

export interface CorridorDeps {
  readonly live: LiveSource
  readonly store: Pick<Store, 'look' | 'cip'>
  readonly clock: Clock
  readonly policy: Policy
  readonly cooldownMs: number
}

export type ReadCorridorHealth = ReturnType<typeof createReadCorridorHealth>

/** The decision behind the health, and the parts of the answer that only a declared corridor of live mode has. */
interface Basis {
  readonly decision: Decision
  readonly unavailable: readonly SignalName[]
  readonly currency: Currency
  readonly declared: Awaited<ReturnType<typeof declaredMembers>> | null
}

export function createReadCorridorHealth(deps: CorridorDeps) {
  return async (query: CorridorQuery) => {
    const { corridor, mode } = query
    const [basis, cooldown] = await Promise.all([basisOf(deps, query), openCooldown(deps, query)])
    const { decision, unavailable, declared } = basis
    const { status, buckets, advisory } = healthOf(corridor, decision, unavailable)
    const isLive = declared !== null
    const note = buckets === null || mode === 'live' ? '' : simulatedNote
    return {
      corridor,
      corridor_supported: decision.evidence.supported,
      amount: query.amount,
      currency: basis.currency,
      status,
      data_environment: mode === 'live' ? ('mixed' as const) : ('simulation' as const),
      live_signals: isLive ? signalNames.length - unavailable.length : 0,
      signals: signalsOf(buckets),
      advisory: `${buckets === null ? '' : amountPrefix(query.amount, basis.currency)}${advisory}${note}`,
      cooldown,
      feeds: declared?.feeds ?? [],
      recommended_partner: declared?.recommended_partner ?? null,
      partners: declared?.partners ?? [],
      calendar: declared?.calendar ?? null,
      last_24_hours: declared?.last_24_hours ?? [],
      environment: environmentOf[mode],
      evaluated_at: iso(deps.clock.nowMs()),
    }
  }

  /** Ignores test amounts: they describe a payment, not the corridor. */
  async function basisOf({ policy }: CorridorDeps, query: CorridorQuery): Promise<Basis> {
    const { corridor, amount, mode } = query
    const currency = defaultCurrency
    const payment = { corridor, amount, currency, policy }
    const none = { unavailable: [], currency, declared: null }
    if (mode === 'shadow') {
      const supported = isSupported(corridor)
      return { ...none, decision: decide({ ...payment, supported, readings: simulate(payment) }) }
    }
    // One set for the whole request: a reload may replace it meanwhile.
    const set = deps.live.current()
    const declared = set.world.corridors.get(corridor)
    if (declared === undefined)
      return { ...none, decision: decide({ ...payment, supported: false, readings: noReadings }) }
    return declaredBasis(deps, set, declared, query)
  }
}

/** Reads every feed of the corridor, for all its partners. */
async function declaredBasis(
  { store, clock, policy }: CorridorDeps,
  set: FeedSet,
  corridor: LiveCorridor,
  { ownerId, amount }: CorridorQuery,
): Promise<Basis> {
  const currency = corridor.currencies.includes(defaultCurrency)
    ? defaultCurrency
    : (corridor.currencies[0] ?? defaultCurrency)
  const [routes, telemetry] = await Promise.all([
    readFresh(set, { ownerId, corridor: corridor.corridor, amount, currency }, clock),
    telemetryFor(store.cip, corridor, clock.nowMs()),
  ])
  const { toleranceHundredths } = set.world
  const view = { corridor, amount, currency, policy, toleranceHundredths, nowMs: clock.nowMs() }
  const verdict = corridorVerdict(routes, view)
  const { decision, unavailable } = verdict
  return {
    decision,
    unavailable,
    currency,
    declared: declaredMembers(routes, verdict, view, telemetry, set),
  }
}

function declaredMembers(
  routes: readonly RouteResults[],
  { route, recommended, order }: CorridorVerdict,
  view: LiveView,
  telemetry: Telemetry,
  set: FeedSet,
) {
  const states = set.states()
  const { window } = windowAt(view.corridor, view.nowMs)
  return {
    recommended_partner: recommended,
    feeds: feedRows(route, states, view.corridor, view.nowMs),
    partners: inOrder(partnerRows(routes, states, view, telemetry), order),
    calendar: window ?? null,
    last_24_hours: hourRows(telemetry.hours.filter(({ partner }) => partner === null)),
  }
}

/** Ranked partners first, then the others by id. */
function inOrder<Row extends { readonly partner: string }>(
  rows: readonly Row[],
  order: readonly string[],
): Row[] {
  const rankOf = ({ partner }: Row): number => order.indexOf(partner) + 1 || Infinity
  return rows.toSorted((left, right) => Math.sign(rankOf(left) - rankOf(right)) || 0)
}

function signalsOf(buckets: ReturnType<typeof healthOf>['buckets']) {
  const bucketOf = (category: (typeof signalCategories)[number]) => {
    const bucket = buckets?.[category] ?? null
    return bucket === null
      ? { status: 'NO_DATA' as const, risk_value: null, signals: [] }
      : { status: bucket.label, risk_value: bucket.healthThousandths / 1000, signals: [...bucket.signals] }
  }
  return {
    fx: bucketOf('fx'),
    network: bucketOf('network'),
    settlement: bucketOf('settlement'),
    liquidity: bucketOf('liquidity'),
    compliance: bucketOf('compliance'),
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
function amountPrefix(amount: number | null, currency: Currency): string {
  return amount === null ? '' : `For payments of ${moneyText(amount, currency)}, `
}

/** Appended to the advisory when the signals are simulated. */
const simulatedNote = ' These signals are simulated; no payment rail was queried.'
