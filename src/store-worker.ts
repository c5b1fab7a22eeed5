/** Entry point of the SQLite writer thread. */

import { parentPort, workerData } from 'node:worker_threads'
import { runWriter } from './adapters/store/engine/sqlite-writer.ts'
import { leafHashes } from './app/log/leaf.ts'

if (parentPort !== null) {
  await runWriter(parentPort, (workerData as { input: { path: string } }).input, leafHashes)
}
