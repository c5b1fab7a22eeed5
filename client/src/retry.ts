/** When to ask again (contract, section 7). Pure: chance is an argument. */

/** Whether a call may be repeated when nothing is known of what became of it. */
export type Repeatable = 'always' | 'when_refused'

const firstDelayMs = 1_000
const delayMsMax = 60_000
const jitter = 0.1

/** Worth asking again, where asking twice does no harm. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Refused before anything was done: may always be repeated. */
const refused: ReadonlySet<number> = new Set([429])

/** Of an answer with this status; null stands for no answer at all. */
export function mayRepeat(repeatable: Repeatable, status: number | null): boolean {
  if (repeatable === 'when_refused') return status !== null && refused.has(status)
  return status === null || passing.has(status)
}

/** How long to wait before the next try: as told, else 1 s doubling to 60 s, a tenth more or less. */
export function retryDelayMs(
  attempt: number,
  retryAfterSeconds: number | null,
  random: () => number,
): number {
  // Zero tells nothing: to ask at once, and again, helps nobody.
  if (retryAfterSeconds !== null && retryAfterSeconds > 0) return retryAfterSeconds * 1000
  const steady = Math.min(firstDelayMs * 2 ** (attempt - 1), delayMsMax)
  return steady * (1 - jitter + 2 * jitter * random())
}

/** Seconds, or a date; null where there is neither. */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  // Asked for by its form: Date.parse finds a year in "-5".
  const dateMs = /^[a-z]{3,9}, /i.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}
