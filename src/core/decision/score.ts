/** The score in integer arithmetic: weighted sum, penalty, one floor to hundredths. Also the volatility of scores. */

import {
  fraudRiskThousandths,
  signalNames,
  weightPercent,
  type Readings,
  type SignalName,
} from './signals.ts'

export type Verdict = 'GO' | 'DEGRADED' | 'NO-GO'

/** One signal's part of the score. Contributions are in hundred-thousandths of the score. */
export interface Factor {
  readonly signal: SignalName
  readonly healthThousandths: number
  readonly contribution: number
  readonly flagged: boolean
}

/** The telemetry score of the corridor, and its weight in the decision's score. */
export interface Telemetry {
  /** 0 (worst) to 1000 (clear). */
  readonly scoreThousandths: number
  readonly weightPercent: number
}

export interface Score {
  /** The sum of the contributions, 0 to 100,000. */
  readonly composite: number
  /** Added to the composite by telemetry, in ten-millionths of the score; may be negative, 0 without telemetry. */
  readonly telemetryShift: number
  readonly flaggedCount: number
  readonly penaltyApplied: boolean
  /** The published score, 0 to 100: composite minus penalty, floored once. */
  readonly hundredths: number
}

/** The penalty applies to this many flagged signals or more. */
export const penaltyFlagCount = 3
export const penaltyPercent = 25

/** `GO` starts here in the balanced profile; `DEGRADED` starts at `degradedFloorHundredths` in every profile. */
export const goFloorHundredths = 80
export const degradedFloorHundredths = 48

/** Takes `isFlagged` as an argument because signals of an unsupported corridor are never flagged. */
export function factorsOf(readings: Readings, isFlagged: (signal: SignalName) => boolean): Factor[] {
  return signalNames.map((signal) => {
    const observed = readings[signal].healthThousandths
    // An open fraud flag caps its own risk value, whatever the source.
    const healthThousandths =
      signal === 'fraud_flags' ? fraudRiskThousandths(readings.fraudFlagCount, observed) : observed
    const contribution = weightPercent[signal] * healthThousandths
    return { signal, healthThousandths, contribution, flagged: isFlagged(signal) }
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
  const remainingPercent = penaltyApplied ? 100 - penaltyPercent : 100
  const hundredths = Math.floor(((composite * 100 + telemetryShift) * remainingPercent) / 10_000_000)
  return { composite, telemetryShift, flaggedCount, penaltyApplied, hundredths }
}

/**
 * The change from blending w of the telemetry score with (1 - w) of the composite. Telemetry describes the corridor and
 * not this payment, so it never raises the score of a payment with an open fraud flag.
 */
function shiftBy(telemetry: Telemetry, composite: number, factors: readonly Factor[]): number {
  const shift = telemetry.weightPercent * (telemetry.scoreThousandths * 100 - composite)
  const isFraud = factors.some(({ signal, flagged }) => flagged && signal === 'fraud_flags')
  // Avoids -0.
  return (isFraud ? Math.min(0, shift) : shift) + 0
}

/** The scores in hundredths from which on a payment is `GO` and `DEGRADED`. */
export interface Floors {
  readonly goFloor: number
  readonly degradedFloor: number
}

export function bandOf(
  scoreHundredths: number,
  goFloor: number = goFloorHundredths,
  degradedFloor: number = degradedFloorHundredths,
): Verdict {
  if (scoreHundredths >= goFloor) return 'GO'
  return scoreHundredths >= degradedFloor ? 'DEGRADED' : 'NO-GO'
}

/** The published bands: `score_from` is inclusive, `score_below` exclusive. */
export function bandTable(
  { goFloor, degradedFloor }: Floors = { goFloor: goFloorHundredths, degradedFloor: degradedFloorHundredths },
) {
  const go = goFloor / 100
  const degraded = degradedFloor / 100
  return [
    { decision: 'GO' as const, score_from: go, score_below: 1.01 },
    { decision: 'DEGRADED' as const, score_from: degraded, score_below: go },
    { decision: 'NO-GO' as const, score_from: 0, score_below: degraded },
  ]
}

/**
 * The volatility of a corridor: the standard deviation of its recent scores, in score units to four decimals. Returns 0
 * for fewer than two scores.
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
