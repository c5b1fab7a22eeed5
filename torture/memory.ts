/** Measures heap use after a full garbage collection. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | null = null

export function heapAfterCollection(): number {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  // Twice, because objects freed by the first collection may hold others.
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
