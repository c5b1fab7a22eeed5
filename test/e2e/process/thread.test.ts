/** Threads: each runs our file with what it was given, and with the compile cache of its process. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { test } from 'node:test'
import { startThread } from '../../../src/adapters/threads/thread.ts'

test('a thread finds what it was given, and uses the compile cache of its process', async () => {
  const text = `
    import { getCompileCacheDir } from 'node:module'
    import { parentPort, workerData } from 'node:worker_threads'
    parentPort.postMessage({ input: workerData.input, cache: getCompileCacheDir() })`
  const thread = startThread({
    entry: new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    input: { path: 'x.db' },
    resourceLimits: {},
  })
  // Both are waited for from the start: a thread may have ended when its message is looked at.
  const ended = once(thread, 'exit')
  const [message] = (await once(thread, 'message')) as [unknown]
  assert.deepEqual(message, { input: { path: 'x.db' }, cache: getCompileCacheDir() })
  await ended
})
