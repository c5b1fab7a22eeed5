/** Threads, each with a file of ours as its entry. */

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type ResourceLimits } from 'node:worker_threads'

export interface ThreadOptions {
  /** The file that it runs. */
  readonly entry: URL
  /** What the file finds as `workerData.given`. */
  readonly given: unknown
  readonly resourceLimits: ResourceLimits
}

const door = new URL('../../bin/thread.js', import.meta.url)

export function startThread({ entry, given, resourceLimits }: ThreadOptions): Worker {
  const used = getCompileCacheDir()
  // What is told is the folder of this version of Node.js within the one that was asked for.
  const compileCache = used === undefined ? null : dirname(used)
  return new Worker(door, { workerData: { compileCache, entry: entry.href, given }, resourceLimits })
}
