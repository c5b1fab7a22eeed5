/** The composite score, in integers: a weighted sum, the penalty, and one floor to hundredths; and how much scores vary. */

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

/** What the platform's telemetry says of the corridor, and how much of the score that may be. */
export interface Telemetry {
  /** 0 (worst) to 1000 (clear). */
  readonly scoreThousandths: number
  readonly weightPercent: number
}

export interface Score {
  /** The sum of the contributions, 0 to 100,000. */
  readonly composite: number
  /** What telemetry adds to the composite or takes from it, in ten-millionths of the score; 0 where it has no say. */
  readonly telemetryShift: number
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

export function scoreOf(factors: readonly Factor[], telemetry: Telemetry | null = null): Score {
  let composite = 0
  let flaggedCount = 0
  for (const factor of factors) {
    composite += factor.contribution
    if (factor.flagged) flaggedCount += 1
  }
  const telemetryShift = telemetry === null ? 0 : shiftBy(telemetry, composite, factors)
  const penaltyApplied = flaggedCount >= penaltyFlagCount
  const keptPercent = penaltyApplied ? 100 - penaltyPercent : 100
  const hundredths = Math.floor(((composite * 100 + telemetryShift) * keptPercent) / 10_000_000)
  return { composite, telemetryShift, flaggedCount, penaltyApplied, hundredths }
}

/**
 * The difference that (1 - w) of the composite and w of the telemetry make to the composite. Telemetry speaks of the
 * corridor and not of this payment: it never lifts one with an open fraud flag.
 */
function shiftBy(telemetry: Telemetry, composite: number, factors: readonly Factor[]): number {
  const shift = telemetry.weightPercent * (telemetry.scoreThousandths * 100 - composite)
  const isFraud = factors.some(({ signal, flagged }) => flagged && signal === 'fraud_flags')
  // Never minus zero.
  return (isFraud ? Math.min(0, shift) : shift) + 0
}

export function bandOf(scoreHundredths: number, goFloor: number = goFloorHundredths): Verdict {
  if (scoreHundredths >= goFloor) return 'GO'
  return scoreHundredths >= degradedFloorHundredths ? 'DEGRADED' : 'NO-GO'
}

/** The bands as they are published: from a score, and below the next one. */
export function bandTable() {
  const go = goFloorHundredths / 100
  const degraded = degradedFloorHundredths / 100
  return [
    { decision: 'GO' as const, score_from: go, score_below: 1.01 },
    { decision: 'DEGRADED' as const, score_from: degraded, score_below: go },
    { decision: 'NO-GO' as const, score_from: 0, score_below: degraded },
  ]
}

/**
 * The volatility of a corridor: the standard deviation of its recent scores. Hundredths in, score units out, to four
 * decimals; none or one score has none.
 */
export function volatilityOf(scoresHundredths: readonly number[]): number {
  const count = scoresHundredths.length
  if (count < 2) return 0
  let sum = 0
  let squares = 0
  for (const score of scoresHundredths) {
    sum += score
    squares += score * score
  }
  const variance = (squares * count - sum * sum) / (count * count)
  return Math.round(Math.sqrt(variance) * 100) / 10_000
}
