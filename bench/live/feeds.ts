/** Starts a service in live mode with seven feeds: their file, their provider, and its request count. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signalNames } from '../../src/core/decision/signals.ts'
import type { Bench } from '../bench.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import { issueKey, startBaseline, startService, type Engine, type Server } from '../harness/service.ts'

/** Long, because a busy machine may delay the provider and timeouts are not what is measured. */
const deadlineMs = 10_000

export interface FeedsRule {
  readonly cacheMs: number
  /** The query of the feed's URL. Payments with the same query share a value and a read. */
  readonly query: string
}

export interface LiveService {
  readonly server: Server
  readonly keys: { readonly shadow: string; readonly live: string }
  /** The number of requests the provider has received so far, for all feeds. */
  readonly providerRequests: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Both keys use the same server and database, so only the mode differs. */
export async function startLiveService(bench: Bench, engine: Engine, rule: FeedsRule): Promise<LiveService> {
  const provider = await startBaseline(['bench/live/provider.ts'])
  const database = await bench.databases.fresh(engine)
  const live = await issueKey(database.url, 'live')
  const feeds = writeFeeds(provider.port, rule)
  const server = await startService(database, { FAIRWAY_LIVE_FEEDS: feeds })
  return {
    server,
    keys: { shadow: database.key, live },
    async providerRequests() {
      const response = await fetch(`http://127.0.0.1:${provider.port}/request-count`)
      return Number(await response.text())
    },
    async stop() {
      await server.stop()
      await provider.stop()
    },
  }
}

function writeFeeds(port: number, { cacheMs, query }: FeedsRule): string {
  const path = join(temporaryDirectory(), 'feeds.json')
  const feedOf = (signal: string) => ({
    source: 'http',
    url: `http://127.0.0.1:${port}/${signal}?${query}`,
    value: `/${signal}`,
    observed_at: { pointer: '/as_of' },
    cache_ms: cacheMs,
  })
  const signals = Object.fromEntries(signalNames.map((signal) => [signal, feedOf(signal)]))
  writeFileSync(path, JSON.stringify({ deadline_ms: deadlineMs, signals }))
  return path
}
