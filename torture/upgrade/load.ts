/** Callers that pay without a pause while instances are replaced: each payment is repeated, anywhere, until it is answered. */

import { EventEmitter, once } from 'node:events'
import type { Book } from '../crash/book.ts'
import type { Fleet, Version } from './fleet.ts'

const callers = 8
/** Without an answer for so long, a payment is not held, but lost. */
const heldMsMax = 60_000

export interface Phase {
  readonly name: string
  /** First answers by each version. */
  readonly answered: Record<Version, number>
  /** Payments that were sent more than once, because an instance was stopping or gone. */
  repeated: number
  /** The longest time from the first sending of a payment to its answer. */
  heldMs: number
}

interface LoadDeps {
  readonly book: Book
  readonly fleet: Fleet
  readonly apiKey: string
}

export class Load {
  readonly violations: string[] = []
  readonly #deps: LoadDeps
  readonly #answers = new EventEmitter()
  readonly #callers: Promise<void>[]
  #phase: Phase
  #isOver = false

  constructor(deps: LoadDeps, firstPhase: string) {
    this.#deps = deps
    this.#phase = emptyPhase(firstPhase)
    this.#callers = Array.from({ length: callers }, () => this.#call())
  }

  /** Resolves when so many more payments are answered. */
  async more(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await once(this.#answers, 'answer')
  }

  /** Ends a phase and begins the next. */
  next(name: string): Phase {
    const ended = this.#phase
    this.#phase = emptyPhase(name)
    return ended
  }

  async stop(): Promise<Phase> {
    this.#isOver = true
    await Promise.all(this.#callers)
    return this.#phase
  }

  async #call(): Promise<void> {
    while (!this.#isOver) await this.#pay(this.#deps.book.take())
  }

  async #pay(number: number): Promise<void> {
    const { book, fleet, apiKey } = this.#deps
    const sentMs = performance.now()
    for (let attempt = 0; performance.now() - sentMs < heldMsMax; attempt += 1) {
      const { serving } = fleet
      const instance = serving[(number + attempt) % serving.length]
      if (instance === undefined) {
        this.#isOver = true
        this.violations.push('no instance serves')
        return
      }
      if ((await book.pay({ url: instance.served.url, apiKey }, number)) !== 'answered') continue
      this.#phase.answered[instance.version] += 1
      if (attempt > 0) this.#phase.repeated += 1
      this.#phase.heldMs = Math.max(this.#phase.heldMs, performance.now() - sentMs)
      this.#answers.emit('answer')
      return
    }
    this.violations.push(`payment ${number} got no answer in ${heldMsMax} ms`)
  }
}

const emptyPhase = (name: string): Phase => ({ name, answered: { old: 0, new: 0 }, repeated: 0, heldMs: 0 })
