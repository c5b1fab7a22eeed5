/** The benchmark: measures what was asked for, prints the table with the ratios, and writes it as JSON. */

import { parseArgs } from 'node:util'
import { benchAssess } from './assess.ts'
import { benchBatch } from './batch.ts'
import { fullSizes, quickSizes, withRecords, type Bench } from './bench.ts'
import { benchClient } from './client.ts'
import { benchCost } from './cost.ts'
import { benchDecide } from './decide.ts'
import { benchStart } from './footprint.ts'
import { benchGrowth } from './growth.ts'
import { benchLive } from './live.ts'
import { startLoader, type Loader } from './loader.ts'
import { benchMemory } from './memory.ts'
import { benchMetrics } from './metrics.ts'
import { benchPartitions } from './partitions.ts'
import { benchPath } from './path.ts'
import { guardEnds, stopAll, wasInterrupted } from './processes.ts'
import { benchReads } from './reads.ts'
import { benchSealing } from './sealing.ts'
import { machineText, tableOf, writeJson, type Row } from './report.ts'
import { createServers } from './servers.ts'
import { createDatabases } from './service.ts'
import { benchThroughput } from './throughput.ts'
import { benchWebhooks } from './webhooks.ts'

const groups: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  start: benchStart,
  memory: async (bench) => [
    ...(await benchMemory(bench, 'sqlite')),
    ...(await benchMemory(bench, 'postgres')),
  ],
  sqlite: (bench) => benchThroughput(bench, 'sqlite'),
  postgres: (bench) => benchThroughput(bench, 'postgres'),
  decide: benchDecide,
  metrics: benchMetrics,
  batch: benchBatch,
  assess: benchAssess,
  growth: async (bench) => [
    ...(await benchGrowth(bench, 'sqlite')),
    ...(await benchGrowth(bench, 'postgres')),
  ],
  reads: async (bench) => [...(await benchReads(bench, 'sqlite')), ...(await benchReads(bench, 'postgres'))],
  sealing: async (bench) => [
    ...(await benchSealing(bench, 'sqlite')),
    ...(await benchSealing(bench, 'postgres')),
  ],
  partitions: benchPartitions,
  webhooks: benchWebhooks,
  live: benchLive,
  client: benchClient,
  cost: benchCost,
  path: benchPath,
}

/** Not of every day: in a quick run only those who name them get them. */
const leftOutOfQuick: ReadonlySet<string> = new Set(['sealing', 'partitions', 'cost', 'path'])

/** Cheap enough to be measured well in a quick run, too. */
const judgedInQuick: ReadonlySet<string> = new Set(['start', 'decide', 'metrics'])

const usage = `Usage: npm run bench -- [--quick] [--only NAME,NAME] [--records N] [--json FILE]
  --quick    a few minutes: short rounds, small stores, and hardly a row is judged
  --only     of ${Object.keys(groups).join(', ')}
  --records  growth and reads in a store of so many, instead of 100,000 and 1,000,000
  --json     where the figures go; bench-output/bench.json unless told
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
  const usual = Object.keys(groups).filter((name) => !(values.quick && leftOutOfQuick.has(name)))
  const only = values.only?.split(',').map((name) => name.trim()) ?? usual
  const unknown = only.find((name) => !Object.hasOwn(groups, name))
  if (unknown !== undefined) throw new Error(`there is no group ${JSON.stringify(unknown)}`)
  const records = values.records === undefined ? null : Number(values.records.replaceAll(/[_,]/g, ''))
  if (records !== null && !(Number.isSafeInteger(records) && records > 0)) {
    throw new Error(`${JSON.stringify(values.records)} is no number of records`)
  }
  return { quick: values.quick, only, records, json: values.json }
}

const secondsSince = (startedMs: number): number => Math.round((performance.now() - startedMs) / 1000)
const beganMs = performance.now()
const say = (line: string): void =>
  void process.stderr.write(`${String(secondsSince(beganMs)).padStart(4)} s  ${line}\n`)

async function run(options: Options): Promise<void> {
  const { quick, records } = options
  const startedAt = new Date().toISOString()
  const sizes = quick ? quickSizes : fullSizes
  const databases = createDatabases(say)
  const bench: Bench = {
    sizes: records === null ? sizes : withRecords(sizes, records),
    loader: startLoader(),
    databases,
    servers: createServers(databases, sizes.sharesServers),
    say,
  }
  say(machineText())
  const rows: Row[] = []
  const groupSeconds: Record<string, number> = {}
  let isWhole = false
  try {
    await measureGroups(bench, options, rows, groupSeconds)
    isWhole = true
  } finally {
    // What was measured before a fault, or before the time was up, is worth seeing all the same.
    const { loader } = bench
    const notes = [...(isWhole ? [] : ['Broken off: rows are missing.']), ...notesOf(loader, quick)]
    const seconds = secondsSince(beganMs)
    process.stdout.write(
      `\n${machineText()}${quick ? ', quick' : ''}, ${seconds} s\n\n${tableOf(rows)}\n\n${notes.join('\n')}\n`,
    )
    const about = { startedAt, endedAt: new Date().toISOString(), seconds, groupSeconds, isWhole }
    writeJson(options.json, { ...about, ...options, sizes: bench.sizes, loader: loader.use(), notes }, rows)
    say(`the figures are in ${options.json}`)
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
    say(`== ${name}, group ${place + 1} of ${chosen.length}`)
    const groupBeganMs = performance.now()
    const tooSmall = quick && !judgedInQuick.has(name)
    rows.push(...(await measure(bench)).map((row) => (tooSmall ? { ...row, tooSmall } : row)))
    groupSeconds[name] = secondsSince(groupBeganMs)
  }
}

/** What a reader must know to believe the table. */
function notesOf(loader: Loader, quick: boolean): string[] {
  const notes = loader
    .use()
    .map(
      ({ connections, cpuUs, cpuShareMax }) =>
        `The load generator at ${connections} connection${connections === 1 ? '' : 's'}: ${cpuUs.toFixed(0)} us of processor time a request, ` +
        `at most ${cpuShareMax.toFixed(2)} of a core${cpuShareMax > loaderShareMax ? ': it was the bottleneck' : ''}.`,
    )
  if (quick)
    notes.push('A quick run is too short to be judged where neither ok nor MISS stands beside a target.')
  return notes
}

/** Above it, a row would tell of the load generator as much as of the server. */
const loaderShareMax = 0.85

async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions()
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return 2
  }
  guardEnds()
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

// Said outright: a package that is loaded here would otherwise end the process with 0, whatever happened.
process.exit(await main())
