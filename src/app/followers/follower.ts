/** One follower: catches up when it is asked to, and by itself while it is active. */

import { inSpan } from '../operate/spans.ts'
import { shareNext } from '../operate/share-next.ts'
import type { FollowerName } from '../ports/journal.ts'
import type { After, Clock } from '../ports/system.ts'
import type { Tracing } from '../ports/tracing.ts'

export interface FollowerDeps {
  readonly clock: Clock
  readonly after: After
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
  readonly tracing: Tracing | null
  readonly onFailure: (name: FollowerName) => void
}

export interface FollowerOptions {
  readonly name: FollowerName
  /** The least time between the starts of two runs by itself. Long batches cost less. */
  readonly pauseMs: () => number
  /** Follows everything that was appended before the call. */
  readonly run: () => Promise<void>
  /** Whether it may still run by itself when its pause is over; by default it may. */
  readonly mayRun?: () => boolean
}

/** The pause after a failure doubles from the first to the second. */
const firstBackOffMs = 100
const longestBackOffMs = 10_000

export class Follower {
  readonly name: FollowerName
  /** Resolves when everything that was appended before the call has been followed. */
  readonly catchUp: () => Promise<void>
  readonly #deps: FollowerDeps
  readonly #options: FollowerOptions
  #isActive = false
  #startedAtMs = Number.NEGATIVE_INFINITY
  #failures = 0
  #cancel: (() => void) | null = null
  #running: Promise<void> = Promise.resolve()
  #isRunning = false
  /** Whether something was appended during the run. */
  #isWanted = false

  constructor(deps: FollowerDeps, options: FollowerOptions) {
    this.#deps = deps
    this.#options = options
    this.name = options.name
    this.catchUp = shareNext(options.run)
  }

  /** Whether its last run by itself failed. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  activate(): void {
    this.#isActive = true
  }

  /** Runs soon, by itself; one run at a time. Errors are reported, and retried after a pause. */
  nudge(): void {
    if (!this.#isActive || this.#cancel !== null) return
    if (this.#isRunning) {
      this.#isWanted = true
      return
    }
    const { clock, after } = this.#deps
    const backOffMs = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (this.#failures - 1))
    const pauseMs = this.#failures > 0 ? backOffMs : this.#options.pauseMs()
    const delayMs = Math.max(0, this.#startedAtMs + pauseMs - clock.monotonicMs())
    this.#cancel = after(delayMs, () => {
      this.#cancel = null
      this.#running = this.#attempt()
    })
  }

  async #attempt(): Promise<void> {
    if (this.#options.mayRun?.() === false) return
    const { log, onFailure, clock, tracing } = this.#deps
    const { name } = this
    this.#startedAtMs = clock.monotonicMs()
    this.#isRunning = true
    // Entries appended from here on nudge again: this run may not see them.
    this.#isWanted = false
    try {
      // Of no request: whichever nudged it first is only one of those that it follows.
      await inSpan(tracing, `follower ${name}`, { parent: 'none' }, () => this.catchUp())
      if (this.#failures > 0) log.info(`followers: ${name} has recovered`)
      this.#failures = 0
    } catch (error) {
      if (this.#failures === 0) log.warn({ err: error }, `followers: ${name} failed, will retry`)
      this.#failures += 1
      this.#isWanted = true
      onFailure(name)
    }
    this.#isRunning = false
    if (this.#isWanted) this.nudge()
  }

  /** Stops running by itself and waits for the current run. */
  async stop(): Promise<void> {
    this.#isActive = false
    this.#cancel?.()
    this.#cancel = null
    await this.#running
  }
}
