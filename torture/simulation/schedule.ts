/** Time in a simulated world: what is to happen is kept in a list, and happens one thing after another when its time has come. */

import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../test/helpers/clock.ts'

/** One run of the service, from its start to its crash: what belongs to one that is over does not happen any more. */
export interface Life {
  readonly number: number
  isOver: boolean
}

interface Due {
  readonly atMs: number
  readonly order: number
  readonly life: Life | null
  readonly run: () => void
  /** What may still come of it where the life ends first. */
  readonly atCrash: (() => void) | null
}

export interface LateOptions {
  readonly life?: Life
  readonly atCrash?: () => void
}

/** Beyond this something calls itself for ever. */
const eventsMax = 100_000

export class Schedule {
  readonly clock = new ManualClock()
  /** How many things have happened: tells before from after. */
  happened = 0
  readonly #driftPpm: number
  /** In order of time; of those at one time, the first that was put in comes first. */
  readonly #due: Due[] = []
  #order = 0
  #onTime: () => void = () => {}

  constructor(driftPpm: number) {
    this.#driftPpm = driftPpm
  }

  /** Told whenever the clock was moved. */
  onTime(listener: () => void): void {
    this.#onTime = listener
  }

  after(delayMs: number, run: () => void, { life, atCrash }: LateOptions = {}): void {
    const atMs = this.clock.monotonicMs() + delayMs
    const due = { atMs, order: this.#order++, life: life ?? null, run, atCrash: atCrash ?? null }
    const place = this.#due.findIndex((other) => other.atMs > atMs)
    if (place < 0) this.#due.push(due)
    else this.#due.splice(place, 0, due)
  }

  /** Time passes, and all that is due within it happens. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.monotonicMs() + ms
    for (let next = this.#due[0]; next !== undefined && next.atMs <= untilMs; next = this.#due[0]) {
      await this.#happen(next)
    }
    this.#moveTo(untilMs)
  }

  /** All that is under way comes to its end. */
  async quiet(): Promise<void> {
    await settled()
    for (let next = this.#due[0]; next !== undefined; next = this.#due[0]) await this.#happen(next)
  }

  /** Somebody sets the wall clock. */
  setWall(ms: number): void {
    this.clock.setWall(ms)
    this.#onTime()
  }

  /** What was to happen to this life does not; what it had begun may still be done. */
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
    if (this.happened > eventsMax) throw new Error('the world does not come to rest')
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
 * Everything that follows of itself has happened: promises go on at once, and what gathers the work of one turn of the event loop
 * does so in the next; then all wait for the schedule.
 */
export async function settled(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
