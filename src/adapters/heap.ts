/** Limits the heap of the process: the size of the young generation and the garbage in the old one. */

import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both semi-spaces together. V8 doubles it, perhaps once more before this is noticed; more gains no throughput. */
const youngBytesEnough = 16 * 1024 * 1024

/**
 * Heap growth after which the next full collection is due. Objects that a request holds during a minor collection move
 * to the old generation and soon become garbage; by default V8 lets more than 100 MB of it accumulate. Less is worse, too:
 * on two cores the threads of a full collection take the processor from requests.
 */
const grownPercentMax = 100

/** V8 reads its size limits once, before our code runs, but reads the growth factors each time the heap grows. */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${grownPercentMax}`)
  // With pretenuring, objects that survive a few minor collections of a tiny young generation would be allocated in the
  // old one from then on. Some processes then had a full collection each second and a p99 of 30 ms until restart.
  setFlagsFromString('--no-allocation-site-pretenuring')
  let mayGrow: boolean | null = null
  // Checked after every collection, not just until it is large: V8 shrinks an idle heap, and a young generation that
  // cannot grow again would cost a third of the throughput for the life of the process.
  const adjust = (): void => {
    const isSmall = youngBytes() < youngBytesEnough
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${isSmall ? 2 : 1}`)
  }
  adjust()
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? Infinity
}
