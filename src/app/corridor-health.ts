/** How a corridor is doing now: live signals where there are feeds and a live key asks, simulated ones otherwise. */

import type { Mode } from '../core/api-key.ts'
import { healthOf } from '../core/corridor-health.ts'
import { isSupported, type Corridor } from '../core/corridor.ts'
import { defaultCurrency as currency } from '../core/currency.ts'
import { decide } from '../core/decide.ts'
import type { Policy } from '../core/policy.ts'
import { thousands } from '../core/words.ts'
import { signalCategories, type Readings } from '../core/signals.ts'
import { simulate } from '../core/simulation.ts'
import { environmentOf } from './answer.ts'
import type { Clock, SignalSource } from './ports.ts'

export interface CorridorQuery {
  readonly ownerId: string
  readonly corridor: Corridor
  /** Health for payments of this size; null for everyday ones. */
  readonly amount: number | null
  readonly mode: Mode
}

export interface CorridorDeps {
  readonly signals: Readonly<Record<Mode, SignalSource>>
  readonly clock: Clock
  readonly policy: Policy
}

export type LookAtCorridor = ReturnType<typeof createLookAtCorridor>

export function createLookAtCorridor(deps: CorridorDeps) {
  /** Test amounts do not act: they speak of a payment and not of the corridor. */
  async function readingsOf(query: CorridorQuery): Promise<{ readings: Readings; liveSignals: number }> {
    const { live } = deps.signals
    if (query.mode === 'live' && isSupported(query.corridor) && live.signals.length > 0) {
      const report = await live.read({ ...query, currency })
      if (report.kind === 'read') return { readings: report.readings, liveSignals: live.signals.length }
    }
    return { readings: simulate({ ...query, currency }), liveSignals: 0 }
  }

  return async (query: CorridorQuery) => {
    const { corridor, amount, mode } = query
    const { readings, liveSignals } = await readingsOf(query)
    const { status, buckets, advisory } = healthOf(
      corridor,
      decide({ corridor, amount, currency, readings, policy: deps.policy }),
    )
    const bucketOf = (category: (typeof signalCategories)[number]) => {
      const bucket = buckets?.[category] ?? null
      return bucket === null
        ? { status: 'NO_DATA' as const, risk_value: null, signals: [] }
        : { status: bucket.label, risk_value: bucket.riskThousandths / 1000, signals: [...bucket.signals] }
    }
    return {
      corridor,
      corridor_supported: isSupported(corridor),
      amount,
      currency,
      status,
      data_environment: liveSignals > 0 ? ('mixed' as const) : ('simulation' as const),
      live_signals: liveSignals,
      signals: {
        fx: bucketOf('fx'),
        network: bucketOf('network'),
        settlement: bucketOf('settlement'),
        liquidity: bucketOf('liquidity'),
        compliance: bucketOf('compliance'),
      },
      advisory: `${buckets === null ? '' : forWhom(amount)}${advisory}${simulatedNote(buckets !== null, liveSignals, mode)}`,
      environment: environmentOf[mode],
      evaluated_at: new Date(deps.clock.nowMs()).toISOString(),
    }
  }
}

/** Health for large payments must not be mistaken for that of all. */
function forWhom(amount: number | null): string {
  return amount === null ? '' : `For payments of ${thousands(amount)} ${currency}, `
}

function simulatedNote(hasData: boolean, liveSignals: number, mode: Mode): string {
  if (!hasData || liveSignals > 0) return ''
  return mode === 'live'
    ? ' No live feed could be read: these signals are simulated, and live decisions are on hold.'
    : ' These signals are simulated; no payment rail was asked.'
}
