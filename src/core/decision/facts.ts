/** The facts of a payment that rules of policies may ask for. A rule that asks for a missing one fires. */

import type { Mode } from '../identity/api-key.ts'
import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { dayOf, hourMs } from '../time/durations.ts'
import type { Factor } from './score.ts'
import type { Readings, SignalName, SignalOrigin } from './signals.ts'

/** The circumstances of a decision that its score does not depend on. */
export interface Circumstances {
  readonly mode: Mode
  readonly source: SignalOrigin
  readonly volatility: number
  /** The partner that would be recommended. */
  readonly partner: string | null
  /** Null without a calendar, or with an expired one. */
  readonly isCalendarOpen: boolean | null
  readonly atMs: number
}

/** Whole numbers are bigints, as in the language of the rules. Without data every signal is null. */
export class SignalFacts {
  readonly fraud_flags: bigint | null = null
  readonly network_healthy: boolean | null = null
  readonly balance_sufficient: boolean | null = null
  readonly fx_volatility: 'low' | 'high' | null = null
  readonly operation_valid: boolean | null = null
  readonly historical_failure_rate: number | null = null
  readonly cop_overridden: boolean | null = null

  constructor(readings: Readings, flagged: readonly SignalName[], source: SignalOrigin) {
    if (source === 'none') return
    this.fraud_flags = BigInt(readings.fraudFlagCount)
    this.network_healthy = !flagged.includes('network_healthy')
    this.balance_sufficient = !flagged.includes('balance_sufficient')
    this.fx_volatility = flagged.includes('fx_volatility') ? 'high' : 'low'
    this.operation_valid = !flagged.includes('operation_valid')
    this.historical_failure_rate = readings.failureRatePermille / 1000
    this.cop_overridden = flagged.includes('cop_overridden')
  }
}

/** The published risk values, from 0 (worst) to 1 (clear). */
export class RiskFacts implements Record<SignalName, number | null> {
  fraud_flags: number | null = null
  network_healthy: number | null = null
  balance_sufficient: number | null = null
  fx_volatility: number | null = null
  operation_valid: number | null = null
  historical_failure_rate: number | null = null
  cop_overridden: number | null = null

  constructor(factors: readonly Factor[], source: SignalOrigin) {
    if (source === 'none') return
    for (const { signal, healthThousandths } of factors) this[signal] = healthThousandths / 1000
  }
}

export class CalendarFacts {
  readonly open: boolean | null

  constructor(open: boolean | null) {
    this.open = open
  }
}

export interface Facts {
  readonly amount: number | null
  readonly currency: Currency
  readonly corridor: Corridor
  readonly origin: string
  readonly destination: string
  readonly mode: Mode
  readonly score: number
  readonly confidence: number
  readonly volatility: number
  readonly signals: SignalFacts
  readonly risk: RiskFacts
  /** Null without data: nobody knows then. */
  readonly flagged: readonly SignalName[] | null
  readonly partner: string | null
  readonly calendar: CalendarFacts
  /** 0 to 23, UTC. */
  readonly hour: bigint
  /** 0 is Sunday, UTC. */
  readonly weekday: bigint
}

export interface FactsInput {
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly readings: Readings
  readonly factors: readonly Factor[]
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
}

export function factsOf(input: FactsInput, circumstances: Circumstances): Facts {
  const { corridor, factors } = input
  const { source, atMs } = circumstances
  const flagged: SignalName[] = []
  for (const factor of factors) if (factor.flagged) flagged.push(factor.signal)
  return {
    amount: input.amount,
    currency: input.currency,
    corridor,
    origin: corridor.slice(0, 2),
    destination: corridor.slice(3),
    mode: circumstances.mode,
    score: input.scoreHundredths / 100,
    confidence: input.confidenceHundredths / 100,
    volatility: circumstances.volatility,
    signals: new SignalFacts(input.readings, flagged, source),
    risk: new RiskFacts(factors, source),
    flagged: source === 'none' ? null : flagged,
    partner: circumstances.partner,
    calendar: new CalendarFacts(circumstances.isCalendarOpen),
    hour: BigInt(Math.floor(atMs / hourMs) % 24),
    // The first day of the epoch was a Thursday.
    weekday: BigInt((dayOf(atMs) + 4) % 7),
  }
}
