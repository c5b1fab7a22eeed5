/** Measures a world of 200 corridors with ten partners and seven feeds each: the start, and the resident memory. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { countryRows } from '../../src/core/reference/data/countries.ts'
import { signalNames } from '../../src/core/decision/signals.ts'
import { everydayBody, type Bench } from '../bench.ts'
import { memoryOf } from '../harness/loader.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import { issueKey, startBaseline, startService, trafficOf, verifyOnce } from '../harness/service.ts'
import type { Row } from '../report.ts'

const corridorCount = 200
const partnerCount = 10

export async function benchLargeWorld(bench: Bench): Promise<Row[]> {
  const provider = await startBaseline(['bench/live/provider.ts'])
  const database = await bench.databases.fresh('sqlite')
  const key = await issueKey(database.url, 'live')
  const corridors = countryRows.map(([code]) => `GB-${code}`).filter((name) => name !== 'GB-GB')
  const path = writeWorld(provider.port, corridors.slice(0, corridorCount))
  const startedMs = performance.now()
  const server = await startService(database, { FAIRWAY_LIVE_FEEDS: path, FAIRWAY_CIP_PROBE_S: '1800' })
  const startMs = performance.now() - startedMs
  const requests = async (): Promise<number> =>
    Number(await (await fetch(`http://127.0.0.1:${provider.port}/request-count`)).text())
  // The warm-up and the first turn of the probe read every feed, so that memory is that of a used world.
  const all = corridorCount * partnerCount * signalNames.length
  let before = 0
  for (let now = await requests(); now < all || now > before; now = await requests()) {
    before = now
    await setTimeout(1_000)
  }
  await verifyOnce(server, {
    ...trafficOf(key, everydayBody),
    body: JSON.stringify({ ...everydayBody, corridor: corridors[0] }),
  })
  const read = (await requests()) - before
  if (read !== partnerCount * signalNames.length) throw new Error(`a verify read ${read} feeds of the world`)
  const residentMb = (memoryOf(server.pid)?.residentBytes ?? Number.NaN) / 1_000_000
  await server.stop()
  await provider.stop()
  const world = `${corridorCount} corridors with ${partnerCount} partners and 7 feeds each`
  bench.print(`live: ${world}, one verify read ${read} feeds`)
  return [
    row(`start with ${world}`, startMs / 1000, 's', 3),
    row(`resident memory with ${world}, all read`, residentMb, 'MB', 300),
  ]
}

const row = (name: string, value: number, unit: string, under: number): Row => ({
  group: 'live',
  row: name,
  value,
  unit,
  ratio: null,
  target: { bound: 'under', value: under },
})

function writeWorld(port: number, corridors: readonly string[]): string {
  const partnersOf = (corridor: string): string[] =>
    Array.from({ length: partnerCount }, (_, place) => `p-${corridor}-${place}`)
  const url = (signal: string): string =>
    `http://127.0.0.1:${port}/${signal}?corridor={corridor}&partner={partner}`
  const signals = Object.fromEntries(
    signalNames.map((signal) => [signal, { source: 'http', url: url(signal), value: `/${signal}` }]),
  )
  const world = {
    deadline_ms: 10_000,
    corridors: Object.fromEntries(
      corridors.map((corridor) => [corridor, { currencies: ['GBP'], partners: partnersOf(corridor) }]),
    ),
    partners: Object.fromEntries(
      corridors.flatMap((corridor) =>
        partnersOf(corridor).map((id) => [
          id,
          { signals, fees: { [corridor]: { fixed: 1, percent: 0.4, currency: 'GBP' } } },
        ]),
      ),
    ),
  }
  const path = join(temporaryDirectory(), 'world.json')
  writeFileSync(path, JSON.stringify(world))
  return path
}
