/** Entry point of the worker threads of `fairway assess`. */

import { parentPort, workerData } from 'node:worker_threads'
import { createAssessChunk, type ChunkJob } from './app/assess/assess-chunk.ts'
import type { Policy } from './core/decision/policy.ts'

const assessChunk = createAssessChunk((workerData as { input: { policy: Policy } }).input.policy)

parentPort?.on('message', (job: ChunkJob) => {
  const result = assessChunk(job)
  const transferred =
    result.kind === 'assessed'
      ? [result.assessed.buffer as ArrayBuffer, result.rejected.buffer as ArrayBuffer]
      : []
  parentPort?.postMessage(result, transferred)
})
