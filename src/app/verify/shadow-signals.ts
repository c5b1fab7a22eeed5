/** The shadow signal source: the simulation, including test amounts. */

import { isSupported, settlementCurrency } from '../../core/reference/corridor.ts'
import { bestPartner } from '../../core/shadow/partners.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { simulate, simulatedVolatility, type SimulationInput } from '../../core/shadow/simulation.ts'
import { scenarioOf } from '../../core/shadow/test-amounts.ts'
import type { SignalReport, SignalSource } from '../ports/signals.ts'

/** Test amounts do not apply to unsupported corridors, which have no providers. */
export function readShadow(
  query: SimulationInput,
  hasTestAmounts: boolean,
): Exclude<SignalReport, { kind: 'partners' }> {
  const supported = isSupported(query.corridor)
  const stated = supported ? scenarioOf(query.amount) : null
  const scenario = hasTestAmounts ? stated : null
  if (scenario !== null && scenario.unreachable.length > 0) {
    return { kind: 'unavailable', signals: scenario.unreachable }
  }
  const readings = simulate(query, scenario)
  return {
    kind: 'read',
    source: 'simulation',
    supported,
    settlementCurrency: settlementCurrency(query.corridor),
    readings,
    volatility: simulatedVolatility(query.corridor),
    recommendedPartner: bestPartner(query.corridor, readings),
    ...(stated === scenario ? {} : { ignoredTestAmount: true as const }),
  }
}

export function createShadowSignals(hasTestAmounts: boolean): SignalSource {
  return {
    signalsOf: () => signalNames,
    corridorOf: () => undefined,
    read: (query) => Promise.resolve(readShadow(query, hasTestAmounts)),
  }
}
