/** The entry of each thread of `fairway assess`. */

import { parentPort, workerData } from 'node:worker_threads'
import { createAssessChunk, type ChunkJob } from './app/assess/assess-chunk.ts'
import type { Policy } from './core/decision/policy.ts'

const assessChunk = createAssessChunk((workerData as { given: { policy: Policy } }).given.policy)

parentPort?.on('message', (job: ChunkJob) => {
  const result = assessChunk(job)
  const moved =
    result.kind === 'assessed'
      ? [result.assessed.buffer as ArrayBuffer, result.rejected.buffer as ArrayBuffer]
      : []
  parentPort?.postMessage(result, moved)
})
