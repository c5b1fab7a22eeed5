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
  if (stopsGrowing()) return
  const observer = new PerformanceObserver(() => {
    if (stopsGrowing()) observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}

function stopsGrowing(): boolean {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  const isEnough = young === undefined || young.space_size >= youngBytesEnough
  if (isEnough) setFlagsFromString('--semi-space-growth-factor=1')
  return isEnough
}
