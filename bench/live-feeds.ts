/** A service in live mode with seven feeds of the bench's own: their file, the provider behind them, and its count. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signalNames } from '../src/core/decision/signals.ts'
import type { Bench } from './bench.ts'
import { temporaryDirectory } from './processes.ts'
import { issueKey, startBaseline, startService, type Engine, type Server } from './service.ts'

/** A busy machine may make a provider late; what is measured is what feeds cost, not who gives up first. */
const deadlineMs = 10_000

export interface FeedsRule {
  readonly cacheMs: number
  /** What the address of a feed names of the payment; payments with the same share a value and a read. */
  readonly query: string
}

export interface LiveService {
  readonly server: Server
  readonly keys: { readonly shadow: string; readonly live: string }
  /** How many requests the provider has seen so far, of all feeds. */
  readonly asked: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Both keys are of one server and one database: nothing but the mode differs. */
export async function startLiveService(bench: Bench, engine: Engine, rule: FeedsRule): Promise<LiveService> {
  const provider = await startBaseline(['bench/live-provider.ts'])
  const database = await bench.databases.fresh(engine)
  const live = await issueKey(database.url, 'live')
  const feeds = writeFeeds(provider.port, rule)
  const server = await startService(database, { FAIRWAY_LIVE_FEEDS: feeds })
  return {
    server,
    keys: { shadow: database.key, live },
    async asked() {
      const response = await fetch(`http://127.0.0.1:${provider.port}/asked`)
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
