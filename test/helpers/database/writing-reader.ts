/** The thread that reads, whose connection is asked to write. */

import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../../../src/adapters/store/engine/reads/reader-thread.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'

const { database } = openReader((workerData as { input: { path: string } }).input.path, leafHashes)
parentPort?.on('message', () => {
  try {
    database.exec('DELETE FROM api_keys')
    parentPort?.postMessage({ kind: 'done', result: [] }, [])
  } catch (error) {
    parentPort?.postMessage({ kind: 'failed', error }, [])
  }
})
