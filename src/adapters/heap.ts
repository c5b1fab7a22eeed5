/** Keeps the process small, however it was started: bounds the young generation of the heap, and what piles up in the old one. */

import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves together. It doubles at a time, and may do so once more before that is seen; more gains nothing on the bench. */
const youngBytesEnough = 16 * 1024 * 1024

/**
 * After a full collection the next is due when the heap has grown by so much. What a request holds while a small collection
 * goes by lands in the old generation and is soon of no use: left to itself V8 lets more than 100 MB of that gather.
 */
const grownPercentMax = 20

/** V8 reads its size limits once, before our code runs, but the factors by which it grows each time that it does. */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${grownPercentMax}`)
  // What outlives a few small collections while the young generation is still tiny would be made in the old one from then on, in
  // some processes and not in others: a full collection each second, 30 ms for the slowest hundredth, until the next start.
  setFlagsFromString('--no-allocation-site-pretenuring')
  let mayGrow: boolean | null = null
  // Looked at after every collection, not until it is large once: while nobody asks, V8 makes it small again, and one that
  // may not grow would stay so, and cost a third of the throughput, for as long as the process lives.
  const look = (): void => {
    const isSmall = youngBytes() < youngBytesEnough
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${isSmall ? 2 : 1}`)
  }
  look()
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] })
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? Infinity
}
