/** The retry schedule of webhook deliveries. */

export const standardRetryDelaysMs: readonly number[] = [60_000, 300_000, 900_000, 1_800_000]

/** Delays in seconds, one fewer than there are attempts; fractions are allowed. */
export function parseRetryDelays(text: string): number[] | null {
  const delays = text.split(',').map((part) => {
    const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(part.trim()) ? Number(part) : Number.NaN
    return seconds <= 86_400 ? Math.round(seconds * 1000) : Number.NaN
  })
  const isValid = delays.length === standardRetryDelaysMs.length && delays.every((ms) => !Number.isNaN(ms))
  return isValid ? delays : null
}

/** The receiver's time limit, from name resolution to the last response header. */
export const receiverTimeoutMs = 5_000

/** How long a claimed delivery is reserved for the instance that claimed it. */
export const leaseMs = 15_000

/** A lease with less time left is not used: the attempt could outlive it, and another instance would send too. */
export const leaseNeededMs = receiverTimeoutMs + 1_000

export function isDelivered(status: number | null): boolean {
  return status !== null && Math.floor(status / 100) === 2
}

/** When the attempt after a failed one is due; null after the last. There is one more attempt than delays. */
export function nextAttemptAtMs(
  failedAttempt: number,
  failedAtMs: number,
  delaysMs: readonly number[],
): number | null {
  const delayMs = delaysMs[failedAttempt - 1]
  return delayMs === undefined ? null : failedAtMs + delayMs
}
