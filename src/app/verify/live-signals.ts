/** The live signal source: requires a fresh, valid value from every feed, otherwise the payment is on hold. */

import { settlementCurrency as standardCurrency, type Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { feedsAdapter, simulationAdapter } from '../../core/live/cip.ts'
import { scaleOf, type FeedScale } from '../../core/live/feed-map.ts'
import {
  liveReadings,
  withoutLiquidity,
  withWrongCurrency,
  type Observed,
} from '../../core/live/live-reading.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import { takesAmount } from '../../core/decision/policy.ts'
import { noReadings, signalNames, type Readings, type SignalName } from '../../core/decision/signals.ts'
import { simulate, simulatedVolatility } from '../../core/shadow/simulation.ts'
import { volatilityOf } from '../../core/decision/score.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedEvidence, LiveSource, PartnerChoice, SignalReport, SignalsRead } from '../ports/signals.ts'
import type {
  FeedReading,
  FeedResults,
  FeedSet,
  LiveFeeds,
  RouteResults,
  SignalQuery,
} from '../ports/feeds.ts'
import type { Store } from '../ports/store.ts'

/** The volatility is computed from at most this many of the owner's live scores. */
const liveScoresMax = 50

export interface LiveDeps {
  readonly feeds: LiveFeeds
  readonly store: Pick<Store, 'forOwner'>
  readonly clock: Clock
}

export function createLiveSignals({ feeds, store, clock }: LiveDeps): LiveSource {
  return {
    current: () => feeds.current(),
    corridorOf: (corridor) => feeds.current().world.corridors.get(corridor),
    scope() {
      const set = feeds.current()
      const adapter = set.isConfigured ? feedsAdapter : simulationAdapter
      return { adapter, corridors: [...set.world.corridors.keys()].filter((one) => set.isProbed(one)) }
    },
    signalsOf: (corridor) => feeds.current().signalsOf(corridor),
    async read(query) {
      // One set for the whole request: a reload may replace it meanwhile.
      const set = feeds.current()
      const corridor = set.world.corridors.get(query.corridor)
      // Asks no feed: none has data on an unsupported corridor.
      if (corridor === undefined) return noDataReport(query.corridor)
      const scores =
        query.ownerId === null ? [] : store.forOwner(query.ownerId).liveScores(query.corridor, liveScoresMax)
      const [routes, recent] = await Promise.all([readFresh(set, query, clock), scores])
      const { settlementCurrency } = corridor
      const shared = { corridor, settlementCurrency, volatility: volatilityOf(recent) }
      const read = routes.map((route) => routeRead(route, corridor, query.currency, clock.nowMs()))
      return corridor.partners.length === 0
        ? readAlone(read, shared)
        : readPartners(read, { ...shared, toleranceHundredths: set.world.toleranceHundredths }, query.amount)
    },
  }
}

/** Reads each feed, whether or not the result is enough for a decision. */
export async function readFresh(set: FeedSet, query: SignalQuery, clock: Clock): Promise<RouteResults[]> {
  const routes = await set.read(query)
  // Checked after the last value arrived: the first ones have aged meanwhile.
  const nowMs = clock.nowMs()
  return routes.map(({ partner, results }) => ({ partner, results: freshAt(results, nowMs) }))
}

/** The reading of a partner, or of a corridor without partners. */
interface RouteRead extends Pick<RouteResults, 'partner'> {
  /** With a missing signal, they are not for a decision. */
  readonly readings: Readings
  readonly feeds: readonly FeedEvidence[]
  readonly unavailable: readonly SignalName[]
}

export function routeRead(
  { partner, results }: RouteResults,
  { currencies }: LiveCorridor,
  currency: Currency,
  nowMs: number,
): RouteRead {
  const readings = liveReadings(observedOrWorst(results, nowMs))
  return {
    partner,
    readings: currencies.includes(currency) ? readings : withWrongCurrency(readings),
    feeds: feedEvidenceOf(results),
    unavailable: unavailableSignalsOf(results),
  }
}

type Shared = Required<Pick<SignalsRead, 'corridor' | 'settlementCurrency' | 'volatility'>>

function readAlone([route]: readonly RouteRead[], shared: Shared): SignalReport {
  if (route === undefined || route.unavailable.length > 0)
    return { kind: 'unavailable', signals: route?.unavailable ?? signalNames }
  const { readings, feeds } = route
  const { recommendedPartner } = shared.corridor
  return { kind: 'read', source: 'live', supported: true, ...shared, readings, feeds, recommendedPartner }
}

/**
 * A partner that cannot be read, or does not take the amount, is left out. If all are too small, those that can be read
 * decide without liquidity. Otherwise none left means that an outage hides one that may be fit.
 */
export function readPartners(
  routes: readonly RouteRead[],
  shared: Shared & Pick<PartnerChoice, 'toleranceHundredths'>,
  amount: number | null,
): SignalReport {
  const isTooSmall = ({ partner }: RouteRead): boolean => partner !== null && !takesAmount(partner, amount)
  const isTooLarge = routes.every(isTooSmall)
  const fit = routes.filter((route) => route.unavailable.length === 0 && (isTooLarge || !isTooSmall(route)))
  const [first] = fit
  if (first === undefined) {
    const missing = routes.filter((route) => isTooLarge || !isTooSmall(route))
    const signals = signalNames.filter((signal) => missing.some((one) => one.unavailable.includes(signal)))
    return { kind: 'unavailable', signals }
  }
  return {
    kind: 'partners',
    ...shared,
    isTooLarge,
    candidates: fit.map(({ partner, readings, feeds }) => ({
      partner: partner?.id ?? '',
      feeRule: partner?.fee ?? null,
      amountMax: partner?.amountMax ?? null,
      readings: isTooLarge ? withoutLiquidity(readings) : readings,
      ...(isTooLarge ? { liquidityThousandths: readings.balance_sufficient.healthThousandths } : {}),
      feeds,
    })),
    leftOut: routes
      .filter((route) => !fit.includes(route))
      .map((route) => ({
        partner: route.partner?.id ?? '',
        amountMax: isTooSmall(route) ? (route.partner?.amountMax ?? null) : null,
        signals: route.unavailable,
      })),
  }
}

/** The report for an unsupported corridor, which is never `GO`. */
export function noDataReport(corridor: Corridor) {
  return {
    kind: 'read',
    source: 'none',
    supported: false,
    readings: noReadings,
    volatility: 0,
    settlementCurrency: standardCurrency(corridor),
    recommendedPartner: null,
  } as const satisfies SignalReport
}

/** The same before revision 2, when the simulation stood in. */
export function simulatedReport(query: Parameters<typeof simulate>[0]) {
  return {
    ...noDataReport(query.corridor),
    source: 'simulation',
    readings: simulate(query),
    volatility: simulatedVolatility(query.corridor),
  } as const satisfies SignalReport
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
function unavailableSignalsOf(results: FeedResults): SignalName[] {
  return signalNames.filter((signal) => results[signal].kind === 'failed')
}

/** A missing value counts as the worst one. */
const worst: Readonly<Record<FeedScale, number>> = { flags: 1, rate: 1000, risk: 0 }

function observedOrWorst(results: FeedResults, nowMs: number): Record<SignalName, Observed> {
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
