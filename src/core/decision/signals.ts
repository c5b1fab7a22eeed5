/** The seven signals: weights, labels and flags. Risk values are thousandths; 1000 is clear. */

export const signalNames = [
  'fraud_flags',
  'network_healthy',
  'balance_sufficient',
  'fx_volatility',
  'operation_valid',
  'historical_failure_rate',
  'cop_overridden',
] as const

export type SignalName = (typeof signalNames)[number]

export const weightPercent: Readonly<Record<SignalName, number>> = {
  fraud_flags: 30,
  network_healthy: 25,
  balance_sufficient: 15,
  fx_volatility: 10,
  operation_valid: 10,
  historical_failure_rate: 5,
  cop_overridden: 5,
}

export const signalCategories = ['fx', 'network', 'settlement', 'liquidity', 'compliance'] as const

export type SignalCategory = (typeof signalCategories)[number]

export const categoryOf: Readonly<Record<SignalName, SignalCategory>> = {
  fraud_flags: 'compliance',
  network_healthy: 'network',
  balance_sufficient: 'liquidity',
  fx_volatility: 'fx',
  operation_valid: 'settlement',
  historical_failure_rate: 'settlement',
  cop_overridden: 'compliance',
}

/** Display names for texts. */
export const titleOf: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'fraud check',
  network_healthy: 'settlement network',
  balance_sufficient: 'partner liquidity',
  fx_volatility: 'FX volatility',
  operation_valid: 'validity of the operation',
  historical_failure_rate: 'failure rate',
  cop_overridden: 'payee confirmation',
}

/** The origin of readings; `none`: a live corridor without data, whose readings are all zero and mean nothing. */
export type SignalOrigin = 'simulation' | 'live' | 'none'

/** The readings of a corridor without data: they add nothing, and nothing is flagged. */
export const noReadings: Readings = (() => {
  const nothing: Reading = { healthThousandths: 0, confidencePercent: 0 }
  const readings = Object.fromEntries(signalNames.map((signal) => [signal, nothing]))
  return { ...(readings as Record<SignalName, Reading>), fraudFlagCount: 0, failureRatePermille: 0 }
})()

/** The healthy state of each signal, as a phrase to follow "with". */
export const healthyPhraseOf: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'a clear fraud check',
  network_healthy: 'a healthy settlement network',
  balance_sufficient: 'enough partner liquidity',
  fx_volatility: 'calm FX rates',
  operation_valid: 'a valid operation',
  historical_failure_rate: 'no recent failures',
  cop_overridden: 'a confirmed payee',
}

export interface Reading {
  /** 0 (worst) to 1000 (clear). */
  readonly healthThousandths: number
  /** Confidence in the observation, 70 to 97. */
  readonly confidencePercent: number
}

export interface Readings extends Readonly<Record<SignalName, Reading>> {
  /** Open fraud indicators; one or more flags `fraud_flags`. */
  readonly fraudFlagCount: number
  /** Failed settlements per thousand. */
  readonly failureRatePermille: number
}

/** The readings with the given signals at full health. */
export function withHealthy(readings: Readings, signals: readonly SignalName[]): Readings {
  const changed: Record<SignalName, Reading> & { fraudFlagCount: number; failureRatePermille: number } = {
    ...readings,
  }
  for (const signal of signals) {
    changed[signal] = { ...readings[signal], healthThousandths: 1000 }
    if (signal === 'fraud_flags') changed.fraudFlagCount = 0
    if (signal === 'historical_failure_rate') changed.failureRatePermille = 0
  }
  return changed
}

/** A signal is flagged below this risk value. */
export const flagThresholdThousandths = 500

export const labelFloors = [
  ['CLEAR', 900],
  ['LOW', 750],
  ['MODERATE', 500],
  ['ELEVATED', 250],
  ['CRITICAL', 0],
] as const

export type SignalLabel = (typeof labelFloors)[number][0]

export function labelOf(healthThousandths: number): SignalLabel {
  for (const [label, floor] of labelFloors) if (healthThousandths >= floor) return label
  throw new RangeError(`risk value must not be negative: ${healthThousandths}`)
}

/** `fraud_flags` is flagged by its count, every other signal by its risk value. */
export function isFlagged(signal: SignalName, readings: Readings): boolean {
  if (signal === 'fraud_flags') return readings.fraudFlagCount > 0
  return readings[signal].healthThousandths < flagThresholdThousandths
}

/** With one open flag 300, and 150 less for each further one. */
export const fraudRisk = { baseThousandths: 450, perFlagThousandths: 150 } as const

/** Low enough that no combination of other signals lifts a payment with an open fraud flag to the `GO` band. */
export function fraudRiskThousandths(flagCount: number, clearThousandths: number): number {
  if (flagCount === 0) return clearThousandths
  return Math.max(
    0,
    Math.min(clearThousandths, fraudRisk.baseThousandths - fraudRisk.perFlagThousandths * flagCount),
  )
}

/** The risk value of `operation_valid` for a currency that the corridor does not accept. */
export const wrongCurrencyThousandths = 100

/** Taken off for each failure of a thousand payments. */
export const failureSlope = 5

/** A failure rate of 10% is the flag threshold; 20% or more has risk value 0. */
export function failureRiskThousandths(failureRatePermille: number): number {
  return Math.max(0, 1000 - failureSlope * failureRatePermille)
}

/** The API's form of a risk value: without data there is none. */
export function probeOf(healthThousandths: number, source: SignalOrigin): ProbeDetail {
  return source === 'none'
    ? { signal: 'NO_DATA', risk_value: null }
    : { signal: labelOf(healthThousandths), risk_value: healthThousandths / 1000 }
}

export interface ProbeDetail {
  readonly signal: SignalLabel | 'NO_DATA'
  readonly risk_value: number | null
}

/** The API's `signals` object: each reading in its own unit. A flagged boolean signal has its unhealthy value. */
export function signalValues(
  readings: Readings,
  flagged: ReadonlySet<SignalName>,
  source: SignalOrigin,
): SignalValues {
  if (source === 'none') return noValues
  return {
    fraud_flags: readings.fraudFlagCount,
    network_healthy: !flagged.has('network_healthy'),
    balance_sufficient: !flagged.has('balance_sufficient'),
    fx_volatility: flagged.has('fx_volatility') ? 'high' : 'low',
    operation_valid: !flagged.has('operation_valid'),
    historical_failure_rate: readings.failureRatePermille / 1000,
    cop_overridden: flagged.has('cop_overridden'),
  }
}

/** All null if there is no data. */
export interface SignalValues {
  readonly fraud_flags: number | null
  readonly network_healthy: boolean | null
  readonly balance_sufficient: boolean | null
  readonly fx_volatility: 'low' | 'high' | null
  readonly operation_valid: boolean | null
  readonly historical_failure_rate: number | null
  readonly cop_overridden: boolean | null
}

const noValues: SignalValues = {
  fraud_flags: null,
  network_healthy: null,
  balance_sufficient: null,
  fx_volatility: null,
  operation_valid: null,
  historical_failure_rate: null,
  cop_overridden: null,
}
