/** Reads live feeds on request and reports each signal: the check of operators and admins. */

import type { Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency, type Currency } from '../../core/reference/currency.ts'
import { riskThousandthsOf } from '../../core/live/live-reading.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import type { FeedResult, FeedSet } from '../ports/feeds.ts'
import type { Clock } from '../ports/system.ts'

export interface FeedCheckQuery {
  /** Null for every declared corridor. */
  readonly corridor: Corridor | null
  readonly partner: string | null
  readonly amount: number
  /** Null for the first of the corridor. */
  readonly currency: Currency | null
  /** The owner whose outcomes are read; null for none. */
  readonly ownerId: string | null
}

/** The results of one corridor, or of one of its partners. */
export interface FeedCheck {
  readonly corridor: Corridor
  readonly partner: string | null
  readonly amount: number
  readonly currency: Currency
  readonly feeds: readonly CheckedSignal[]
}

export type CheckedSignal = ReturnType<typeof checkedSignal>

/** The declared corridors that a query is about. */
export function corridorsToCheck(
  feeds: FeedSet,
  { corridor: name, partner }: Pick<FeedCheckQuery, 'corridor' | 'partner'>,
) {
  return [...feeds.world.corridors.values()].filter(
    ({ corridor, partners }) =>
      (name === null || corridor === name) && (partner === null || partners.some(({ id }) => id === partner)),
  )
}

/** One corridor after another, so that a large world does not ask its providers for everything at once. */
export async function checkFeeds(feeds: FeedSet, query: FeedCheckQuery, clock: Clock): Promise<FeedCheck[]> {
  const { partner, amount, ownerId } = query
  const checks: FeedCheck[] = []
  for (const { corridor, currencies } of corridorsToCheck(feeds, query)) {
    const currency = query.currency ?? currencies[0] ?? defaultCurrency
    const only = partner === null ? {} : { partners: [partner] }
    const routes = await feeds.read({ ownerId, corridor, amount, currency, ...only })
    for (const route of routes) {
      const nowMs = clock.nowMs()
      const signals = signalNames.map((signal) => checkedSignal(signal, route.results[signal], nowMs))
      checks.push({ corridor, partner: route.partner?.id ?? null, amount, currency, feeds: signals })
    }
  }
  return checks
}

function checkedSignal(signal: SignalName, result: FeedResult, nowMs: number) {
  const isRead = result.kind === 'read'
  const observedAtMs = isRead ? result.observedAtMs : null
  return {
    signal,
    source: result.feed,
    value: isRead ? result.value : null,
    risk_value: isRead ? riskThousandthsOf(signal, result.scaled) / 1000 : null,
    age_ms: observedAtMs === null ? null : Math.max(0, nowMs - observedAtMs),
    latency_ms: Math.round(result.latencyMs * 10) / 10,
    error: isRead ? null : result.fault,
    detail: isRead ? null : result.detail,
  }
}
