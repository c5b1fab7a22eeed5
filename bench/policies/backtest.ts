/** Measures a backtest in one thread, and the p99 of verify beside one. */

import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock } from '../../src/adapters/system.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { createRunPart, runWhole } from '../../src/app/policy/backtest.ts'
import { compilePolicy } from '../../src/app/policy/compile.ts'
import type { PolicyLibrary } from '../../src/app/policy/library.ts'
import { everydayBody, type Bench } from '../bench.ts'
import type { Measured } from '../harness/loader.ts'
import { startService, trafficOf, type Filled, type Server } from '../harness/service.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { figures } from '../verify/throughput.ts'
import { createTenRules, send } from './owner.ts'
import { tenRules } from './rules.ts'

/** Far below what the service takes, so that a p99 shows waiting and not overload. */
const pacedPerSecond = 200
const roundWarmUpMs = 200

export async function benchBacktest(bench: Bench): Promise<Row[]> {
  const filled = await bench.databases.filled('sqlite', bench.sizes.backtestRecords)
  return [await inOneThread(bench, filled), await besideVerify(bench, filled)]
}

/** The records of all owners, as a backtest of the installation reads them. */
async function inOneThread({ sizes, print }: Bench, { database, fromMs, toMs }: Filled): Promise<Row> {
  const { store } = await openStore({ databaseUrl: database.url, clock, leafHashes, onFault: print })
  const run = createRunPart({ store: store.policies, library: libraryOfOne() })
  const bounds = { fromMs: fromMs - 1_000, toMs: toMs + 1_000 }
  const stretch = { policyId: 'pol_bench', ownerId: null, ...bounds, mode: null }
  const rates: number[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const startedMs = performance.now()
    const { records } = await runWhole(run, stretch)
    rates.push((records * 1_000) / (performance.now() - startedMs))
    print(`policies: backtest ${round} of ${sizes.rounds}`)
  }
  await store.close()
  return {
    group: 'policies',
    row: 'sqlite: backtest under 10 rules, in one thread',
    value: medianOf(rates),
    unit: 'records/s',
    ratio: null,
    target: { bound: 'at least', value: 30_000 },
    detail: { rates },
  }
}

function libraryOfOne(): PolicyLibrary {
  const compiled = compilePolicy(tenRules)
  if (compiled.kind === 'faulty') throw new Error(JSON.stringify(compiled.faults))
  const policy = compiled.as('pol_bench')
  return {
    known: () => policy,
    find: () => Promise.resolve(policy),
    recorded: () => Promise.resolve(null),
  }
}

/** Backtests run on the service one after the other while verify is measured. */
async function besideVerify(
  { sizes, loader, print }: Bench,
  { database, fromMs, toMs }: Filled,
): Promise<Row> {
  const server = await startService(database, { FAIRWAY_COOLDOWN_S: '0' })
  const id = await createTenRules(server, database.key)
  const range = { from: new Date(fromMs - 1_000).toISOString(), to: new Date(toMs + 1_000).toISOString() }
  const traffic = { ...trafficOf(database.key, everydayBody), ratePerSecond: pacedPerSecond }
  const measure = (): Promise<Measured> =>
    loader.run(server, traffic, { warmUpMs: roundWarmUpMs, durationMs: sizes.pacedRoundMs })
  await loader.run(server, traffic, { warmUpMs: 0, durationMs: sizes.warmUpMs })
  const alone: Measured[] = []
  const beside: Measured[] = []
  for (let round = 1; round <= sizes.pacedRounds; round += 1) {
    alone.push(await measure())
    const over = new AbortController()
    const running = runUntil(over.signal, () => runOnce(server, database.key, id, range))
    beside.push(await measure())
    over.abort()
    await running
  }
  await server.stop()
  print(`policies: ${sizes.pacedRounds} rounds beside a backtest`)
  return {
    group: 'policies',
    row: `sqlite: p99 of verify at ${pacedPerSecond}/s beside a backtest, relative to none`,
    ratio: spreadOf(beside.map(({ p99Ms }, round) => p99Ms / (alone[round]?.p99Ms ?? Number.NaN))),
    target: { bound: 'at most', value: 1.33 },
    ...figures({ results: beside }),
  }
}

async function runUntil(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await work()
}

/** Within the limit of requests that a key has. */
const pollMs = 1_000

async function runOnce(server: Server, key: string, id: string, range: object): Promise<void> {
  const { backtest_id: backtestId } = await send(server, key, `/${id}/backtest`, range)
  for (;;) {
    const { status } = await send(server, key, `/${id}/backtests/${String(backtestId)}`, null)
    if (status === 'done') return
    if (status !== 'queued' && status !== 'running')
      throw new Error(`the backtest ended as ${String(status)}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
