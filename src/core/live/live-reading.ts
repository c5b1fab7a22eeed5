/** Live readings: from what seven feeds gave, on each signal's own scale, to what the scorer takes. */

import { scaleOf } from './feed-map.ts'
import {
  failureRiskThousandths,
  fraudRiskThousandths,
  signalNames,
  type Reading,
  type Readings,
  type SignalName,
} from '../decision/signals.ts'

/** How far a signal is trusted that was observed just now, with all the history that it needs. */
const liveConfidencePercentMax = 97
/** Nothing that may decide is trusted less. */
const liveConfidencePercentMin = 70
/** What a signal loses by the time it is as old as it may be. */
const agePercentMax = 15
/** What a signal loses that is made of a history of which nothing is there. */
const historyPercentMax = 12

export interface Observed {
  /** Flags, or thousandths: see `scaleOf`. */
  readonly scaled: number
  /** Null for what nobody observed. */
  readonly ageMs: number | null
  readonly maxAgeMs: number
  readonly history: { readonly have: number; readonly need: number } | null
}

/** Falls evenly with age and with what is missing of the history. What was never observed is trusted least. */
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
      riskThousandths: riskThousandthsOf(signal, one.scaled),
      confidencePercent: liveConfidencePercent(one),
    }
  }
  return {
    ...readings,
    fraudFlagCount: observed.fraud_flags.scaled,
    failureRatePermille: observed.historical_failure_rate.scaled,
  }
}

/** The risk value that follows from a signal on its own scale, by the rules of the scorer. */
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
