/** An exact rolling window: admits at most `count` requests in any `windowMs`. */

export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

/** One day: older admissions are deleted. */
export const windowSecondsMax = 86_400

/** Parses a limit: `100/60` is 100 requests in any 60 seconds. */
export function parseRateLimit(text: string): RateLimit | null {
  const [, count, seconds] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? []
  const limit = { count: Number(count), windowMs: Number(seconds) * 1000 }
  return limit.count > 0 && limit.windowMs > 0 && limit.windowMs <= windowSecondsMax * 1000 ? limit : null
}

export const rateLimitText = ({ count, windowMs }: RateLimit): string => `${count}/${windowMs / 1000}`

export type Admission =
  | { readonly admitted: true; readonly remaining: number; readonly resetMs: number }
  | { readonly admitted: false; readonly retryAfterMs: number }

/**
 * Holds the admission times inside the window, oldest first, in a ring buffer that grows by doubling. Each time is
 * written and dropped once, so a request costs amortised constant time, and a refused one uses no memory.
 */
export class RollingWindow {
  /** A plain array: most callers of a public route call once, and a typed array costs ten times its content. */
  #times: number[] = [0]
  #head = 0
  #size = 0

  admit(limit: RateLimit, nowMs: number): Admission {
    while (this.#size > 0 && nowMs - this.#oldest() >= limit.windowMs) {
      this.#head = (this.#head + 1) & (this.#times.length - 1)
      this.#size -= 1
    }
    if (this.#size >= limit.count) {
      const blocking = this.#at(this.#size - limit.count)
      return {
        admitted: false,
        retryAfterMs: limit.count === 0 ? limit.windowMs : blocking + limit.windowMs - nowMs,
      }
    }
    this.#push(nowMs)
    return {
      admitted: true,
      remaining: limit.count - this.#size,
      resetMs: this.#oldest() + limit.windowMs - nowMs,
    }
  }

  /** True when every admission has left the window. */
  isIdle(windowMs: number, nowMs: number): boolean {
    return this.#size === 0 || nowMs - this.#at(this.#size - 1) >= windowMs
  }

  #oldest(): number {
    return this.#at(0)
  }

  #at(index: number): number {
    return this.#times[(this.#head + index) & (this.#times.length - 1)] ?? 0
  }

  #push(timeMs: number): void {
    if (this.#size === this.#times.length) {
      const grown = Array.from({ length: this.#size * 2 }, (_, index) =>
        index < this.#size ? this.#at(index) : 0,
      )
      this.#times = grown
      this.#head = 0
    }
    this.#times[(this.#head + this.#size) & (this.#times.length - 1)] = timeMs
    this.#size += 1
  }
}
