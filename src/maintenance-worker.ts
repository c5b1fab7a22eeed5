/** Entry point of the thread that does the work of maintenance, on a connection of its own, as a command would. */

import { join } from 'node:path'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { MaintenanceInput, Work } from './app/operate/maintenance/work.ts'

async function runWorks(port: MessagePort, input: MaintenanceInput): Promise<void> {
  const { createRunWork } = await import('./app/operate/maintenance/run.ts')
  const { createFollowReviews } = await import('./app/review/follow.ts')
  const { createIds } = await import('./app/verify/ids.ts')
  const { leafHashes } = await import('./app/log/leaf.ts')
  const { openArchiveFolder } = await import('./adapters/archive/folder.ts')
  const { openStore } = await import('./adapters/store/open.ts')
  const { systemClock: clock, systemRandom: random } = await import('./adapters/system.ts')
  const { databaseUrl, archives, reviews: terms, cooldownMs } = input
  // A fault of the connection also meets the work.
  const onFault = (): void => undefined
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  const ids = createIds({ clock, random })
  const run = createRunWork({
    store,
    clock,
    random,
    cooldownMs,
    followReviews: createFollowReviews({ store: store.reviews, ids, terms }),
    openArchive:
      archives === null ? null : (name) => openArchiveFolder(join(archives, name), { isRead: true }),
  })
  port.on('message', async (work: Work) => {
    port.postMessage(await run(work), [])
  })
}

if (parentPort !== null) {
  void runWorks(parentPort, (workerData as { input: MaintenanceInput }).input)
}
