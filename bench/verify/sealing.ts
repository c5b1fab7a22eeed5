/** Measures the cost of the log: verify throughput with sealing, relative to a service without it. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Measured } from '../harness/loader.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { startService, trafficOf, type Database, type Engine, type Server } from '../harness/service.ts'

/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMs = 200
/** More rounds than elsewhere, because the effect is smaller than the noise of the machine. */
const roundsEach = 3

interface One {
  readonly database: Database
  readonly server: Server
}

export async function benchSealing(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, databases, print } = bench
  const start = async (entry?: readonly string[]): Promise<One> => {
    const database = await databases.fresh(engine)
    return { database, server: await startService(database, {}, entry) }
  }
  const sealed = await start()
  const unsealed = await start(['bench/verify/unsealed.ts'])
  const measure = ({ server, database }: One, warmUpMs: number, durationMs: number): Promise<Measured> =>
    loader.run(server, trafficOf(database.key, everydayBody), { warmUpMs, durationMs })
  for (const one of [sealed, unsealed]) await measure(one, 0, sizes.warmUpMs)
  const own: Measured[] = []
  const without: Measured[] = []
  const rounds = sizes.rounds * roundsEach
  for (let round = 1; round <= rounds; round += 1) {
    // The order alternates, so that neither is always first.
    if (round % 2 === 1) without.push(await measure(unsealed, roundWarmUpMs, sizes.roundMs))
    own.push(await measure(sealed, roundWarmUpMs, sizes.roundMs))
    if (round % 2 === 0) without.push(await measure(unsealed, roundWarmUpMs, sizes.roundMs))
  }
  for (const { server, database } of [sealed, unsealed]) {
    await server.stop()
    await databases.discard(database)
  }
  print(`sealing on ${engine}: ${rounds} rounds`)
  return [
    row(`baseline of sealing on ${engine}: verify, fresh, unsealed`, without, null),
    row(`${engine}: verify, fresh, every record sealed, relative to unsealed`, own, without),
  ]
}

function row(name: string, results: readonly Measured[], reference: readonly Measured[] | null): Row {
  const cpuUs = results.map(({ serverCpuUs }) => serverCpuUs).filter((value) => value !== null)
  const ratios = results.map(
    ({ requestsPerSecond }, round) =>
      requestsPerSecond / (reference?.[round]?.requestsPerSecond ?? Number.NaN),
  )
  return {
    group: 'sealing',
    row: name,
    value: medianOf(results.map(({ requestsPerSecond }) => requestsPerSecond)),
    unit: 'requests/s',
    p50Ms: medianOf(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: medianOf(results.map(({ p99Ms }) => p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    ratio: reference === null ? null : spreadOf(ratios),
    target: reference === null ? null : { bound: 'at least', value: 0.95 },
    detail: { rounds: results },
  }
}
