/** How records are written that no log will hold; and, on SQLite, the entry of the thread that does it. */

import { parentPort, workerData } from 'node:worker_threads'
import { runWriter } from '../src/adapters/store/engine/sqlite-writer.ts'

const none = (): null => null

export const unsealed = {
  leafHashes: { record: none, override: none },
  writerEntry: new URL(import.meta.url),
}

if (parentPort !== null) {
  await runWriter(parentPort, (workerData as { given: { path: string } }).given, unsealed.leafHashes)
}
