/** How much memory is really in use: measured after a full collection, so that garbage does not count. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | null = null

export function heapAfterCollection(): number {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  // Twice: what a first one lets go of may hold on to more.
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
