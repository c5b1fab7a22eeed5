/** Measures the cost of one decision to the service and its store: CPU, log, space, transactions, flushes. */

import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { everydayBody, type Bench } from '../bench.ts'
import { watchPostgres, type Space, type Usage, type Watch } from './postgres.ts'
import { cpuMsOf, type Traffic } from '../harness/loader.ts'
import type { Row } from '../report.ts'
import {
  requestOnce,
  startService,
  trafficOf,
  verifyOnce,
  type Database,
  type Server,
} from '../harness/service.ts'
import { isOutboxDone, startReceiver, until, type Receiver } from '../webhooks/setup.ts'

/** The share of the memory group's request count; here nothing has to settle. */
const shareOfMemoryRequests = 0.25
const shareOfWarmUp = 0.3

interface Scenario {
  readonly name: string
  readonly settings?: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: Traffic['idempotencyKey']
  /** Sent once, before the rest. */
  readonly firstBody?: Readonly<Record<string, unknown>>
  readonly hasWebhook?: true
}

const scenarios: readonly Scenario[] = [
  { name: 'fresh', body: everydayBody, idempotencyKey: null },
  { name: 'fresh, a new key each', body: everydayBody, idempotencyKey: 'distinct' },
  {
    name: 'fresh, a new key each, one webhook',
    settings: { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' },
    body: everydayBody,
    idempotencyKey: 'distinct',
    hasWebhook: true,
  },
  {
    name: 'idempotent replay',
    body: everydayBody,
    idempotencyKey: { always: 'cost-replay-0123456789abcdef01234567' },
    firstBody: everydayBody,
  },
  {
    name: 'cooldown hit',
    settings: { FAIRWAY_COOLDOWN_S: '86400' },
    body: { ...everydayBody, corridor: 'NG-GB' },
    idempotencyKey: null,
    firstBody: { ...everydayBody, corridor: 'NG-GB', amount: 1000.08 },
  },
]

/** Per decision; null if the system or the engine does not report it. */
interface Cost {
  readonly decisions: number
  readonly requestsPerSecond: number
  readonly serviceCpuUs: number | null
  readonly storeCpuUs: number | null
  readonly walBytes: number | null
  readonly walPageImages: number | null
  readonly walFlushes: number | null
  readonly walFlushMs: number | null
  readonly transactions: number | null
  readonly tableBytes: number
  readonly indexBytes: number
  readonly bytesByTable: Readonly<Record<string, Space>>
  /** In total, held by the service at the end. */
  readonly connections: number | null
}

export async function benchCost(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const scenario of scenarios) {
    rows.push(...rowsOf('postgres', scenario.name, await costOnPostgres(bench, scenario)))
    bench.print(`cost on postgres: ${scenario.name}`)
  }
  for (const scenario of scenarios.filter(({ hasWebhook }) => hasWebhook === undefined)) {
    rows.push(...rowsOf('sqlite', scenario.name, await costOnSqlite(bench, scenario)))
    bench.print(`cost on sqlite: ${scenario.name}`)
  }
  return rows
}

function sizesOf({ sizes }: Bench): { readonly requests: number; readonly warmUp: number } {
  const requests = Math.round(sizes.memoryRequests * shareOfMemoryRequests)
  return { requests, warmUp: Math.round(requests * shareOfWarmUp) }
}

interface Started {
  readonly server: Server
  readonly traffic: Traffic
  readonly receiver: Receiver | null
}

async function start(database: Database, scenario: Scenario): Promise<Started> {
  const server = await startService(database, scenario.settings)
  const receiver = scenario.hasWebhook === true ? await startReceiver('answer') : null
  if (receiver !== null) await subscribe(server, database.key, receiver)
  const traffic = trafficOf(database.key, scenario.body, scenario.idempotencyKey)
  if (scenario.firstBody !== undefined) {
    await verifyOnce(server, { ...traffic, body: JSON.stringify(scenario.firstBody) })
  }
  return { server, traffic, receiver }
}

async function subscribe(server: Server, key: string, { port }: Receiver): Promise<void> {
  const url = `http://127.0.0.1:${port}/events`
  await requestOnce(server, { ...trafficOf(key, { url }), path: '/api/v1/webhooks' })
}

/** Results of the measured part. */
interface RunResult {
  readonly requestsPerSecond: number
  readonly serviceCpuUs: number | null
}

/** Sends the requests and waits until their webhook events are delivered. */
async function send(
  { loader }: Bench,
  { server, traffic, receiver }: Started,
  database: Database,
  requests: number,
): Promise<RunResult> {
  const cpuBeforeMs = cpuMsOf(server.pid)
  const { requestsPerSecond } = await loader.run(server, traffic, { requests })
  if (receiver !== null) await until('the events to be delivered', () => isOutboxDone(database, 'true'))
  const cpuAfterMs = cpuMsOf(server.pid)
  const cpuMs = cpuBeforeMs === null || cpuAfterMs === null ? null : cpuAfterMs - cpuBeforeMs
  return { requestsPerSecond, serviceCpuUs: cpuMs === null ? null : (cpuMs * 1000) / requests }
}

async function costOnPostgres(bench: Bench, scenario: Scenario): Promise<Cost> {
  const { requests, warmUp } = sizesOf(bench)
  const database = await bench.databases.fresh('postgres')
  const watch = await watchPostgres(database.url)
  const before = await watch.usage()
  const started = await start(database, scenario)
  await send(bench, started, database, warmUp)
  const from = await snapshotOf(watch)
  const running = await send(bench, started, database, requests)
  const to = await snapshotOf(watch)
  const connections = await watch.connections()
  await started.receiver?.stop()
  await started.server.stop()
  await watch.disconnected()
  const after = await watch.usage()
  await watch.close()
  const cpuUs = from.cpuUs === null || to.cpuUs === null ? null : to.cpuUs - from.cpuUs
  const space = spacePerDecision(from.space, to.space, requests)
  return {
    decisions: requests,
    ...running,
    storeCpuUs: cpuUs === null ? null : cpuUs / requests,
    walBytes: (to.walBytes - from.walBytes) / requests,
    ...usagePerDecision(before, after, requests + warmUp),
    ...space,
    connections,
  }
}

async function snapshotOf(watch: Watch) {
  return { cpuUs: watch.cpuUs(), walBytes: await watch.walBytes(), space: await watch.spaceByTable() }
}

/** Covers the complete life of the service, because connections report all their counters only when they end. */
function usagePerDecision(before: Usage, after: Usage, decisions: number) {
  const flushes = after.walFlushes - before.walFlushes
  return {
    walPageImages: (after.walPageImages - before.walPageImages) / decisions,
    walFlushes: flushes / decisions,
    /** Per flush. */
    walFlushMs: flushes === 0 ? null : (after.walFlushMs - before.walFlushMs) / flushes,
    transactions: (after.transactions - before.transactions) / decisions,
  }
}

type SpaceByTable = ReadonlyMap<string, Space>

function spacePerDecision(from: SpaceByTable, to: SpaceByTable, decisions: number) {
  const bytesByTable: Record<string, Space> = {}
  let tableBytes = 0
  let indexBytes = 0
  for (const [name, now] of to) {
    const was = from.get(name) ?? { tableBytes: 0, indexBytes: 0 }
    const grown = {
      tableBytes: (now.tableBytes - was.tableBytes) / decisions,
      indexBytes: (now.indexBytes - was.indexBytes) / decisions,
    }
    if (grown.tableBytes !== 0 || grown.indexBytes !== 0) bytesByTable[name] = grown
    tableBytes += grown.tableBytes
    indexBytes += grown.indexBytes
  }
  return { tableBytes, indexBytes, bytesByTable }
}

async function costOnSqlite(bench: Bench, scenario: Scenario): Promise<Cost> {
  const { requests, warmUp } = sizesOf(bench)
  const database = await bench.databases.fresh('sqlite')
  const path = database.url.slice('sqlite:'.length)
  const warmUpRun = await start(database, scenario)
  await send(bench, warmUpRun, database, warmUp)
  // A stop moves the write-ahead log into the file, so that its size is exact. The service then warms up again.
  await warmUpRun.server.stop()
  const bytesBefore = bytesOf(path)
  const started = await start(database, scenario)
  await send(bench, started, database, warmUp)
  const running = await send(bench, started, database, requests)
  await started.server.stop()
  return {
    decisions: requests,
    ...running,
    storeCpuUs: null,
    walBytes: null,
    walPageImages: null,
    walFlushes: null,
    walFlushMs: null,
    transactions: null,
    tableBytes: (bytesOf(path) - bytesBefore) / (requests + warmUp),
    indexBytes: 0,
    bytesByTable: {},
    connections: null,
  }
}

function bytesOf(path: string): number {
  const folder = dirname(path)
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file.startsWith(path))
    .reduce((sum, file) => sum + statSync(file).size, 0)
}

const figures: readonly (readonly [string, string, (cost: Cost) => number | null])[] = [
  ['CPU of the service', 'us', (cost) => cost.serviceCpuUs],
  ['CPU of PostgreSQL', 'us', (cost) => cost.storeCpuUs],
  ['write-ahead log', 'bytes', (cost) => cost.walBytes],
  ['stored, with indexes', 'bytes', (cost) => cost.tableBytes + cost.indexBytes],
  ['transactions', 'in 1,000', (cost) => (cost.transactions === null ? null : cost.transactions * 1000)],
  ['flushes of the log', 'in 1,000', (cost) => (cost.walFlushes === null ? null : cost.walFlushes * 1000)],
]

function rowsOf(engine: Database['engine'], scenario: string, cost: Cost): Row[] {
  const available = figures.flatMap(([what, unit, read]) => {
    const value = read(cost)
    return value === null ? [] : [{ what, unit, value }]
  })
  return available.map(({ what, unit, value }, place) => ({
    group: 'cost',
    row: `${engine}: ${scenario}: ${what}`,
    value,
    unit,
    ratio: null,
    target: null,
    // All details, once per kind of decision.
    ...(place === 0 ? { detail: { engine, scenario, cost } } : {}),
  }))
}
