/** A pool of worker threads: each runs one job at a time and is started when there is work for it. */

import { availableParallelism } from 'node:os'
import type { ResourceLimits, Worker } from 'node:worker_threads'
import type { WorkerPool } from '../../app/ports/assess.ts'
import { startThread } from './thread.ts'

/** Each takes about 45 MB; more would exceed the 300 MB limit of the process. */
const sizeMax = 4

/** Small heaps, so that the garbage of a job is collected early. */
const smallHeap = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 64 }

interface Task<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

export function createWorkerPool<Job, Result>(
  entry: URL,
  input: unknown,
  resourceLimits: ResourceLimits = smallHeap,
): WorkerPool<Job, Result> {
  const size = Math.min(sizeMax, availableParallelism())
  const queue: Task<Job, Result>[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Task<Job, Result>>()

  function startWorker(): Worker {
    const worker = startThread({ entry, input, resourceLimits })
    worker.on('message', (result: Result) => {
      const task = busy.get(worker)
      busy.delete(worker)
      idle.push(worker)
      task?.resolve(result)
      next()
    })
    const fail = (error: Error): void => {
      const task = busy.get(worker)
      busy.delete(worker)
      task?.reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', (code) => {
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      fail(new Error(`a worker thread ended with code ${code}`))
    })
    return worker
  }

  function next(): void {
    const task = queue[0]
    if (task === undefined) return
    const worker = idle.pop() ?? (busy.size < size ? startWorker() : undefined)
    if (worker === undefined) return
    queue.shift()
    busy.set(worker, task)
    worker.postMessage(task.job, [])
  }

  return {
    size,
    run: (job) =>
      new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        next()
      }),
    async close() {
      queue.length = 0
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}
