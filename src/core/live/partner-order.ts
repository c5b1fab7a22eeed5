/** Decides for each partner on its own readings, and orders the results. */

import { decide, type DecideInput, type Decision, type DecideStage } from '../decision/decide.ts'
import type { Verdict } from '../decision/score.ts'
import { isStricter, type Tightening } from '../decision/tightening.ts'
import type { Readings, SignalName } from '../decision/signals.ts'
import type { Currency } from '../reference/currency.ts'
import { feeFor, type Fee, type FeeRule } from './fee.ts'

export interface PartnerReadings {
  readonly partner: string
  readonly feeRule: FeeRule | null
  readonly amountMax: number | null
  readonly readings: Readings
  /** Its liquidity as it was read, where the readings count it as none because the amount is too large for all. */
  readonly liquidityThousandths?: number
}

export interface RankedPartner<Read extends PartnerReadings = PartnerReadings> {
  readonly read: Read
  /** Null if it is not known for this payment. */
  readonly fee: Fee | null
  readonly decision: Decision
}

/** The recorded results of all partners. */
export interface PartnerResults {
  /** Best first: the first is the answer. */
  readonly ranked: readonly PartnerResult[]
  readonly leftOut: readonly {
    readonly partner: string
    /** Null if the amount was not above it. */
    readonly amountMax: number | null
    readonly unavailable: readonly SignalName[]
  }[]
  /** No partner takes the amount. */
  readonly isTooLarge: boolean
}

export interface PartnerResult {
  readonly partner: string
  readonly verdict: Verdict
  readonly scoreHundredths: number
  /** In units of its currency; null if it is not known for the payment. */
  readonly fee: number | null
  readonly feeCurrency: Currency | null
  readonly amountMax: number | null
  /** Its readings for an amount that it takes. Set only if no partner takes the payment's, and from revision 6 on. */
  readonly readingsWithin?: Readings
}

/** The largest amount that one of them takes; null without such a limit. */
export function largestTaken(partners: readonly { readonly amountMax: number | null }[]): number | null {
  let largest = 0
  for (const { amountMax } of partners) {
    if (amountMax === null) return null
    largest = Math.max(largest, amountMax)
  }
  return largest
}

/**
 * Best first. By verdict; then those within the tolerance of their verdict's best score, which count as equal, by fee and
 * id; then the others by score, fee and id. An unknown fee comes after every known one.
 */
export function rankReadings<Read extends PartnerReadings>(
  payment: Omit<DecideInput, 'readings'>,
  reads: readonly Read[],
  toleranceHundredths: number,
  mark?: (stage: DecideStage) => void,
): RankedPartner<Read>[] {
  const ranked = reads.map((read) => ({
    read,
    fee: feeFor(read.feeRule, payment.amount, payment.currency),
    decision: decide({ ...payment, ...through(read.partner, payment), readings: read.readings }, mark),
  }))
  const best: Record<Verdict, number> = { GO: 0, DEGRADED: 0, 'NO-GO': 0 }
  for (const { decision } of ranked)
    best[decision.verdict] = Math.max(best[decision.verdict], decision.scoreHundredths)
  const isNear = ({ decision }: RankedPartner): boolean =>
    decision.scoreHundredths >= best[decision.verdict] - toleranceHundredths
  return ranked.toSorted((left, right) => {
    const verdicts = [left.decision.verdict, right.decision.verdict] as const
    if (verdicts[0] !== verdicts[1]) return isStricter(...verdicts) ? 1 : -1
    const byScore = right.decision.scoreHundredths - left.decision.scoreHundredths
    const byFee = compareFees(left.fee, right.fee)
    const byBoth = isNear(left) && isNear(right) ? byFee : byScore || byFee
    return byBoth || (left.read.partner < right.read.partner ? -1 : 1)
  })
}

/** Rules of policies may ask for the partner. */
function through(
  partner: string,
  { tightening = null }: Pick<DecideInput, 'tightening'>,
): { readonly tightening: Tightening | null } {
  if (tightening === null) return { tightening }
  return { tightening: { ...tightening, circumstances: { ...tightening.circumstances, partner } } }
}

/** Known fees are in the payment's currency, so their units are the same. */
function compareFees(left: Fee | null, right: Fee | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return left.minorUnits < right.minorUnits ? -1 : Number(left.minorUnits > right.minorUnits)
}
