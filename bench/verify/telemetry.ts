/** Measures verify with OpenTelemetry at 10% of the traces, relative to without. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { freePort } from '../../test/helpers/process/free-port.ts'
import type { Bench } from '../bench.ts'
import { alternate, rowOf, type Contender } from '../harness/pair.ts'
import { closeAtEnd } from '../harness/processes.ts'
import { startService, type Engine } from '../harness/service.ts'
import type { Row } from '../report.ts'

/** The wanted ratio is near 1, so that the spread of a few rounds would decide. */
const roundsFactor = 3

export async function benchTelemetry(bench: Bench): Promise<Row[]> {
  const port = await startReceiver()
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) rows.push(await benchEngine(bench, engine, port))
  return rows
}

async function benchEngine(bench: Bench, engine: Engine, port: number): Promise<Row> {
  const { sizes, databases, print } = bench
  const rounds = sizes.rounds * roundsFactor
  const start = async (settings: Readonly<Record<string, string>>): Promise<Contender> => {
    const database = await databases.fresh(engine)
    return { database, server: await startService(database, settings) }
  }
  const off = await start({})
  const on = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  })
  const pairs = await alternate({ ...bench, sizes: { ...sizes, rounds } }, { without: off, with: on })
  for (const { server } of [off, on]) await server.stop()
  print(`telemetry on ${engine}: ${rounds} rounds`)
  const row = `${engine}: verify with OpenTelemetry at 10% of traces, relative to without`
  return rowOf('telemetry', row, pairs, { bound: 'at least', value: 0.93 })
}

/** Reads what it gets. With low priority: elsewhere it has a machine of its own, and only Fairway's cost is of interest. */
async function startReceiver(): Promise<number> {
  const port = await freePort()
  const program = `require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end())
  }).listen(${port}, '127.0.0.1', () => console.log('ready'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  closeAtEnd(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await once(child.stdout, 'data')
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  return port
}
