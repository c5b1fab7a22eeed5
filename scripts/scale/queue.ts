/** One database server under load: batches of instances wait for a core, then for a flush of the log that all share. */

import { chanceOf, gapMs } from './random.ts'

export interface ShardSetup {
  readonly ratePerSecond: number
  readonly instances: number
  readonly storeCores: number
  readonly storeCpuUs: number
  readonly walBytes: number
  readonly walBytesPerSecond: number
  readonly flushMs: number
  /** To the server and back, the commit included, without the work of the server. */
  readonly roundTripsMs: number
  readonly decisions: number
  readonly seed: number
}

/** As the service has them: `src/adapters/store/engine/store.ts` and `src/adapters/store/engine/postgres.ts`. */
const batchSizeMax = 64
const inFlightMax = 2

export interface ShardResult {
  readonly decisions: number
  readonly decisionsPerFlush: number
  readonly coreShareBusy: number
  readonly flushShareBusy: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** More came than was done: the queue only grew. */
  readonly isOverrun: boolean
}

interface Event {
  readonly atMs: number
  readonly run: () => void
}

/** The soonest first. */
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

/** The moments at which the decisions of one transaction came in. */
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
    const chance = chanceOf(seed)
    const queues = Array.from({ length: instances }, () => new Instance(this.#transact))
    let came = 0
    let lastCameMs = 0
    const arrive = (): void => {
      lastCameMs = this.#nowMs
      queues[Math.floor(chance() * instances)]?.take(this.#nowMs)
      came += 1
      if (came < decisions) this.#agenda.add(this.#nowMs + gapMs(chance, ratePerSecond), arrive)
    }
    this.#agenda.add(0, arrive)
    for (let event = this.#agenda.next(); event !== undefined; event = this.#agenda.next()) {
      this.#nowMs = event.atMs
      event.run()
    }
    return this.#result(lastCameMs)
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

  /** Whoever came while the log was being flushed shares the next flush. */
  #flush(): void {
    if (this.#isFlushing || this.#forFlush.length === 0) return
    const { flushMs, walBytes, walBytesPerSecond } = this.#setup
    const together = this.#forFlush
    this.#forFlush = []
    this.#isFlushing = true
    this.#flushes += 1
    const decisions = together.reduce((sum, { batch }) => sum + batch.length, 0)
    const tookMs = flushMs + ((decisions * walBytes) / walBytesPerSecond) * 1000
    this.#flushMs += tookMs
    this.#agenda.add(this.#nowMs + tookMs, () => {
      this.#isFlushing = false
      for (const { batch, done } of together) {
        for (const cameMs of batch) this.#waitsMs.push(this.#nowMs - cameMs)
        done()
      }
      this.#flush()
    })
  }

  #result(lastCameMs: number): ShardResult {
    const { storeCores, decisions } = this.#setup
    const sorted = this.#waitsMs.toSorted((left, right) => left - right)
    const quantile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
    const tookMs = this.#nowMs
    const p99Ms = quantile(0.99)
    return {
      decisions: sorted.length,
      decisionsPerFlush: decisions / this.#flushes,
      coreShareBusy: this.#coreMs / (tookMs * storeCores),
      flushShareBusy: this.#flushMs / tookMs,
      p50Ms: quantile(0.5),
      p99Ms,
      // What is left when the last one has come takes long to be done only where it has piled up.
      isOverrun: tookMs - lastCameMs > lastCameMs * 0.1,
    }
  }
}

/** As the service's batcher: what comes while two transactions are under way goes out together. */
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
