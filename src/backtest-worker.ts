/** Entry point of the thread that runs the parts of a backtest, on a connection of its own. */

import { constants, platform, setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { PartJob } from './app/policy/backtest.ts'

async function runParts(port: MessagePort, { databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
  // Decisions come first, also before the loading of this thread. Only Linux gives each thread its own priority.
  if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)
  const { createRunPart } = await import('./app/policy/backtest.ts')
  const { createPolicyLibrary } = await import('./app/policy/library.ts')
  const { leafHashes } = await import('./app/log/leaf.ts')
  const { openStore } = await import('./adapters/store/open.ts')
  const { systemClock: clock } = await import('./adapters/system.ts')
  // A fault ends the thread, and with it the backtest.
  const onFault = (): void => undefined
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  const runPart = createRunPart({
    store: store.policies,
    library: createPolicyLibrary(store.policies),
    clock,
  })
  port.on('message', async (job: PartJob) => {
    port.postMessage(await runPart(job), [])
  })
}

if (parentPort !== null) {
  void runParts(parentPort, (workerData as { input: { databaseUrl: string } }).input)
}
