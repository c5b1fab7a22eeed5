/** What the crash experiments share: a key without a limit, a receiver of every event, and callers who press on. */

import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { checkedFetch } from '../../test/helpers/process/checked-fetch.ts'
import { issueByCli } from '../../test/helpers/process/process.ts'
import { openTestReceiver } from '../../test/helpers/peers/receiver.ts'
import type { Book, Result, Service } from './book.ts'

export interface Scene {
  readonly environment: Readonly<Record<string, string>>
  readonly apiKey: string
  /** Called once, when there is a server: from then on each decision is an event. */
  subscribe(url: string): Promise<void>
  /** Resolves with those of these events that have not arrived when the time is up. */
  missing(eventIds: ReadonlySet<string>, patienceMs: number): Promise<string[]>
  close(): Promise<void>
}

/** What one process has compiled, the next need not: there are hundreds of them. As for the tests. */
export function keepCompiled(): void {
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../test-output/compiled', import.meta.url))
}

export async function openScene(databaseUrl: string): Promise<Scene> {
  keepCompiled()
  const { key: apiKey } = await issueByCli(databaseUrl, '--limit-verify', '100000000/60')
  const arrived = new Set<string>()
  const arrivals = new EventEmitter()
  const receiver = await openTestReceiver(({ json }) => {
    arrived.add(String(json.event_id))
    arrivals.emit('arrival')
    return 200
  })
  return {
    environment: {
      DATABASE_URL: databaseUrl,
      FAIRWAY_LIMIT_KEYED: '100000000/60',
      FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    apiKey,
    async subscribe(url) {
      const answer = await checkedFetch(`${url}/api/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url }),
      })
      if (!answer.ok) throw new Error(`the webhook could not be registered: ${await answer.text()}`)
    },
    async missing(eventIds, patienceMs) {
      const signal = AbortSignal.timeout(patienceMs)
      const left = (): string[] => [...eventIds].filter((id) => !arrived.has(id))
      while (left().length > 0 && !signal.aborted) {
        await once(arrivals, 'arrival', { signal }).catch(() => undefined)
      }
      return left()
    },
    close: () => receiver.close(),
  }
}

export interface Pressing {
  readonly callers: number
  /** Called before each payment, with how many were begun so far. */
  readonly before: (begun: number) => void
  /** Whether a caller goes on after this. */
  readonly goesOn: (result: Result) => boolean
}

/** Many callers at once, each with one payment after the other, until none goes on. */
export async function press(book: Book, service: Service, pressing: Pressing): Promise<void> {
  let begun = 0
  const caller = async (): Promise<void> => {
    let result: Result
    do {
      begun += 1
      pressing.before(begun)
      result = await book.next(service)
    } while (pressing.goesOn(result))
  }
  await Promise.all(Array.from({ length: pressing.callers }, caller))
}
