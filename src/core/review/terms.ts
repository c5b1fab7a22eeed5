/** Which decisions need a review, by when, and above which amounts by two principals. */

import type { RecommendedAction } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'
import { requestIdDigits, type RequestId } from '../identity/request-id.ts'
import { parseCurrency, type Currency } from '../reference/currency.ts'

/** A `GO` that asks for something first, such as to confirm the payee, needs a person, too. */
export function needsReview(verdict: Verdict, recommendedAction: RecommendedAction): boolean {
  return verdict !== 'GO' || recommendedAction !== 'PROCEED'
}

const prefix = 'rev_'
const shape = new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{${requestIdDigits}}$`)

/** A decision has at most one review, with the digits of its own id. */
export function reviewIdOf(requestId: RequestId): string {
  return `${prefix}${requestId.slice(-requestIdDigits).toLowerCase()}`
}

/** False for text that is not a review id of this service. */
export const isReviewId = (text: string): boolean => shape.test(text)

export interface ReviewTerms {
  /** From the decision until the review is due. */
  readonly dueMs: number
  /** From the decision until the review expires. */
  readonly expiresMs: number
  /** Amounts up to which the proposer may settle, by currency. */
  readonly fourEyesAbove: ReadonlyMap<Currency, number>
}

/** An amount that is not known, or in a currency without a limit, always needs two. */
export function needsFourEyes(
  { fourEyesAbove }: Pick<ReviewTerms, 'fourEyesAbove'>,
  amount: number | null,
  currency: Currency,
): boolean {
  const limit = fourEyesAbove.get(currency)
  return limit === undefined || amount === null || amount > limit
}

/** Parses limits: `GBP=1000,NGN=2000000`. An empty text sets none; null for text that is no list of limits. */
export function parseFourEyesAbove(text: string): ReadonlyMap<Currency, number> | null {
  const limits = new Map<Currency, number>()
  for (const part of text.split(',').filter((item) => item.trim() !== '')) {
    const [, code, amount] = /^\s*([A-Z]{3})=(\d{1,12})\s*$/.exec(part) ?? []
    const currency = parseCurrency(code ?? '')
    if (currency === null || limits.has(currency)) return null
    limits.set(currency, Number(amount))
  }
  return limits
}
