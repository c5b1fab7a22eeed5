/** Entry point of the thread that runs the parts of a backtest, on a connection of its own. */

import { constants, platform, setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { systemClock as clock } from './adapters/system.ts'
import { openStore } from './adapters/store/open.ts'
import { leafHashes } from './app/log/leaf.ts'
import { createRunPart, type PartJob } from './app/policy/backtest.ts'
import { createPolicyLibrary } from './app/policy/library.ts'

async function runParts(port: MessagePort, { databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
  // Decisions come first. Only Linux gives each thread a priority of its own.
  if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)
  // A fault ends the thread, and with it the backtest.
  const onFault = (): void => undefined
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  const runPart = createRunPart({ store: store.policies, library: createPolicyLibrary(store.policies) })
  port.on('message', async (job: PartJob) => {
    port.postMessage(await runPart(job), [])
  })
}

if (parentPort !== null) {
  await runParts(parentPort, (workerData as { input: { databaseUrl: string } }).input)
}
