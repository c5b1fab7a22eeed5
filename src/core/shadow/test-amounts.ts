/** Test amounts: like test card numbers, the two decimals of an amount select a simulated scenario. */

import type { SignalName } from '../decision/signals.ts'

/** Changes to the simulated readings. A scenario only makes them worse. */
export interface Scenario {
  readonly summary: string
  readonly fraudFlagCount: number
  readonly risks: Readonly<Partial<Record<SignalName, number>>>
  /** Unreachable providers; if there are any, no decision is made. */
  readonly unreachable: readonly SignalName[]
}

const calm = { fraudFlagCount: 0, risks: {}, unreachable: [] }

export const scenarios: Readonly<Record<string, Scenario>> = {
  '01': { ...calm, summary: 'one open fraud flag', fraudFlagCount: 1 },
  '02': { ...calm, summary: 'the settlement network is degraded', risks: { network_healthy: 250 } },
  '03': {
    ...calm,
    summary: 'partner liquidity is short, which also strains network and FX',
    risks: { balance_sufficient: 100, network_healthy: 840, fx_volatility: 720 },
  },
  '04': { ...calm, summary: 'FX volatility is high', risks: { fx_volatility: 200 } },
  '05': { ...calm, summary: 'the operation is not valid for the corridor', risks: { operation_valid: 0 } },
  '06': {
    ...calm,
    summary: 'one in seven recent settlements failed',
    risks: { historical_failure_rate: 300 },
  },
  '07': { ...calm, summary: 'Confirmation of Payee was bypassed', risks: { cop_overridden: 150 } },
  '08': {
    ...calm,
    summary: 'four signals are flagged: the penalty applies and the score is NO-GO',
    fraudFlagCount: 2,
    risks: { network_healthy: 200, balance_sufficient: 150, fx_volatility: 300 },
  },
  '09': {
    ...calm,
    summary: 'two providers are unreachable: 503, and nothing is stored',
    unreachable: ['fx_volatility', 'network_healthy'],
  },
}

/** The scenario of an amount with exactly these two decimals, or null; `1000.005` has none. */
export function scenarioOf(amount: number | null): Scenario | null {
  if (amount === null || Number.isInteger(amount)) return null
  const written = amount.toFixed(2)
  return Number(written) === amount ? (scenarios[written.slice(-2)] ?? null) : null
}
