/** An exact rolling window: in no `windowMs` are more than `count` admitted. */

export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

export type Admission =
  | { readonly admitted: true; readonly remaining: number; readonly resetMs: number }
  | { readonly admitted: false; readonly retryAfterMs: number }

/**
 * The times of the admissions still inside the window, oldest first, in a ring that grows by doubling: each time is
 * written once and dropped once, so a request costs constant work on average and a refused one costs nothing.
 */
export class RollingWindow {
  /** A plain list: most callers of a public route are seen once, and a typed one is ten times its content. */
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

  /** True when nothing in it can matter any more. */
  isIdle(windowMs: number, nowMs: number): boolean {
    return this.#size === 0 || nowMs - this.#at(this.#size - 1) >= windowMs
  }

  #oldest(): number {
    return this.#at(0)
  }

  #at(place: number): number {
    return this.#times[(this.#head + place) & (this.#times.length - 1)] ?? 0
  }

  #push(timeMs: number): void {
    if (this.#size === this.#times.length) {
      const grown = Array.from({ length: this.#size * 2 }, (_, place) =>
        place < this.#size ? this.#at(place) : 0,
      )
      this.#times = grown
      this.#head = 0
    }
    this.#times[(this.#head + this.#size) & (this.#times.length - 1)] = timeMs
    this.#size += 1
  }
}
