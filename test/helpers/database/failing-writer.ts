/** The thread that writes, which ends at its second change before it has answered. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { runWriter } from '../../../src/adapters/store/engine/sqlite-writer.ts'

if (parentPort !== null) {
  let asked = 0
  parentPort.on('message', () => {
    asked += 1
    if (asked === 2) process.exit(1)
  })
  await runWriter(parentPort, (workerData as { input: { path: string } }).input, leafHashes)
}
