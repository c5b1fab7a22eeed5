/** Starts worker threads. */

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type ResourceLimits } from 'node:worker_threads'

export interface ThreadOptions {
  /** The file to run. */
  readonly entry: URL
  /** Passed to the file as `workerData.input`. */
  readonly input: unknown
  readonly resourceLimits: ResourceLimits
}

const bootstrap = new URL('../../bin/thread.js', import.meta.url)

export function startThread({ entry, input, resourceLimits }: ThreadOptions): Worker {
  const used = getCompileCacheDir()
  // Node.js reports its version's subfolder of the configured folder.
  const compileCache = used === undefined ? null : dirname(used)
  return new Worker(bootstrap, { workerData: { compileCache, entry: entry.href, input }, resourceLimits })
}
