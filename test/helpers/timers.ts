/** Timers that run when a test moves its clock, and not otherwise. */

import type { After, Repeat } from '../../src/app/ports/system.ts'
import type { ManualClock } from './clock.ts'

interface Timer {
  readonly delayMs: number
  readonly dueMs: number
  readonly work: () => unknown
}

export class ManualTimers {
  readonly #clock: ManualClock
  readonly #pending = new Set<Timer>()
  #scheduled = Promise.withResolvers<void>()

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  /** The delays of the timers that have not run yet. */
  get delaysMs(): number[] {
    return [...this.#pending].map(({ delayMs }) => delayMs)
  }

  /** Resolves when a timer is set, or at once if one is. */
  async next(): Promise<number> {
    while (this.#pending.size === 0) await this.#scheduled.promise
    return this.delaysMs[0] ?? 0
  }

  readonly after: After = (delayMs, work) => {
    const timer = { delayMs, dueMs: this.#clock.monotonicMs() + delayMs, work }
    this.#pending.add(timer)
    this.#scheduled.resolve()
    this.#scheduled = Promise.withResolvers<void>()
    return () => void this.#pending.delete(timer)
  }

  readonly repeat: Repeat = (work, pauseMs) => {
    let stop = (): void => {}
    const set = (): void => {
      stop = this.after(pauseMs, async () => {
        await work()
        set()
      })
    }
    set()
    return () => stop()
  }

  /** Time passes, and what becomes due runs in its order. Work that returns a promise is waited for. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#clock.monotonicMs() + ms
    for (;;) {
      const [first] = [...this.#pending].toSorted((left, right) => left.dueMs - right.dueMs)
      if (first === undefined || first.dueMs > endMs) break
      this.#pending.delete(first)
      this.#clock.advance(Math.max(0, first.dueMs - this.#clock.monotonicMs()))
      await first.work()
    }
    this.#clock.advance(endMs - this.#clock.monotonicMs())
  }
}
