/** Runs the selected benchmark groups, prints a table, and writes the results as JSON. */

import { parseArgs } from 'node:util'
import { benchArchives } from './reads/archives.ts'
import { benchAssess } from './batch/assess.ts'
import { benchBatch } from './batch/batch.ts'
import { fullSizes, quickSizes, withRecords, type Bench } from './bench.ts'
import { benchBody } from './verify/body.ts'
import { benchCalibration } from './reads/calibration.ts'
import { benchClient } from './verify/client.ts'
import { benchCluster } from './cluster/cluster.ts'
import { benchCost } from './cost/cost.ts'
import { benchDecide } from './verify/decide.ts'
import { benchStart } from './verify/footprint.ts'
import { benchEvents } from './reads/events.ts'
import { benchGrowth } from './verify/growth.ts'
import { benchLive } from './live/live.ts'
import { startLoader, type Loader } from './harness/loader.ts'
import { benchMemory } from './verify/memory.ts'
import { benchMetrics } from './verify/metrics.ts'
import { benchPartitions } from './reads/partitions.ts'
import { benchPath } from './cost/path.ts'
import { handleExits, stopAll, wasInterrupted } from './harness/processes.ts'
import { benchPolicies } from './policies/policies.ts'
import { benchReads } from './reads/reads.ts'
import { machineText, tableOf, writeJson, type Row } from './report.ts'
import { createServers } from './harness/servers.ts'
import { createDatabases } from './harness/service.ts'
import { benchSink } from './stream/sink.ts'
import { benchTelemetry } from './verify/telemetry.ts'
import { benchThroughput } from './verify/throughput.ts'
import { benchWebhooks } from './webhooks/webhooks.ts'

const groups: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  start: benchStart,
  memory: async (bench) => [
    ...(await benchMemory(bench, 'sqlite')),
    ...(await benchMemory(bench, 'postgres')),
  ],
  sqlite: (bench) => benchThroughput(bench, 'sqlite'),
  postgres: (bench) => benchThroughput(bench, 'postgres'),
  decide: benchDecide,
  body: benchBody,
  metrics: benchMetrics,
  batch: benchBatch,
  assess: benchAssess,
  growth: async (bench) => [
    ...(await benchGrowth(bench, 'sqlite')),
    ...(await benchGrowth(bench, 'postgres')),
  ],
  reads: async (bench) => [...(await benchReads(bench, 'sqlite')), ...(await benchReads(bench, 'postgres'))],
  partitions: benchPartitions,
  calibration: benchCalibration,
  archives: benchArchives,
  webhooks: benchWebhooks,
  events: benchEvents,
  stream: benchSink,
  telemetry: benchTelemetry,
  cluster: benchCluster,
  live: benchLive,
  policies: benchPolicies,
  client: benchClient,
  cost: benchCost,
  path: benchPath,
}

/** Groups that a quick run skips unless `--only` names them. */
const skippedInQuick: ReadonlySet<string> = new Set(['partitions', 'calibration', 'cost', 'path'])

/** Groups cheap enough for a verdict in a quick run. */
const judgedInQuick: ReadonlySet<string> = new Set(['start', 'decide', 'metrics'])

const usage = `Usage: npm run bench -- [--quick] [--only NAME,NAME] [--records N] [--json FILE]
  --quick    a few minutes: short rounds, small stores, few verdicts
  --only     groups to run: ${Object.keys(groups).join(', ')}
  --records  store size for growth and reads; default: 100,000 and 1,000,000
  --json     output file; default: bench-output/bench.json
`

interface Options {
  readonly quick: boolean
  readonly only: readonly string[]
  readonly records: number | null
  readonly json: string
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      records: { type: 'string' },
      json: { type: 'string', default: 'bench-output/bench.json' },
    },
  })
  const usual = Object.keys(groups).filter((name) => !(values.quick && skippedInQuick.has(name)))
  const only = values.only?.split(',').map((name) => name.trim()) ?? usual
  const unknown = only.find((name) => !Object.hasOwn(groups, name))
  if (unknown !== undefined)
    throw new Error(`unknown group ${JSON.stringify(unknown)}: use ${Object.keys(groups).join(', ')}`)
  const records = values.records === undefined ? null : Number(values.records.replaceAll(/[_,]/g, ''))
  if (records !== null && !(Number.isSafeInteger(records) && records > 0)) {
    throw new Error(`--records must be a positive whole number, not ${JSON.stringify(values.records)}`)
  }
  return { quick: values.quick, only, records, json: values.json }
}

const secondsSince = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 1000)
const startedMs = performance.now()
const print = (line: string): void =>
  void process.stderr.write(`${String(secondsSince(startedMs)).padStart(4)} s  ${line}\n`)

async function run(options: Options): Promise<void> {
  const { quick, records } = options
  const startedAt = new Date().toISOString()
  const sizes = quick ? quickSizes : fullSizes
  const databases = createDatabases(print)
  const bench: Bench = {
    sizes: records === null ? sizes : withRecords(sizes, records),
    loader: startLoader(),
    databases,
    servers: createServers(databases, sizes.sharesServers),
    print,
  }
  print(machineText())
  const rows: Row[] = []
  const groupSeconds: Record<string, number> = {}
  let isComplete = false
  try {
    await measureGroups(bench, options, rows, groupSeconds)
    isComplete = true
  } finally {
    // Print the rows that were measured before a failure.
    const { loader } = bench
    const notes = [...(isComplete ? [] : ['Incomplete: rows are missing.']), ...notesOf(loader, quick)]
    const seconds = secondsSince(startedMs)
    process.stdout.write(
      `\n${machineText()}${quick ? ', quick' : ''}, ${seconds} s\n\n${tableOf(rows)}\n\n${notes.join('\n')}\n`,
    )
    const about = { startedAt, endedAt: new Date().toISOString(), seconds, groupSeconds, isWhole: isComplete }
    writeJson(options.json, { ...about, ...options, sizes: bench.sizes, loader: loader.use(), notes }, rows)
    print(`results written to ${options.json}`)
  }
}

async function measureGroups(
  bench: Bench,
  { quick, only }: Options,
  rows: Row[],
  groupSeconds: Record<string, number>,
): Promise<void> {
  const chosen = Object.entries(groups).filter(([name]) => only.includes(name))
  for (const [place, [name, measure]] of chosen.entries()) {
    print(`== ${name}, group ${place + 1} of ${chosen.length}`)
    const groupStartedMs = performance.now()
    const tooSmall = quick && !judgedInQuick.has(name)
    rows.push(...(await measure(bench)).map((row) => (tooSmall ? { ...row, tooSmall } : row)))
    groupSeconds[name] = secondsSince(groupStartedMs)
  }
}

/** Notes on the load generator and on missing verdicts. */
function notesOf(loader: Loader, quick: boolean): string[] {
  const notes = loader
    .use()
    .map(
      ({ connections, cpuUs, cpuShareMax }) =>
        `The load generator at ${connections} connection${connections === 1 ? '' : 's'}: ${cpuUs.toFixed(0)} us of CPU time per request, ` +
        `at most ${cpuShareMax.toFixed(2)} of a core${cpuShareMax > loaderShareMax ? ': it was the bottleneck' : ''}.`,
    )
  if (quick) notes.push('A target without ok or MISS: this quick run was too short for a verdict.')
  return notes
}

/** Above this share of a core, a result depends on the load generator as much as on the server. */
const loaderShareMax = 0.85

async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions()
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return 2
  }
  handleExits()
  try {
    await run(options)
    return 0
  } catch (error) {
    if (wasInterrupted()) return 130
    process.stderr.write(
      `bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    return 1
  } finally {
    await stopAll()
  }
}

// Explicit, because one of the loaded packages would otherwise end the process with 0.
process.exit(await main())
