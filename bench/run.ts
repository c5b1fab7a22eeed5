/** The benchmark: measures what was asked for, prints the table with the ratios, and writes it as JSON. */

import { parseArgs } from 'node:util'
import { benchAssess } from './assess.ts'
import { benchBatch } from './batch.ts'
import { fullSizes, quickSizes, type Bench } from './bench.ts'
import { benchClient } from './client.ts'
import { benchDecide } from './decide.ts'
import { benchMemory, benchStart } from './footprint.ts'
import { benchGrowth } from './growth.ts'
import { benchLive } from './live.ts'
import { startLoader } from './loader.ts'
import { benchPartitions } from './partitions.ts'
import { guardEnds, stopAll, wasInterrupted } from './processes.ts'
import { benchReads } from './reads.ts'
import { machineText, tableOf, writeJson, type Row } from './report.ts'
import { createDatabases } from './service.ts'
import { benchThroughput } from './throughput.ts'
import { benchWebhooks } from './webhooks.ts'

const groups: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  start: benchStart,
  memory: benchMemory,
  sqlite: (bench) => benchThroughput(bench, 'sqlite'),
  postgres: (bench) => benchThroughput(bench, 'postgres'),
  decide: benchDecide,
  batch: benchBatch,
  assess: benchAssess,
  growth: async (bench) => [
    ...(await benchGrowth(bench, 'sqlite')),
    ...(await benchGrowth(bench, 'postgres')),
  ],
  reads: async (bench) => [...(await benchReads(bench, 'sqlite')), ...(await benchReads(bench, 'postgres'))],
  partitions: benchPartitions,
  webhooks: benchWebhooks,
  live: benchLive,
  client: benchClient,
}

const usage = `Usage: npm run bench -- [--quick] [--only NAME,NAME] [--json FILE]
  --quick  about eight minutes: shorter rounds, 100,000 records and rows instead of 1,000,000
  --only   of ${Object.keys(groups).join(', ')}
  --json   where the figures go; bench-output/bench.json unless told
`

interface Options {
  readonly quick: boolean
  readonly only: readonly string[]
  readonly json: string
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string', default: 'bench-output/bench.json' },
    },
  })
  const only = values.only?.split(',').map((name) => name.trim()) ?? Object.keys(groups)
  const unknown = only.find((name) => !Object.hasOwn(groups, name))
  if (unknown !== undefined) throw new Error(`there is no group ${JSON.stringify(unknown)}`)
  return { quick: values.quick, only, json: values.json }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function run({ quick, only, json }: Options): Promise<void> {
  const startedAt = new Date().toISOString()
  say(machineText())
  const bench: Bench = {
    sizes: quick ? quickSizes : fullSizes,
    loader: startLoader(),
    databases: createDatabases(),
    say,
  }
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(groups)) {
    if (only.includes(name)) rows.push(...(await measure(bench)))
  }
  process.stdout.write(`\n${machineText()}${quick ? ', quick' : ''}\n\n${tableOf(rows)}\n`)
  writeJson(json, { startedAt, endedAt: new Date().toISOString(), quick, only, sizes: bench.sizes }, rows)
  say(`\nThe figures are in ${json}`)
}

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
