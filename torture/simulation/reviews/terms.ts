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

/** Shorter than in practice: a clock that is set, or the time that passes in a world, goes beyond due time and expiry. */
const lifetimes = [
  { dueMs: 20_000, expiresMs: 90_000 },
  { dueMs: 60_000, expiresMs: 240_000 },
  { dueMs: 600_000, expiresMs: 3_600_000 },
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
