/** The thread that reads, which ends at its second read before it has answered. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { runReader } from '../../../src/adapters/store/engine/reads/reader-thread.ts'

if (parentPort !== null) {
  let asked = 0
  parentPort.on('message', () => {
    asked += 1
    if (asked === 2) process.exit(1)
  })
  runReader(parentPort, (workerData as { input: { path: string } }).input.path, leafHashes)
}
