/** The shadow signal source: the simulation, with the test amounts of the sandbox. */

import { isSupported } from '../../core/reference/corridor.ts'
import { bestPartner } from '../../core/shadow/partners.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { simulate, simulatedVolatility, type SimulationInput } from '../../core/shadow/simulation.ts'
import { scenarioOf } from '../../core/shadow/test-amounts.ts'
import type { SignalReport, SignalSource } from '../ports/signals.ts'

/** An unsupported corridor has no providers, so no test amount can flag or silence them. */
export function readShadow(query: SimulationInput): SignalReport {
  const scenario = isSupported(query.corridor) ? scenarioOf(query.amount) : null
  if (scenario !== null && scenario.unreachable.length > 0) {
    return { kind: 'unavailable', signals: scenario.unreachable }
  }
  const readings = simulate(query, scenario)
  return {
    kind: 'read',
    source: 'simulation',
    readings,
    volatility: simulatedVolatility(query.corridor),
    recommendedPartner: bestPartner(query.corridor, readings),
  }
}

export const shadowSignals: SignalSource = {
  signals: signalNames,
  read: (query) => Promise.resolve(readShadow(query)),
}
