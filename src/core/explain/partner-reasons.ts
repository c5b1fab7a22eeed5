/** Says why one partner was recommended and not another. */

import type { PartnerResult, PartnerResults } from '../live/partner-order.ts'
import { decimalsOf } from '../reference/currency.ts'
import { moneyText, withThousands } from './wording.ts'

/** The advantage of the first over another, as a phrase: `0.01 better`, `same score, 1.20 GBP cheaper`. */
export function advantageOver(first: PartnerResult, other: PartnerResult): string {
  if (first.verdict !== other.verdict) return `${first.verdict} and not ${other.verdict}`
  const score = scorePhrase(first.scoreHundredths - other.scoreHundredths)
  if (first.scoreHundredths > other.scoreHundredths) return score
  const cost = costPhrase(first, other)
  return `${score}, ${cost ?? 'first by id'}`
}

function scorePhrase(hundredths: number): string {
  if (hundredths === 0) return 'same score'
  return `${(Math.abs(hundredths) / 100).toFixed(2)} ${hundredths > 0 ? 'better' : 'lower'}`
}

/** Null if the fees did not decide: equal, or both unknown. */
function costPhrase(first: PartnerResult, other: PartnerResult): string | null {
  if (first.fee === null || first.feeCurrency === null) return null
  if (other.fee === null) return 'its fee is known'
  const saved = other.fee - first.fee
  // Both are whole minor units, so the rounding only removes the noise of the subtraction.
  const text = moneyText(Number(saved.toFixed(decimalsOf(first.feeCurrency))), first.feeCurrency)
  return saved > 0 ? `${text} cheaper` : null
}

/** Sentences for the summary of an explanation. */
export function partnerSentences({ ranked, leftOut, isTooLarge }: PartnerResults): string[] {
  const [first, second] = ranked
  if (first === undefined) return []
  const others = leftOut.length === 0 ? [] : [`Left out: ${leftOut.map(leftOutPhrase).join('; ')}.`]
  if (isTooLarge) {
    const none = 'No partner takes this amount, so liquidity counts as none and no partner is recommended.'
    return [none, `The decision is that of ${first.partner}.`, ...others]
  }
  // A blocked payment goes through nobody.
  const verb = first.verdict === 'NO-GO' ? 'has the best result' : 'is recommended'
  if (second === undefined) return [`${first.partner} is the only partner that could be ranked.`, ...others]
  return [
    `${first.partner} ${verb}: ${advantageOver(first, second)} compared with ${second.partner}.`,
    ...others,
  ]
}

type LeftOut = PartnerResults['leftOut'][number]

/** For a list: `alpha (takes at most 20,000)`. */
export function leftOutPhrase(one: LeftOut): string {
  return `${one.partner} (${leftOutReason(one)})`
}

export function leftOutReason({ amountMax, unavailable }: Omit<LeftOut, 'partner'>): string {
  return amountMax === null
    ? `cannot read ${unavailable.join(', ')}`
    : `takes at most ${withThousands(amountMax)}`
}
