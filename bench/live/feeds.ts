/** Starts a service in live mode: its feeds file, their provider, and its request count. */

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
  /** Partners with seven feeds each; 0: seven feeds of the file. */
  readonly partners: number
  /** Signals with a feed; the others are constants. Default: all. */
  readonly feeds?: number
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

function writeFeeds(
  port: number,
  { cacheMs, query, partners: count, feeds = signalNames.length }: FeedsRule,
): string {
  const path = join(temporaryDirectory(), 'feeds.json')
  const feedOf = (signal: string) => ({
    source: 'http',
    url: `http://127.0.0.1:${port}/${signal}?${query}${count === 0 ? '' : '&partner={partner}'}`,
    value: `/${signal}`,
    observed_at: { pointer: '/as_of' },
    cache_ms: cacheMs,
  })
  const constantOf = (signal: string) => ({ source: 'constant', value: constants[signal] ?? 1 })
  const signals = Object.fromEntries(
    signalNames.map((signal, place) => [signal, place < feeds ? feedOf(signal) : constantOf(signal)]),
  )
  const ids = Array.from({ length: count }, (_, place) => `partner-${place}`)
  const fees = { 'GB-NG': { fixed: 1.5, percent: 0.4, currency: 'GBP' } }
  const world = {
    corridors: { 'GB-NG': { partners: ids } },
    partners: Object.fromEntries(ids.map((id) => [id, { signals, fees }])),
  }
  writeFileSync(path, JSON.stringify({ deadline_ms: deadlineMs, ...(count === 0 ? { signals } : world) }))
  return path
}

/** Healthy values other than 1. */
const constants: Readonly<Record<string, number>> = { fraud_flags: 0, historical_failure_rate: 0 }
