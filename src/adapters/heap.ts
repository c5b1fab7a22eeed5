/** Keeps the process small: bounds the young generation of the heap, however the process was started. */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves together. Twice as much gains nothing on the bench, and costs 64 MB of resident memory. */
const youngBytesMax = 32 * 1024 * 1024
const lookEveryMs = 500

/** V8 reads its size limit once, before our code runs, but the factor by which it grows each time that it does. */
export function boundYoungGeneration(): void {
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    if (young === undefined || young.space_size >= youngBytesMax) {
      setFlagsFromString('--semi-space-growth-factor=1')
      clearInterval(timer)
    }
  }, lookEveryMs)
  timer.unref()
}
