/** Reported outcomes of payments, and the failure rate computed from them. */

export const actualOutcomes = ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING'] as const

export type ActualOutcome = (typeof actualOutcomes)[number]

export const outcomesByName: ReadonlyMap<unknown, ActualOutcome> = new Map(
  actualOutcomes.map((outcome) => [outcome, outcome]),
)
export const outcomeRule = `must be one of ${actualOutcomes.join(', ')}`

/** `PENDING` may be followed by one final outcome. */
export function isFinal(outcome: ActualOutcome): boolean {
  return outcome !== 'PENDING'
}

/** A delayed payment has arrived, so it is not a failure. */
export function isFailure(outcome: ActualOutcome): boolean {
  return outcome === 'FAILED' || outcome === 'REJECTED'
}

export interface OutcomeCount {
  readonly ended: number
  readonly failed: number
  /** When the newest one ended. */
  readonly newestAtMs: number | null
}

export interface FailureRateRule {
  /** The number of ended payments in a complete history. */
  readonly outcomesMin: number
  /** The failure rate assumed for missing payments. */
  readonly assumedRate: number
}

/** Absorbs floating-point error before rounding up. */
const noise = 1e-6

/**
 * The failure rate in thousandths, rounded up. Payments missing from the history count with the assumed rate, so that a
 * single early failure does not dominate.
 */
export function failureRatePermilleOf(
  { ended, failed }: Pick<OutcomeCount, 'ended' | 'failed'>,
  rule: FailureRateRule,
): number {
  const missing = Math.max(0, rule.outcomesMin - ended)
  // Rounded up to whole thousandths.
  const assumed = (Math.ceil(rule.assumedRate * 1000 - noise) + 0) * missing
  return Math.min(1000, Math.ceil((failed * 1000 + assumed) / (ended + missing)))
}
