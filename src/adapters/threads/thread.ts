/** Starts worker threads. */

import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { programFolder } from './installation.ts'

export interface ThreadOptions {
  /** The file to run. */
  readonly entry: URL
  /** Passed to the file as `workerData.input`. */
  readonly input: unknown
  readonly resourceLimits: ResourceLimits
}

const bootstrap = join(programFolder, 'bin', 'thread.js')

export function startThread({ entry, input, resourceLimits }: ThreadOptions): Worker {
  const used = getCompileCacheDir()
  // Node.js reports its version's subfolder of the configured folder.
  const compileCache = used === undefined ? null : dirname(used)
  return new Worker(bootstrap, { workerData: { compileCache, entry: entry.href, input }, resourceLimits })
}
