/** The asynchronous Python client in event loops: cancellation at every turn, and loops other than asyncio's own. */

import { join } from 'node:path'
import { test } from 'node:test'
import { runPython } from '../../helpers/process/python.ts'

test('a cancellation is never lost, nor a socket left open, and any event loop will do', async () => {
  await runPython(join(import.meta.dirname, 'event_loops.py'), null)
})
