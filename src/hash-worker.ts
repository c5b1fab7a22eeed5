/** Entry point of the thread that hashes the files of an archive. */

import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { HashJob } from './adapters/archive/hash-thread.ts'

const hashes = new Map<number, Hash>()

function work({ file, bytes }: HashJob): string {
  const hash = hashes.get(file) ?? createHash('sha256')
  if (bytes === null) {
    hashes.delete(file)
    return hash.digest('hex')
  }
  hashes.set(file, hash.update(bytes))
  return ''
}

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(work(job), []))
