/**
 * The shadow world: a documented, deterministic model of the seven signals. Calm for everyday amounts, tenser with
 * each larger one, and never moved by anything but its input. See docs/methodology.md.
 */

import { isSupported, takesCurrency, type Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { hash32 } from './hash.ts'
import {
  failureRiskThousandths,
  signalNames,
  type Reading,
  type Readings,
  type SignalName,
} from '../decision/signals.ts'
import type { Scenario } from './test-amounts.ts'
import { volatilityOf } from '../decision/score.ts'

export interface SimulationInput {
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
}

/** Risk values at each knot of the amount, in request units; straight lines between, flat beyond the last. */
const knotAmounts = [0, 15_000, 50_000, 85_000, 250_000, 500_000, 1_000_000]
const knots: Readonly<Record<SignalName, readonly number[]>> = {
  fraud_flags: [970, 960, 930, 860, 780, 700, 600],
  network_healthy: [960, 940, 880, 790, 700, 600, 520],
  balance_sufficient: [970, 930, 700, 520, 350, 200, 50],
  fx_volatility: [930, 910, 760, 600, 570, 540, 530],
  operation_valid: [990, 990, 990, 990, 990, 990, 990],
  historical_failure_rate: [940, 930, 870, 800, 700, 560, 500],
  cop_overridden: [990, 990, 990, 990, 990, 990, 990],
}

/** What a corridor takes off each risk value; the way back from Nigeria is a little rougher than the way there. */
const corridorStrain: Readonly<Record<string, Partial<Record<SignalName, number>>>> = {
  'GB-NG': {},
  'NG-GB': { network_healthy: 20, balance_sufficient: 20, fx_volatility: 30, historical_failure_rate: 10 },
}

/** A currency that the corridor does not take. */
const wrongCurrencyThousandths = 100

/** How far each simulated signal is trusted at an everyday amount. */
const confidencePercent: Readonly<Record<SignalName, number>> = {
  fraud_flags: 95,
  network_healthy: 93,
  balance_sufficient: 92,
  fx_volatility: 94,
  operation_valid: 97,
  historical_failure_rate: 90,
  cop_overridden: 96,
}
const confidencePercentMin = 70

/** How much less a signal that speaks of the amount is trusted: everyday, above 50,000, above 250,000, unknown. */
const doubtPercents = [0, 6, 14, 10] as const

/** Signals that speak of the amount, and so are less certain where amounts are rare or unknown. */
const amountBound: ReadonlySet<SignalName> = new Set([
  'balance_sufficient',
  'fx_volatility',
  'historical_failure_rate',
])

const trustByDoubt = doubtPercents.map((doubt) => {
  const trust = {} as Record<SignalName, number>
  for (const signal of signalNames) {
    const less = amountBound.has(signal) ? doubt : 0
    trust[signal] = Math.max(confidencePercentMin, confidencePercent[signal] - less)
  }
  return trust
})

function trustAt(amount: number | null): Readonly<Record<SignalName, number>> {
  const place = amount === null ? 3 : amount > 250_000 ? 2 : amount > 50_000 ? 1 : 0
  return trustByDoubt[place] ?? confidencePercent
}

export function simulate(input: SimulationInput, scenario: Scenario | null = null): Readings {
  return isSupported(input.corridor) ? supportedReadings(input, scenario) : unsupportedReadings(input)
}

function supportedReadings(input: SimulationInput, scenario: Scenario | null): Readings {
  const { corridor, amount, currency } = input
  const strain = corridorStrain[corridor] ?? {}
  const fraudFlagCount = scenario?.fraudFlagCount ?? 0
  // Whole units decide: integers only, so that a larger amount never gets a better value by rounding.
  const units = Math.floor(amount ?? 0)
  const knot = knotAbove(units)
  const risk = (signal: SignalName): number => {
    const calm = riskAt(knots[signal], knot, units) - (strain[signal] ?? 0)
    return scenario === null ? calm : Math.min(calm, scenario.risks[signal] ?? 1000)
  }
  // The rate is the observation and the risk follows from it, so that the two always agree.
  const failureRatePermille = Math.ceil((1000 - risk('historical_failure_rate')) / 5)
  const risks: Record<SignalName, number> = {
    fraud_flags: risk('fraud_flags'),
    network_healthy: risk('network_healthy'),
    balance_sufficient: risk('balance_sufficient'),
    fx_volatility: risk('fx_volatility'),
    operation_valid: takesCurrency(corridor, currency)
      ? risk('operation_valid')
      : Math.min(risk('operation_valid'), wrongCurrencyThousandths),
    historical_failure_rate: failureRiskThousandths(failureRatePermille),
    cop_overridden: risk('cop_overridden'),
  }
  return readingsOf(risks, amount, fraudFlagCount, failureRatePermille)
}

/** Nothing is known: every signal stands in the middle band, neither a comfort nor a flag. */
function unsupportedReadings({ corridor, amount }: SimulationInput): Readings {
  const { middling, failureRatePermille } = knownOf(corridor)
  return readingsOf(middling, amount, 0, failureRatePermille)
}

function readingsOf(
  risks: Readonly<Record<SignalName, number>>,
  amount: number | null,
  fraudFlagCount: number,
  failureRatePermille: number,
): Readings {
  const trust = trustAt(amount)
  const reading = (signal: SignalName): Reading => ({
    riskThousandths: risks[signal],
    confidencePercent: trust[signal],
  })
  return {
    fraudFlagCount,
    failureRatePermille,
    fraud_flags: reading('fraud_flags'),
    network_healthy: reading('network_healthy'),
    balance_sufficient: reading('balance_sufficient'),
    fx_volatility: reading('fx_volatility'),
    operation_valid: reading('operation_valid'),
    historical_failure_rate: reading('historical_failure_rate'),
    cop_overridden: reading('cop_overridden'),
  }
}

/** The first knot beyond the amount; none beyond the last. */
function knotAbove(units: number): number {
  let knot = 1
  while (knot < knotAmounts.length && units >= (knotAmounts[knot] ?? 0)) knot += 1
  return knot
}

function riskAt(values: readonly number[], knot: number, units: number): number {
  const from = values[knot - 1] ?? 0
  if (knot === knotAmounts.length) return from
  const low = knotAmounts[knot - 1] ?? 0
  const high = knotAmounts[knot] ?? 0
  const fall = from - (values[knot] ?? 0)
  return from - Math.ceil((fall * (units - low)) / (high - low))
}

/** The corridor's recent scores in the shadow world, in hundredths; a corridor without data swings more widely. */
function recentScores(corridor: Corridor): number[] {
  const supported = isSupported(corridor)
  const middle = supported ? 94 : 60
  const swing = supported ? 4 : 12
  return Array.from({ length: 30 }, (_, index) => {
    const turn = hash32(`${corridor}|recent|${index}`) % (2 * swing + 1)
    return middle - swing + turn
  })
}

/** What never changes of a corridor. */
interface KnownCorridor {
  readonly volatility: number
  /** The risk values where nothing else is known, and the failure rate that agrees with them. */
  readonly middling: Readonly<Record<SignalName, number>>
  readonly failureRatePermille: number
}

/** Worked out once; so many corridors are remembered. */
const known = new Map<Corridor, KnownCorridor>()
const knownMax = 1_000

function knownOf(corridor: Corridor): KnownCorridor {
  let found = known.get(corridor)
  if (found === undefined) {
    found = workedOut(corridor)
    if (known.size >= knownMax) known.clear()
    known.set(corridor, found)
  }
  return found
}

function workedOut(corridor: Corridor): KnownCorridor {
  const middling = {} as Record<SignalName, number>
  for (const signal of signalNames) middling[signal] = 550 + (hash32(`${corridor}|${signal}`) % 150)
  const failureRatePermille = Math.ceil((1000 - middling.historical_failure_rate) / 5)
  middling.historical_failure_rate = failureRiskThousandths(failureRatePermille)
  return { volatility: volatilityOf(recentScores(corridor)), middling, failureRatePermille }
}

export function simulatedVolatility(corridor: Corridor): number {
  return knownOf(corridor).volatility
}
