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
  /** When the newest of them ended. */
  readonly newestAtMs: number | null
}

export interface FailureRateRule {
  /** So many ended payments are a history. */
  readonly outcomesMin: number
  /** What is assumed of the payments that are missing to it. */
  readonly assumedRate: number
}

/** Of floating point: 0.02 times a thousand is not always twenty. */
const noise = 1e-6

/**
 * The share of failures, in thousandths, rounded up. Where payments are missing to a history, the assumed rate stands
 * for each of them, so that a first failure does not weigh as much as one of one would.
 */
export function failureRatePermilleOf(
  { ended, failed }: Pick<OutcomeCount, 'ended' | 'failed'>,
  rule: FailureRateRule,
): number {
  const missing = Math.max(0, rule.outcomesMin - ended)
  // In whole thousandths, the worse where it falls between two.
  const assumed = (Math.ceil(rule.assumedRate * 1000 - noise) + 0) * missing
  return Math.min(1000, Math.ceil((failed * 1000 + assumed) / (ended + missing)))
}
