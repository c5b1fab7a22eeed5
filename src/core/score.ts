/** The composite score, in integers: a weighted sum, the penalty, and one floor to hundredths. */

import {
  fraudRiskThousandths,
  signalNames,
  weightPercent,
  type Readings,
  type SignalName,
} from './signals.ts'

export type Verdict = 'GO' | 'DEGRADED' | 'NO-GO'

/** One signal's share in the score. Contributions are in hundred-thousandths of the score. */
export interface Factor {
  readonly signal: SignalName
  readonly riskThousandths: number
  readonly contribution: number
  readonly flagged: boolean
}

export interface Score {
  /** The sum of the contributions, 0 to 100,000. */
  readonly composite: number
  readonly flaggedCount: number
  readonly penaltyApplied: boolean
  /** The published score, 0 to 100: composite less penalty, floored once. */
  readonly hundredths: number
}

/** From this many flagged signals on, the penalty applies. */
export const penaltyFlagCount = 3
/** The penalty takes a quarter. */
export const penaltyPercent = 25

/** `GO` starts here in the balanced profile; `DEGRADED` starts at `degradedFloorHundredths` in every profile. */
export const goFloorHundredths = 80
export const degradedFloorHundredths = 48

/** The flags are given, since an unsupported corridor's signals are never flagged. */
export function weigh(readings: Readings, isFlagged: (signal: SignalName) => boolean): Factor[] {
  return signalNames.map((signal) => {
    const observed = readings[signal].riskThousandths
    // Whoever observed it, an open fraud flag bounds its own risk value.
    const riskThousandths =
      signal === 'fraud_flags' ? fraudRiskThousandths(readings.fraudFlagCount, observed) : observed
    const contribution = weightPercent[signal] * riskThousandths
    return { signal, riskThousandths, contribution, flagged: isFlagged(signal) }
  })
}

export function scoreOf(factors: readonly Factor[]): Score {
  let composite = 0
  let flaggedCount = 0
  for (const factor of factors) {
    composite += factor.contribution
    if (factor.flagged) flaggedCount += 1
  }
  const penaltyApplied = flaggedCount >= penaltyFlagCount
  const keptPercent = penaltyApplied ? 100 - penaltyPercent : 100
  const hundredths = Math.floor((composite * keptPercent) / 100_000)
  return { composite, flaggedCount, penaltyApplied, hundredths }
}

export function bandOf(scoreHundredths: number, goFloor: number = goFloorHundredths): Verdict {
  if (scoreHundredths >= goFloor) return 'GO'
  return scoreHundredths >= degradedFloorHundredths ? 'DEGRADED' : 'NO-GO'
}
