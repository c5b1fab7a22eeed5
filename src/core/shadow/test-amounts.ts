/** Test amounts: as with test cards, the two decimals of an amount choose what the shadow world does. */

import type { SignalName } from '../decision/signals.ts'

/** What a scenario does to the calm readings: it only ever makes them worse. */
export interface Scenario {
  readonly summary: string
  readonly fraudFlagCount: number
  readonly risks: Readonly<Partial<Record<SignalName, number>>>
  /** Providers that cannot be reached; where there are any, no decision is made. */
  readonly unreachable: readonly SignalName[]
}

const calm = { fraudFlagCount: 0, risks: {}, unreachable: [] }

export const scenarios: Readonly<Record<string, Scenario>> = {
  '01': { ...calm, summary: 'one open fraud flag', fraudFlagCount: 1 },
  '02': { ...calm, summary: 'the settlement network is degraded', risks: { network_healthy: 250 } },
  '03': {
    ...calm,
    summary: 'partner liquidity is short, and the squeeze is felt in network and FX',
    risks: { balance_sufficient: 100, network_healthy: 840, fx_volatility: 720 },
  },
  '04': { ...calm, summary: 'FX volatility is high', risks: { fx_volatility: 200 } },
  '05': { ...calm, summary: 'the operation is not valid for the corridor', risks: { operation_valid: 0 } },
  '06': {
    ...calm,
    summary: 'one in seven settlements failed lately',
    risks: { historical_failure_rate: 300 },
  },
  '07': { ...calm, summary: 'Confirmation of Payee was bypassed', risks: { cop_overridden: 150 } },
  '08': {
    ...calm,
    summary: 'four signals flagged at once: the penalty applies and the score is NO-GO',
    fraudFlagCount: 2,
    risks: { network_healthy: 200, balance_sufficient: 150, fx_volatility: 300 },
  },
  '09': {
    ...calm,
    summary: 'two providers cannot be reached: 503, and nothing is stored',
    unreachable: ['fx_volatility', 'network_healthy'],
  },
}

/** The scenario of an amount with exactly such decimals, or null; `1000.005` has none. */
export function scenarioOf(amount: number | null): Scenario | null {
  if (amount === null || Number.isInteger(amount)) return null
  const written = amount.toFixed(2)
  return Number(written) === amount ? (scenarios[written.slice(-2)] ?? null) : null
}
