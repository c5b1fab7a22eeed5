/** Assesses one row of a batch: decides on it and compares the verdict with the actual outcome. */

import { isSupported, type Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { decide } from '../decision/decide.ts'
import type { Policy } from '../decision/policy.ts'
import type { ReasonCode } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'
import { simulate, simulatedVolatility } from '../shadow/simulation.ts'
import type { ActualOutcome } from '../live/outcome.ts'
import type { Transaction } from './transaction.ts'

export interface Assessment {
  /** The row's index in the batch, from 0. */
  readonly index: number
  readonly transactionId: string
  readonly corridor: Corridor
  readonly supported: boolean
  readonly amount: number | null
  readonly currency: Currency
  readonly actualOutcome: ActualOutcome | null
  readonly month: string | null
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
  readonly volatility: number
  readonly policyCapped: boolean
  /** Whether verdict and outcome agree; null without a final outcome. */
  readonly alignment: boolean | null
  /** Whether the verdict would have held or blocked a payment that went wrong. */
  readonly improvement: boolean
  readonly flags: readonly ReasonCode[]
}

/** Whether a verdict and an outcome agree; null without a final outcome. */
export function alignmentOf(verdict: Verdict, outcome: ActualOutcome | null): boolean | null {
  const isGood = outcome === null ? null : goodOutcome[outcome]
  return isGood === null ? null : (verdict === 'GO') === isGood
}

const goodOutcome: Readonly<Record<ActualOutcome, boolean | null>> = {
  COMPLETED: true,
  FAILED: false,
  DELAYED: false,
  REJECTED: false,
  PENDING: null,
}

/** Ignores test amounts: these are real payments. */
export function assess(
  transaction: Transaction,
  transactionId: string,
  index: number,
  policy: Policy,
): Assessment {
  const { corridor, amount, currency, actualOutcome, month } = transaction
  const readings = simulate(transaction)
  const { verdict, scoreHundredths, confidenceHundredths, reasons, evidence } = decide({
    corridor,
    supported: isSupported(corridor),
    amount,
    currency,
    readings,
    policy,
  })
  const alignment = alignmentOf(verdict, actualOutcome)
  const flags: ReasonCode[] = []
  for (const { code } of reasons) if (code !== 'HEALTHY_PARTNER') flags.push(code)
  return {
    index,
    transactionId,
    corridor,
    supported: evidence.supported,
    amount,
    currency,
    actualOutcome,
    month,
    verdict,
    scoreHundredths,
    confidenceHundredths,
    volatility: simulatedVolatility(corridor),
    policyCapped: evidence.gate !== 'none',
    alignment,
    // A verdict other than GO agrees only with a bad outcome.
    improvement: verdict !== 'GO' && alignment === true,
    flags,
  }
}

/** A sentence for a payment that would have been caught; otherwise null. */
export function improvementNote({
  improvement,
  verdict,
  actualOutcome,
  flags,
  scoreHundredths,
}: Assessment): string | null {
  if (!improvement) return null
  const held = verdict === 'NO-GO' ? 'blocked' : 'held for review'
  const grounds = flags.length === 0 ? `a score of ${(scoreHundredths / 100).toFixed(2)}` : flags.join(', ')
  return `Would have been ${held} (${verdict}: ${grounds}) before it was ${actualOutcome}.`
}
