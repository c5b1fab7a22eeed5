/** Writer settings without leaf hashes, so that records are not sealed; also the entry of the SQLite writer thread. */

import { parentPort, workerData } from 'node:worker_threads'
import { runWriter } from '../../src/adapters/store/engine/sqlite-writer.ts'

const none = (): null => null

export const unsealed = {
  leafHashes: { record: none, override: none },
  writerEntry: new URL(import.meta.url),
}

if (parentPort !== null) {
  await runWriter(parentPort, (workerData as { input: { path: string } }).input, unsealed.leafHashes)
}
