/** Worker threads: all cores are used at once, up to four, and a thread that is lost is told. */

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { createWorkerPool } from '../../src/adapters/threads/worker-pool.ts'

/** A thread that runs this text. */
const entry = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`)

test('there is a thread for each core, up to four, and they work at the same time', async () => {
  // Each job waits until all others are under way too, so it ends only if they are.
  const meeting = new Int32Array(new SharedArrayBuffer(4))
  const crew = createWorkerPool<number, number>(
    entry(`
      import { parentPort, threadId, workerData } from 'node:worker_threads'
      const { input: there } = workerData
      parentPort.on('message', (expected) => {
        Atomics.add(there, 0, 1)
        Atomics.notify(there, 0)
        for (let come = 0; come < expected; come = Atomics.load(there, 0)) Atomics.wait(there, 0, come, 50)
        parentPort.postMessage(threadId)
      })`),
    meeting,
  )
  try {
    assert.equal(crew.size, Math.min(4, availableParallelism()))
    const threads = await Promise.all(Array.from({ length: crew.size }, () => crew.run(crew.size)))
    assert.equal(new Set(threads).size, crew.size)
    const again = await crew.run(crew.size)
    assert.ok(threads.includes(again), 'a thread that is free takes the next job')
  } finally {
    await crew.close()
  }
})

test('a job whose thread fails or ends is told so, and the next one gets another thread', async () => {
  const crew = createWorkerPool<string, string>(
    entry(`
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', (job) => {
        if (job === 'throw') throw new Error('thrown')
        if (job === 'end') process.exit(7)
        parentPort.postMessage(job)
      })`),
    null,
  )
  try {
    await assert.rejects(crew.run('throw'), { message: 'thrown' })
    await assert.rejects(crew.run('end'), { message: 'a worker thread ended with code 7' })
    assert.equal(await crew.run('go on'), 'go on')
  } finally {
    await crew.close()
  }
})
