/** The partners of a live corridor as they are now: results, fees, feeds, and the last 24 hours. */

import { decide, type Decision } from '../../core/decision/decide.ts'
import { takesAmount, type Policy } from '../../core/decision/policy.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { feeAmount, feeFor } from '../../core/live/fee.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { dayMs, hourMs, iso } from '../../core/time/durations.ts'
import type { CipStore, CorridorStatus, PartnerHour } from '../ports/cip.ts'
import type { FeedResult, FeedState, RouteResults } from '../ports/feeds.ts'
import { readPartners, routeRead } from '../verify/live-signals.ts'
import { decideOn } from '../verify/partner-choice.ts'

export interface LiveView {
  readonly corridor: LiveCorridor
  readonly amount: number | null
  readonly currency: Currency
  readonly policy: Policy
  readonly toleranceHundredths: number
  readonly nowMs: number
}

/** The decision that the corridor's health goes by, and the signals that it lacks. */
export interface CorridorVerdict {
  readonly decision: Decision
  readonly unavailable: readonly SignalName[]
  /** That of the partner that the answer is for; the first if none can be read. */
  readonly route: RouteResults
  /** Null if none is fit, or none is declared. */
  readonly recommended: string | null
  /** The ids of ranked partners, best first. */
  readonly order: readonly string[]
}

/** As verify decides: by the best partner. If none is left, by the first one's readings, where a missing one is the worst. */
export function corridorVerdict(routes: readonly RouteResults[], view: LiveView): CorridorVerdict {
  const { corridor, amount, currency, policy, nowMs, toleranceHundredths } = view
  const [first] = routes
  if (first === undefined) throw new Error('a declared corridor has a route')
  const read = routes.map((route) => routeRead(route, corridor, currency, nowMs))
  const payment = { corridor: corridor.corridor, amount, currency, policy }
  const shared = {
    corridor,
    settlementCurrency: corridor.settlementCurrency,
    volatility: 0,
    toleranceHundredths,
  }
  const report = first.partner === null ? null : readPartners(read, shared, amount)
  if (report?.kind === 'partners') {
    const { decision, partners } = decideOn(report, payment)
    const best = routes.find(({ partner }) => partner?.id === partners?.ranked[0]?.partner) ?? first
    const isFit = decision.verdict !== 'NO-GO' && !report.isTooLarge
    const recommended = isFit ? (best.partner?.id ?? null) : null
    const order = partners?.ranked.map(({ partner }) => partner) ?? []
    return { decision, unavailable: [], route: best, recommended, order }
  }
  const own = routeRead(first, corridor, currency, nowMs)
  const decision = decide({ ...payment, supported: true, readings: own.readings })
  const unavailable =
    report?.kind === 'unavailable'
      ? signalNames.filter((one) => report.signals.includes(one))
      : own.unavailable
  return { decision, unavailable, route: first, recommended: null, order: [] }
}

export interface Telemetry {
  readonly hours: readonly PartnerHour[]
  readonly statuses: readonly CorridorStatus[]
}

/** The last 24 hours, and the announced statuses. */
export async function telemetryFor(
  cip: Pick<CipStore, 'partnerHours' | 'statuses'>,
  { corridor }: LiveCorridor,
  nowMs: number,
): Promise<Telemetry> {
  const [hours, statuses] = await Promise.all([
    cip.partnerHours(corridor, nowMs - dayMs + hourMs),
    cip.statuses(corridor),
  ])
  return { hours, statuses }
}

export function partnerRows(
  routes: readonly RouteResults[],
  states: readonly FeedState[],
  view: LiveView,
  telemetry: Telemetry,
) {
  const { corridor, amount, currency, policy, nowMs } = view
  return routes.flatMap((route) => {
    const { partner } = route
    if (partner === null) return []
    const { readings, unavailable } = routeRead(route, corridor, currency, nowMs)
    const isTooSmall = !takesAmount(partner, amount)
    const isAvailable = unavailable.length === 0
    const fee = feeFor(partner.fee, amount, currency)
    const payment = { corridor: corridor.corridor, supported: true, amount, currency, policy }
    const decision = isAvailable && !isTooSmall ? decide({ ...payment, readings }) : null
    const status = telemetry.statuses.find((one) => one.partner === partner.id) ?? null
    return [
      {
        partner: partner.id,
        name: partner.name,
        decision: decision?.verdict ?? null,
        score: decision === null ? null : decision.scoreHundredths / 100,
        fee: fee === null ? null : feeAmount(fee),
        fee_currency: partner.fee?.currency ?? null,
        amount_max: partner.amountMax,
        available: isAvailable && !isTooSmall,
        unavailable_signals: [...unavailable],
        status: status?.status ?? null,
        status_since: iso(status?.sinceMs ?? null),
        feeds: feedRows(route, states, corridor, nowMs),
        last_24_hours: hourRows(telemetry.hours.filter((hour) => hour.partner === partner.id)),
      },
    ]
  })
}

/** Hours that were observed, oldest first. */
export function hourRows(hours: readonly PartnerHour[]) {
  return hours.map(({ startedAtMs, observations, unavailable, compositeSum }) => {
    const read = observations - unavailable
    return {
      hour: iso(startedAtMs),
      observations,
      availability: Math.floor((read * 1000) / observations) / 1000,
      score: read === 0 ? null : Math.floor(compositeSum / read / 1000) / 100,
    }
  })
}

/** The current state of each feed of a partner, or of a corridor without partners. */
export function feedRows(
  { partner, results }: RouteResults,
  states: readonly FeedState[],
  { corridor }: LiveCorridor,
  nowMs: number,
) {
  return signalNames.map((signal) => {
    const result = results[signal]
    const observedAtMs = result.kind === 'read' ? result.observedAtMs : null
    const own = states.filter((one) => one.signal === signal)
    // In the order in which feeds are chosen: the partner's, the corridor's, the file's.
    const state =
      own.find((one) => partner !== null && one.partner === partner.id) ??
      own.find((one) => one.corridor === corridor) ??
      own.find((one) => one.partner === null && one.corridor === null)
    return {
      signal,
      kind: result.feed,
      status: freshnessOf(result),
      observed_at: iso(observedAtMs),
      age_ms: observedAtMs === null ? null : Math.max(0, nowMs - observedAtMs),
      fault: result.kind === 'read' ? null : result.fault,
      breaker: state?.breaker ?? null,
    }
  })
}

/** A value without an observation time is assumed, not fresh. */
function freshnessOf(result: FeedResult) {
  if (result.kind === 'failed') return 'unavailable' as const
  return result.observedAtMs === null ? ('assumed' as const) : ('fresh' as const)
}
