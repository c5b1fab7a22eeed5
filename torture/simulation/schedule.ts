/** Simulated time: a list of events that happen one after another when they are due. */

import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../test/helpers/clock.ts'

/** One run of the service, from start to crash. Events of an ended life no longer happen. */
export interface Life {
  readonly number: number
  isOver: boolean
  /** A paused process does nothing, and its clock runs on. */
  isPaused: boolean
}

interface Due {
  atMs: number
  readonly order: number
  readonly life: Life | null
  readonly run: () => void
  /** Called instead if the life ends first. */
  readonly atCrash: (() => void) | null
}

export interface LateOptions {
  readonly life?: Life
  readonly atCrash?: () => void
}

/** More events mean an endless loop. */
const eventsMax = 100_000

export class Schedule {
  readonly clock = new ManualClock()
  /** The number of events so far, as a logical clock. */
  happened = 0
  readonly #driftPpm: number
  /** Sorted by time; events of the same time keep their insertion order. */
  readonly #due: Due[] = []
  #order = 0
  #onTime: () => void = () => {}

  constructor(driftPpm: number) {
    this.#driftPpm = driftPpm
  }

  /** The listener is called after every change of the clock. */
  onTime(listener: () => void): void {
    this.#onTime = listener
  }

  /** The returned function cancels it. */
  after(delayMs: number, run: () => void, { life, atCrash }: LateOptions = {}): () => void {
    const atMs = this.clock.monotonicMs() + delayMs
    const due = { atMs, order: this.#order++, life: life ?? null, run, atCrash: atCrash ?? null }
    const place = this.#due.findIndex((other) => other.atMs > atMs)
    if (place < 0) this.#due.push(due)
    else this.#due.splice(place, 0, due)
    return () => {
      const at = this.#due.indexOf(due)
      if (at >= 0) this.#due.splice(at, 1)
    }
  }

  /** Stops a process for some time, as SIGSTOP does: all its events come later. */
  pause(life: Life, ms: number): void {
    life.isPaused = true
    for (const due of this.#due) if (due.life === life) due.atMs += ms
    this.#due.sort((left, right) => left.atMs - right.atMs || left.order - right.order)
    this.after(ms, () => void (life.isPaused = false))
  }

  /** Advances the clock and runs all events due meanwhile. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.monotonicMs() + ms
    for (let next = this.#due[0]; next !== undefined && next.atMs <= untilMs; next = this.#due[0]) {
      await this.#happen(next)
    }
    this.#moveTo(untilMs)
  }

  /** Runs all pending events. */
  async quiet(): Promise<void> {
    await settled()
    for (let next = this.#due[0]; next !== undefined; next = this.#due[0]) await this.#happen(next)
  }

  /** Sets the wall clock. */
  setWall(ms: number): void {
    this.clock.setWall(ms)
    this.#onTime()
  }

  /** Ends a life: its events are cancelled, but started work may still complete by `atCrash`. */
  end(life: Life): void {
    life.isOver = true
    const left = this.#due.filter((due) => due.life !== life)
    const cut = this.#due.filter((due) => due.life === life)
    this.#due.splice(0, this.#due.length, ...left)
    for (const due of cut) due.atCrash?.()
  }

  async #happen(due: Due): Promise<void> {
    this.#due.shift()
    this.#moveTo(due.atMs)
    this.happened += 1
    if (this.happened > eventsMax) throw new Error('the world does not become idle')
    due.run()
    await settled()
  }

  #moveTo(atMs: number): void {
    const passedMs = atMs - this.clock.monotonicMs()
    if (passedMs <= 0) return
    this.clock.advance(passedMs)
    this.clock.setWall(Math.round(this.clock.nowMs() + (passedMs * this.#driftPpm) / 1_000_000))
    this.#onTime()
  }
}

/**
 * Resolves when all immediate work is done: promises continue at once, and code that batches the work of one turn of
 * the event loop runs in the next. After that everything waits for the schedule.
 */
export async function settled(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
