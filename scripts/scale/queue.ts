/** Simulates one database server under load: batches wait for a core, then for a shared flush of the log. */

import { seededRandom, gapMs } from './random.ts'

export interface ShardSetup {
  readonly ratePerSecond: number
  readonly instances: number
  readonly storeCores: number
  readonly storeCpuUs: number
  readonly walBytes: number
  readonly walBytesPerSecond: number
  readonly flushMs: number
  /** All round trips including the commit, without server time. */
  readonly roundTripsMs: number
  readonly decisions: number
  readonly seed: number
}

/** The values of `src/adapters/store/engine/store.ts` and `src/adapters/store/engine/postgres.ts`. */
const batchSizeMax = 64
const inFlightMax = 2

export interface ShardResult {
  readonly decisions: number
  readonly decisionsPerFlush: number
  readonly coreShareBusy: number
  readonly flushShareBusy: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Arrivals exceeded capacity: the queue only grew. */
  readonly isOverrun: boolean
}

interface Event {
  readonly atMs: number
  readonly run: () => void
}

/** A priority queue of events, earliest first. */
class Agenda {
  readonly #heap: Event[] = []

  add(atMs: number, run: () => void): void {
    const heap = this.#heap
    const event = { atMs, run }
    let place = heap.push(event) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent]
      if (above === undefined || above.atMs <= atMs) break
      heap[place] = above
      place = parent
    }
    heap[place] = event
  }

  next(): Event | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      const right = left + 1
      const lesser = (heap[right]?.atMs ?? Infinity) < (heap[left]?.atMs ?? Infinity) ? right : left
      const below = heap[lesser]
      if (below === undefined || below.atMs >= last.atMs) break
      heap[place] = below
      place = lesser
    }
    heap[place] = last
    return first
  }
}

/** Arrival times of the decisions of one transaction. */
type Batch = readonly number[]

class Shard {
  readonly #setup: ShardSetup
  readonly #agenda = new Agenda()
  readonly #waitsMs: number[] = []
  readonly #forCore: { readonly batch: Batch; readonly done: () => void }[] = []
  #coresFree: number
  #forFlush: { readonly batch: Batch; readonly done: () => void }[] = []
  #isFlushing = false
  #flushes = 0
  #coreMs = 0
  #flushMs = 0
  #nowMs = 0

  constructor(setup: ShardSetup) {
    this.#setup = setup
    this.#coresFree = setup.storeCores
  }

  run(): ShardResult {
    const { instances, ratePerSecond, decisions, seed } = this.#setup
    const random = seededRandom(seed)
    const queues = Array.from({ length: instances }, () => new Instance(this.#transact))
    let arrivals = 0
    let lastArrivalMs = 0
    const arrive = (): void => {
      lastArrivalMs = this.#nowMs
      queues[Math.floor(random() * instances)]?.take(this.#nowMs)
      arrivals += 1
      if (arrivals < decisions) this.#agenda.add(this.#nowMs + gapMs(random, ratePerSecond), arrive)
    }
    this.#agenda.add(0, arrive)
    for (let event = this.#agenda.next(); event !== undefined; event = this.#agenda.next()) {
      this.#nowMs = event.atMs
      event.run()
    }
    return this.#result(lastArrivalMs)
  }

  readonly #transact = (batch: Batch, done: () => void): void => {
    this.#agenda.add(this.#nowMs + this.#setup.roundTripsMs, () => {
      this.#forCore.push({ batch, done })
      this.#useCores()
    })
  }

  #useCores(): void {
    while (this.#coresFree > 0) {
      const job = this.#forCore.shift()
      if (job === undefined) return
      this.#coresFree -= 1
      const workMs = (job.batch.length * this.#setup.storeCpuUs) / 1000
      this.#coreMs += workMs
      this.#agenda.add(this.#nowMs + workMs, () => {
        this.#coresFree += 1
        this.#forFlush.push(job)
        this.#flush()
        this.#useCores()
      })
    }
  }

  /** Transactions that arrive during a flush share the next one. */
  #flush(): void {
    if (this.#isFlushing || this.#forFlush.length === 0) return
    const { flushMs, walBytes, walBytesPerSecond } = this.#setup
    const together = this.#forFlush
    this.#forFlush = []
    this.#isFlushing = true
    this.#flushes += 1
    const decisions = together.reduce((sum, { batch }) => sum + batch.length, 0)
    const durationMs = flushMs + ((decisions * walBytes) / walBytesPerSecond) * 1000
    this.#flushMs += durationMs
    this.#agenda.add(this.#nowMs + durationMs, () => {
      this.#isFlushing = false
      for (const { batch, done } of together) {
        for (const arrivalMs of batch) this.#waitsMs.push(this.#nowMs - arrivalMs)
        done()
      }
      this.#flush()
    })
  }

  #result(lastArrivalMs: number): ShardResult {
    const { storeCores, decisions } = this.#setup
    const sorted = this.#waitsMs.toSorted((left, right) => left - right)
    const quantile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
    const durationMs = this.#nowMs
    const p99Ms = quantile(0.99)
    return {
      decisions: sorted.length,
      decisionsPerFlush: decisions / this.#flushes,
      coreShareBusy: this.#coreMs / (durationMs * storeCores),
      flushShareBusy: this.#flushMs / durationMs,
      p50Ms: quantile(0.5),
      p99Ms,
      // A long time after the last arrival means that the queue had piled up.
      isOverrun: durationMs - lastArrivalMs > lastArrivalMs * 0.1,
    }
  }
}

/** Like the service's batcher: decisions that arrive during two transactions share the next one. */
class Instance {
  readonly #transact: (batch: Batch, done: () => void) => void
  #waiting: number[] = []
  #inFlight = 0

  constructor(transact: (batch: Batch, done: () => void) => void) {
    this.#transact = transact
  }

  take(nowMs: number): void {
    this.#waiting.push(nowMs)
    this.#send()
  }

  #send(): void {
    while (this.#inFlight < inFlightMax && this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSizeMax)
      this.#waiting = this.#waiting.slice(batchSizeMax)
      this.#inFlight += 1
      this.#transact(batch, () => {
        this.#inFlight -= 1
        this.#send()
      })
    }
  }
}

export function simulateShard(setup: ShardSetup): ShardResult {
  return new Shard(setup).run()
}
