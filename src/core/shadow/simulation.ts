/**
 * The simulation: a deterministic model of the seven signals. Risk rises with the amount, and nothing but the input
 * affects it. See docs/methodology.md.
 */

import { isSupported, acceptsCurrency, type Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { hash32 } from './hash.ts'
import {
  failureRiskThousandths,
  signalNames,
  type Reading,
  type Readings,
  type SignalName,
  wrongCurrencyThousandths,
} from '../decision/signals.ts'
import type { Scenario } from './test-amounts.ts'
import { volatilityOf } from '../decision/score.ts'

export interface SimulationInput {
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
}

/** Risk values at each knot of the amount, in request units; linear in between, constant beyond the last. */
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

/** Subtracted from each risk value by corridor; NG-GB is slightly worse than GB-NG. */
const corridorStrain: Readonly<Record<string, Partial<Record<SignalName, number>>>> = {
  'GB-NG': {},
  'NG-GB': { network_healthy: 20, balance_sufficient: 20, fx_volatility: 30, historical_failure_rate: 10 },
}

/** The confidence in each simulated signal at everyday amounts. */
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

/** Subtracted from the confidence of `amountBound` signals: everyday, above 50,000, above 250,000, unknown amount. */
const doubtPercents = [0, 6, 14, 10] as const

/** Signals that depend on the amount, and so are less certain for rare or unknown amounts. */
const amountBound: ReadonlySet<SignalName> = new Set([
  'balance_sufficient',
  'fx_volatility',
  'historical_failure_rate',
])

const confidenceByDoubt = doubtPercents.map((doubt) => {
  const confidence = {} as Record<SignalName, number>
  for (const signal of signalNames) {
    const reduction = amountBound.has(signal) ? doubt : 0
    confidence[signal] = Math.max(confidencePercentMin, confidencePercent[signal] - reduction)
  }
  return confidence
})

function confidenceAt(amount: number | null): Readonly<Record<SignalName, number>> {
  const index = amount === null ? 3 : amount > 250_000 ? 2 : amount > 50_000 ? 1 : 0
  return confidenceByDoubt[index] ?? confidencePercent
}

export function simulate(input: SimulationInput, scenario: Scenario | null = null): Readings {
  return isSupported(input.corridor) ? supportedReadings(input, scenario) : unsupportedReadings(input)
}

function supportedReadings(input: SimulationInput, scenario: Scenario | null): Readings {
  const { corridor, amount, currency } = input
  const corridorPenalty = corridorStrain[corridor] ?? {}
  const fraudFlagCount = scenario?.fraudFlagCount ?? 0
  // Integers only, so that rounding never gives a larger amount a better value.
  const units = Math.floor(amount ?? 0)
  const knot = knotAbove(units)
  const risk = (signal: SignalName): number => {
    const calm = riskAt(knots[signal], knot, units) - (corridorPenalty[signal] ?? 0)
    return scenario === null ? calm : Math.min(calm, scenario.risks[signal] ?? 1000)
  }
  // The risk value is derived from the rate, so that the two always agree.
  const failureRatePermille = Math.ceil((1000 - risk('historical_failure_rate')) / 5)
  const risks: Record<SignalName, number> = {
    fraud_flags: risk('fraud_flags'),
    network_healthy: risk('network_healthy'),
    balance_sufficient: risk('balance_sufficient'),
    fx_volatility: risk('fx_volatility'),
    operation_valid: acceptsCurrency(corridor, currency)
      ? risk('operation_valid')
      : Math.min(risk('operation_valid'), wrongCurrencyThousandths),
    historical_failure_rate: failureRiskThousandths(failureRatePermille),
    cop_overridden: risk('cop_overridden'),
  }
  return readingsOf(risks, amount, fraudFlagCount, failureRatePermille)
}

/** There is no data: every signal has a middle value, which is neither clear nor flagged. */
function unsupportedReadings({ corridor, amount }: SimulationInput): Readings {
  const { middleRisks, failureRatePermille } = constantsOf(corridor)
  return readingsOf(middleRisks, amount, 0, failureRatePermille)
}

function readingsOf(
  risks: Readonly<Record<SignalName, number>>,
  amount: number | null,
  fraudFlagCount: number,
  failureRatePermille: number,
): Readings {
  const confidence = confidenceAt(amount)
  const reading = (signal: SignalName): Reading => ({
    healthThousandths: risks[signal],
    confidencePercent: confidence[signal],
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

/** The index of the first knot beyond the amount; the number of knots if there is none. */
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

/** Simulated recent scores of a corridor, in hundredths; they vary more on an unsupported corridor. */
function recentScores(corridor: Corridor): number[] {
  const supported = isSupported(corridor)
  const middle = supported ? 94 : 60
  const swing = supported ? 4 : 12
  return Array.from({ length: 30 }, (_, index) => {
    const turn = hash32(`${corridor}|recent|${index}`) % (2 * swing + 1)
    return middle - swing + turn
  })
}

interface CorridorConstants {
  readonly volatility: number
  /** The risk values of an unsupported corridor, and the failure rate that agrees with them. */
  readonly middleRisks: Readonly<Record<SignalName, number>>
  readonly failureRatePermille: number
}

const cache = new Map<Corridor, CorridorConstants>()
const cachedCorridorsMax = 1_000

function constantsOf(corridor: Corridor): CorridorConstants {
  let constants = cache.get(corridor)
  if (constants === undefined) {
    constants = computeConstants(corridor)
    if (cache.size >= cachedCorridorsMax) cache.clear()
    cache.set(corridor, constants)
  }
  return constants
}

function computeConstants(corridor: Corridor): CorridorConstants {
  const middleRisks = {} as Record<SignalName, number>
  for (const signal of signalNames) middleRisks[signal] = 550 + (hash32(`${corridor}|${signal}`) % 150)
  const failureRatePermille = Math.ceil((1000 - middleRisks.historical_failure_rate) / 5)
  middleRisks.historical_failure_rate = failureRiskThousandths(failureRatePermille)
  return { volatility: volatilityOf(recentScores(corridor)), middleRisks, failureRatePermille }
}

export function simulatedVolatility(corridor: Corridor): number {
  return constantsOf(corridor).volatility
}
