/** The telemetry of what a probe could read without a payment: a composite, and whether it is impaired. */

import { penaltyFlagCount } from '../decision/score.ts'
import {
  flagThresholdThousandths,
  labelOf,
  signalNames,
  weightPercent,
  type SignalName,
} from '../decision/signals.ts'

/** The risk value of each signal: null if it could not be read, absent if it needs a payment. */
export type ProbedRisks = Readonly<Partial<Record<SignalName, number | null>>>

/** In hundred-thousandths of a score, from the weights of the signals that were read; null if one was not, or none. */
export function probedComposite(risks: ProbedRisks): number | null {
  let sum = 0
  let weights = 0
  for (const signal of signalNames) {
    const risk = risks[signal]
    if (risk === null) return null
    if (risk === undefined) continue
    sum += weightPercent[signal] * risk
    weights += weightPercent[signal]
  }
  return weights === 0 ? null : Math.floor((sum * 100) / weights)
}

/** As for the health of a corridor: a signal that cannot be read, a critical one, or as many flags as the penalty needs. */
export function isImpaired(risks: ProbedRisks): boolean {
  const values = signalNames.flatMap((signal) => risks[signal] ?? [])
  const flagged = values.filter((risk) => risk < flagThresholdThousandths)
  return (
    signalNames.some((signal) => risks[signal] === null) ||
    flagged.length >= penaltyFlagCount ||
    values.some((risk) => labelOf(risk) === 'CRITICAL')
  )
}
