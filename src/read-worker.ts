/** Entry point of the thread that runs the long reads of SQLite. */

import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { runReader } from './adapters/store/engine/reads/reader-thread.ts'
import { leafHashes } from './app/log/leaf.ts'

/** On Linux a third of the processor time of others, where there is not enough for all. */
const niceness = 5

if (parentPort !== null) {
  // Decisions come first. Only Linux gives each thread its own priority.
  if (platform() === 'linux') setPriority(0, niceness)
  runReader(parentPort, (workerData as { input: { path: string } }).input.path, leafHashes)
}
