/** When a failed delivery is tried again, and when it is given up. */

export const standardRetryDelaysMs: readonly number[] = [60_000, 300_000, 900_000, 1_800_000]

/** How long a receiver has, from the look-up of its name to the last header of its answer. */
export const receiverTimeoutMs = 5_000

/** How long a claimed delivery is left to the instance that claimed it. */
export const leaseMs = 15_000

/** A lease that ends sooner than this is not used: the attempt could outlive it, and another instance would send as well. */
export const leaseNeededMs = receiverTimeoutMs + 1_000

export function isDelivered(status: number | null): boolean {
  return status !== null && Math.floor(status / 100) === 2
}

/** When the attempt after this failed one is due, or null when this was the last: one more than there are delays. */
export function nextAttemptAtMs(
  failedAttempt: number,
  failedAtMs: number,
  delaysMs: readonly number[],
): number | null {
  const delayMs = delaysMs[failedAttempt - 1]
  return delayMs === undefined ? null : failedAtMs + delayMs
}
