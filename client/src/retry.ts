/** Retry rules (contract, section 7). Pure: randomness is an argument. */

/** Whether a call may be repeated if its result is unknown, or only if it was refused. */
export type Repeatable = 'always' | 'when_refused'

const firstDelayMs = 1_000
const delayMsMax = 60_000
const jitter = 0.1

/** Transient failures: retried if the call may be repeated. */
const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Refused before any effect: always safe to repeat. */
const refused: ReadonlySet<number> = new Set([429])

/** Whether to repeat a call after this status; null means no response. */
export function mayRepeat(repeatable: Repeatable, status: number | null): boolean {
  if (repeatable === 'when_refused') return status !== null && refused.has(status)
  return status === null || transient.has(status)
}

/** The wait before the next attempt: `Retry-After`, or 1 s doubling to 60 s with 10% jitter. */
export function retryDelayMs(
  attempt: number,
  retryAfterSeconds: number | null,
  random: () => number,
): number {
  // Ignore zero: an immediate retry does not help.
  if (retryAfterSeconds !== null && retryAfterSeconds > 0) return retryAfterSeconds * 1000
  const backoffMs = Math.min(firstDelayMs * 2 ** (attempt - 1), delayMsMax)
  return backoffMs * (1 - jitter + 2 * jitter * random())
}

/** Parses seconds or an HTTP date; null if it is neither. */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  // Check the form first: Date.parse accepts "-5" as a year.
  const dateMs = /^[a-z]{3,9}, /i.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}
