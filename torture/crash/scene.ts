/** Shared setup of the crash experiments: a key with a very high limit, an approver, a webhook receiver, and concurrent callers. */

import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { issueByCli } from '../../test/helpers/process/process.ts'
import { openTestReceiver } from '../../test/helpers/peers/receiver.ts'
import type { Book, Result, Service } from './book.ts'

export interface Scene {
  readonly environment: Readonly<Record<string, string>>
  readonly apiKey: string
  readonly ownerId: string
  /** Another principal of the same owner. */
  readonly approverKey: string
  /** How often each event has arrived. */
  readonly arrivals: ReadonlyMap<string, number>
  /** Registers the webhook. Call once, when the server runs; from then on each decision creates an event. */
  subscribe(url: string): Promise<void>
  /** Waits for these events and returns those that have not arrived in time. */
  missing(eventIds: ReadonlySet<string>, timeoutMs: number): Promise<string[]>
  close(): Promise<void>
}

/** Shares a compile cache among the hundreds of processes, as the tests do. */
export function shareCompileCache(): void {
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../test-output/compiled', import.meta.url))
}

/** `issue` makes a key on the database, which it migrates. */
export async function openScene(databaseUrl: string, issue = issueByCli): Promise<Scene> {
  shareCompileCache()
  const issued = await issue(databaseUrl, '--limit-verify', '100000000/60')
  const approver = await issue(databaseUrl, '--for-owner', issued.owner_id)
  const { key: apiKey } = issued
  const arrivals = new Map<string, number>()
  const emitter = new EventEmitter()
  const receiver = await openTestReceiver(({ json }) => {
    const eventId = String(json.event_id)
    arrivals.set(eventId, (arrivals.get(eventId) ?? 0) + 1)
    emitter.emit('arrival')
    return 200
  })
  return {
    environment: {
      DATABASE_URL: databaseUrl,
      FAIRWAY_LIMIT_KEYED: '100000000/60',
      FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
      // A busy machine is no part of the experiment.
      FAIRWAY_SHED_LAG_MS: '0',
    },
    apiKey,
    ownerId: issued.owner_id,
    approverKey: approver.key,
    arrivals,
    async subscribe(url) {
      // Not checked against the document: an instance of an earlier version may answer.
      const answer = await fetch(`${url}/api/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url }),
      })
      if (!answer.ok) throw new Error(`the webhook could not be registered: ${await answer.text()}`)
    },
    async missing(eventIds, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs)
      const left = (): string[] => [...eventIds].filter((id) => !arrivals.has(id))
      while (left().length > 0 && !signal.aborted) {
        await once(emitter, 'arrival', { signal }).catch(() => undefined)
      }
      return left()
    },
    close: () => receiver.close(),
  }
}

export interface LoadOptions {
  readonly callers: number
  /** Called before each payment with the number of payments started, including this one. */
  readonly before: (started: number) => void
  /** Whether a caller continues after this result. */
  readonly continues: (result: Result) => boolean
}

/** Runs callers concurrently, each sending one payment after another, until all have stopped. */
export async function runCallers(book: Book, service: Service, options: LoadOptions): Promise<void> {
  let started = 0
  const caller = async (): Promise<void> => {
    let result: Result
    do {
      started += 1
      options.before(started)
      result = await book.next(service)
    } while (options.continues(result))
  }
  await Promise.all(Array.from({ length: options.callers }, caller))
}
