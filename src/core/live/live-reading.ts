/** Converts feed values, each on its signal's scale, to readings for the scorer. */

import { scaleOf } from './feed-map.ts'
import {
  failureRiskThousandths,
  fraudRiskThousandths,
  signalNames,
  type Reading,
  type Readings,
  type SignalName,
  wrongCurrencyThousandths,
} from '../decision/signals.ts'

/** The confidence in a signal observed just now with a complete history. */
const liveConfidencePercentMax = 97
/** The lowest confidence of a usable signal. */
const liveConfidencePercentMin = 70
/** Subtracted at the maximum age. */
const agePercentMax = 15
/** Subtracted for an empty history. */
const historyPercentMax = 12

export interface Observed {
  /** Flags, or thousandths: see `scaleOf`. */
  readonly scaled: number
  /** Null if never observed. */
  readonly ageMs: number | null
  readonly maxAgeMs: number
  readonly history: { readonly have: number; readonly need: number } | null
}

/** Falls linearly with age and with the missing part of the history; lowest for a value that was never observed. */
export function liveConfidencePercent({ ageMs, maxAgeMs, history }: Observed): number {
  if (ageMs === null) return liveConfidencePercentMin
  const age = Math.min(1, Math.max(0, ageMs) / maxAgeMs)
  const missing = history === null ? 0 : Math.max(0, 1 - history.have / history.need)
  const lost = Math.ceil(agePercentMax * age) + Math.ceil(historyPercentMax * missing)
  return Math.max(liveConfidencePercentMin, liveConfidencePercentMax - lost)
}

export function liveReadings(observed: Readonly<Record<SignalName, Observed>>): Readings {
  const readings = {} as Record<SignalName, Reading>
  for (const signal of signalNames) {
    const one = observed[signal]
    readings[signal] = {
      healthThousandths: riskThousandthsOf(signal, one.scaled),
      confidencePercent: liveConfidencePercent(one),
    }
  }
  return {
    ...readings,
    fraudFlagCount: observed.fraud_flags.scaled,
    failureRatePermille: observed.historical_failure_rate.scaled,
  }
}

/** The risk value of a signal's value on its own scale. */
export function riskThousandthsOf(signal: SignalName, scaled: number): number {
  switch (scaleOf[signal]) {
    case 'flags':
      return fraudRiskThousandths(scaled, 1000)
    case 'rate':
      return failureRiskThousandths(scaled)
    case 'risk':
      return scaled
  }
}

/** No feed knows the payment's currency: one that the corridor does not take makes the operation invalid. */
export function withWrongCurrency(readings: Readings): Readings {
  return lowered(readings, 'operation_valid', wrongCurrencyThousandths)
}

/** No partner takes the amount, whatever its liquidity for smaller ones. */
export function withoutLiquidity(readings: Readings): Readings {
  return lowered(readings, 'balance_sufficient', 0)
}

/** The inverse, for a partner and an amount that it takes. */
export function withLiquidity(readings: Readings, healthThousandths: number): Readings {
  return { ...readings, balance_sufficient: { ...readings.balance_sufficient, healthThousandths } }
}

function lowered(readings: Readings, signal: SignalName, mostThousandths: number): Readings {
  const healthThousandths = Math.min(readings[signal].healthThousandths, mostThousandths)
  return { ...readings, [signal]: { ...readings[signal], healthThousandths } }
}
