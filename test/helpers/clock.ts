/** A clock that stands still until a test moves it. */

import type { Clock } from '../../src/app/ports/system.ts'

export class ManualClock implements Clock {
  #wallMs: number
  #monotonicMs = 1_000_000

  constructor(startsAt = '2026-03-01T12:00:00.000Z') {
    this.#wallMs = Date.parse(startsAt)
  }

  nowMs(): number {
    return this.#wallMs
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  /** Time passes. */
  advance(ms: number): void {
    this.#wallMs += ms
    this.#monotonicMs += ms
  }

  /** Somebody sets the wall clock; no time passes. */
  setWall(ms: number): void {
    this.#wallMs = ms
  }
}
