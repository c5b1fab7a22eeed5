/** The terms of reviews in a simulated world, drawn by its seed. */

import type { ReviewTerms } from '../../../src/core/review/terms.ts'
import { defaultCurrency } from '../../../src/core/reference/currency.ts'
import type { Rng } from '../../random.ts'

export interface WorldTerms extends ReviewTerms {
  /** Whether a key may override only through a review. */
  readonly requiresReview: boolean
  /** Whether the proposer may not settle a review of this amount; all payments of a world have one currency. */
  needsTwo(amount: number | null): boolean
}

/** Most worlds are over before a day has passed, so that nothing would ever expire. */
const lifetimes = [
  { dueMs: 20_000, expiresMs: 90_000 },
  { dueMs: 60_000, expiresMs: 240_000 },
  { dueMs: 3_600_000, expiresMs: 86_400_000 },
] as const
const proposerSettlesUpTo = 2_500

export function drawTerms(rng: Rng): WorldTerms {
  const isLimited = rng.next() < 0.5
  return {
    ...rng.pick(lifetimes),
    fourEyesAbove: new Map(isLimited ? [[defaultCurrency, proposerSettlesUpTo]] : []),
    requiresReview: rng.next() < 0.15,
    needsTwo: (amount) => !isLimited || amount === null || amount > proposerSettlesUpTo,
  }
}
