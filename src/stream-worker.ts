/** Entry point of the thread that publishes events to NATS JetStream, on connections of its own. */

import { constants, platform, setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { PublishJob } from './app/ports/events.ts'
import type { PublishResult, StreamThreadInput } from './adapters/threads/stream-thread.ts'

async function publishEvents(port: MessagePort, { databaseUrl, nats }: StreamThreadInput): Promise<void> {
  // Decisions come first, also before the loading of this thread. Only Linux gives each thread its own priority.
  if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)
  const { createPublish } = await import('./app/events/stream/publish.ts')
  const { leafHashes } = await import('./app/log/leaf.ts')
  const { openNats } = await import('./adapters/nats.ts')
  const { openStore } = await import('./adapters/store/open.ts')
  const { systemClock: clock } = await import('./adapters/system.ts')
  // The next read fails, too, and its failure is reported.
  const onFault = (): void => undefined
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  const publish = createPublish({ events: store.events, sink: await openNats(nats) })
  port.on('message', async (job: PublishJob) => {
    const result: PublishResult = await publish(job).then(
      (place) => ({ kind: 'published', place }),
      (error: unknown) => ({
        kind: 'failed',
        message: error instanceof Error ? error.message : String(error),
      }),
    )
    port.postMessage(result, [])
  })
}

if (parentPort !== null) {
  void publishEvents(parentPort, (workerData as { input: StreamThreadInput }).input)
}
