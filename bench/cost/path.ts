/** Breaks down the time of one verify on the main thread, and measures the lower bounds of any design. */

import { fdatasyncSync, openSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { everydayBody, type Bench } from '../bench.ts'
import { readProfile, parts } from './path-profile.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import { medianOf, type Row } from '../report.ts'
import {
  startBaseline,
  startService,
  trafficOf,
  verifyOnce,
  type Answer,
  type Engine,
} from '../harness/service.ts'

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)
const profiling = (directory: string) => ({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` })

interface Profiled {
  readonly partsUs: ReadonlyMap<string, number>
  readonly requests: number
}

export async function benchPath(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  let answer: Answer | null = null
  for (const engine of ['sqlite', 'postgres'] as const) {
    const service = await profileService(bench, engine)
    answer ??= service.answer
    rows.push(...rowsOf(engine, service))
    bench.print(`path: ${engine} profiled`)
  }
  rows.push(...rowsOf('bare Fastify', await profileBare(bench, answer ?? {})))
  rows.push(...(await floorRows(bench, answer ?? {})))
  return rows
}

async function profileService(bench: Bench, engine: Engine): Promise<Profiled & { answer: Answer }> {
  const directory = temporaryDirectory()
  const database = await bench.databases.fresh(engine)
  const server = await startService(database, profiling(directory))
  const traffic = trafficOf(database.key, everydayBody, 'distinct')
  const answer = await verifyOnce(server, traffic)
  return { ...(await profiled(bench, server, traffic, directory)), answer }
}

async function profileBare(bench: Bench, answer: Answer): Promise<Profiled> {
  const directory = temporaryDirectory()
  const server = await startBaseline(
    ['bench/harness/baseline.ts', JSON.stringify(answer)],
    profiling(directory),
  )
  return profiled(bench, server, trafficOf('pk_test_unread', everydayBody), directory)
}

async function profiled(
  { loader, sizes }: Bench,
  server: Awaited<ReturnType<typeof startService>>,
  traffic: ReturnType<typeof trafficOf>,
  directory: string,
): Promise<Profiled> {
  await loader.run(server, traffic, { warmUpMs: 0, durationMs: 2 * sizes.warmUpMs })
  const fromUs = nowUs()
  const { requestsSent } = await loader.run(server, traffic, { warmUpMs: 0, durationMs: 2 * sizes.roundMs })
  const toUs = nowUs()
  await server.stop()
  return { partsUs: readProfile(directory, fromUs, toUs), requests: requestsSent }
}

function rowsOf(name: string, { partsUs, requests }: Profiled): Row[] {
  return parts
    .map((part) => ({ part: part.name, us: (partsUs.get(part.name) ?? 0) / requests }))
    .filter(({ us }) => us >= 0.5)
    .map(({ part, us }) => ({
      group: 'path',
      row: `${name}: ${part}`,
      value: us,
      unit: 'us a verify',
      ratio: null,
      target: null,
      detail: { requests },
    }))
}

const tries = 200

function floorRow(row: string, samplesUs: readonly number[]): Row {
  return {
    group: 'path',
    row: `floor: ${row}`,
    value: medianOf(samplesUs),
    unit: 'us',
    ratio: null,
    target: null,
  }
}

/** Operations that every verify needs, each measured alone on an idle machine. */
async function floorRows({ databases }: Bench, answer: Answer): Promise<Row[]> {
  const text = JSON.stringify(answer)
  return [
    floorRow('an append of 4 KiB and its fdatasync', flushesUs()),
    floorRow(
      'a round trip to PostgreSQL on this machine',
      await roundTripsUs((await databases.fresh('postgres')).url),
    ),
    floorRow('the answer parsed and written as JSON', jsonUs(text)),
  ]
}

function flushesUs(): number[] {
  const file = openSync(join(temporaryDirectory(), 'flush'), 'a')
  const page = Buffer.alloc(4096, 1)
  const samples = Array.from({ length: tries }, () => {
    const startedUs = nowUs()
    writeSync(file, page)
    fdatasyncSync(file)
    return nowUs() - startedUs
  })
  closeSync(file)
  return samples
}

async function roundTripsUs(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const samples: number[] = []
  for (let turn = 0; turn < tries; turn += 1) {
    const startedUs = nowUs()
    await client.query({ name: 'one', text: 'SELECT 1' })
    samples.push(nowUs() - startedUs)
  }
  await client.end()
  return samples
}

function jsonUs(text: string): number[] {
  const many = 100
  return Array.from({ length: tries }, () => {
    const startedUs = nowUs()
    for (let turn = 0; turn < many; turn += 1) JSON.stringify(JSON.parse(text))
    return (nowUs() - startedUs) / many
  })
}
