/** Publishes events in a thread of its own, so that decisions do not wait for it; started when there are events. */

import type { EventPublisher, PublishJob, StreamPlace } from '../../app/ports/events.ts'
import type { NatsOptions } from '../nats.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface StreamThreadInput {
  readonly databaseUrl: string
  readonly nats: NatsOptions
}

export type PublishResult =
  | { readonly kind: 'published'; readonly place: StreamPlace }
  | { readonly kind: 'failed'; readonly message: string }

export function openStreamThread(entry: URL, input: StreamThreadInput): EventPublisher {
  const pool = createWorkerPool<PublishJob, PublishResult>(entry, input)
  let isClosed = false
  return {
    async publish(job) {
      if (isClosed) return null
      const result = await pool.run(job).catch((error: unknown) => {
        // A stop ends the thread, and with it the job.
        if (isClosed) return null
        throw error
      })
      if (result === null) return null
      if (result.kind === 'failed') throw new Error(result.message)
      return result.place
    },
    async close() {
      isClosed = true
      await pool.close()
    },
  }
}
