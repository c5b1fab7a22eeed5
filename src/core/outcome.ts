/** How a payment ended, as its owner reports it, and the failure rate that follows from many such reports. */

export const actualOutcomes = ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING'] as const

export type ActualOutcome = (typeof actualOutcomes)[number]

/** A pending payment has not ended: one more report may follow, and no other. */
export function isFinal(outcome: ActualOutcome): boolean {
  return outcome !== 'PENDING'
}

/** A late payment has arrived; one that failed or was refused has not. */
export function isFailure(outcome: ActualOutcome): boolean {
  return outcome === 'FAILED' || outcome === 'REJECTED'
}

export interface OutcomeCount {
  readonly ended: number
  readonly failed: number
}

export interface FailureRateRule {
  /** So many ended payments are a history. */
  readonly outcomesMin: number
  /** What is assumed of the payments that are missing to it; null: nothing is, and there is no rate without a history. */
  readonly assumedRate: number | null
}

/**
 * The share of failures, in thousandths, rounded up. Where payments are missing to a history, the assumed rate stands
 * for each of them, so that a first failure does not weigh as much as one of one would.
 */
export function failureRatePermilleOf({ ended, failed }: OutcomeCount, rule: FailureRateRule): number | null {
  const missing = Math.max(0, rule.outcomesMin - ended)
  if (missing > 0 && rule.assumedRate === null) return null
  // In thousandths, so that a rate of a few decimals is whole and is not rounded up by a hair.
  const assumed = Math.round((rule.assumedRate ?? 0) * 1000) * missing
  return Math.min(1000, Math.ceil((failed * 1000 + assumed) / (ended + missing)))
}
