/** The slowest hundredth at half of what the service can do, beside that of the bare route at the same pace. */

import type { Bench } from './bench.ts'
import type { Measured } from './loader.ts'
import { medianOf, spreadOf, type Row } from './report.ts'
import type { Contestant, Engine } from './service.ts'

/** At the start of every round, while the machine turns from one server to the next. */
const roundWarmUpMsMax = 200

export interface HalfLoad {
  readonly fresh: Contestant
  readonly baseline: Contestant
  /** What the service did in a closed loop, in this very run. */
  readonly maxPerSecond: number
}

/**
 * An open loop: every request is due at a set time and its latency counts from then, sent or not. So a server that
 * stands still for a while is slow for all who would have come meanwhile, not for one a connection.
 */
export async function benchHalfLoad(bench: Bench, engine: Engine, given: HalfLoad): Promise<Row[]> {
  const { sizes, loader, say } = bench
  const ratePerSecond = Math.floor(given.maxPerSecond / 2)
  const measure = ({ server, traffic }: Contestant): Promise<Measured> =>
    loader.run(
      server,
      { ...traffic, ratePerSecond },
      { warmUpMs: Math.min(roundWarmUpMsMax, sizes.pacedRoundMs / 5), durationMs: sizes.pacedRoundMs },
    )
  const own: Measured[] = []
  const bare: Measured[] = []
  for (let round = 1; round <= sizes.pacedRounds; round += 1) {
    // The order turns with every round, so that neither always comes first.
    if (round % 2 === 1) bare.push(await measure(given.baseline))
    own.push(await measure(given.fresh))
    if (round % 2 === 0) bare.push(await measure(given.baseline))
  }
  say(`${engine}: ${sizes.pacedRounds} rounds at half load, ${ratePerSecond} requests a second`)
  return [
    {
      ...figures(bare),
      group: engine,
      row: `baseline of half load on ${engine}: bare Fastify's p99 at ${ratePerSecond}/s`,
      ratio: null,
      target: null,
    },
    {
      ...figures(own),
      group: engine,
      row: `${engine}: p99 of verify, fresh, at half load (${ratePerSecond}/s), to the bare route's`,
      ratio: spreadOf(own.map(({ p99Ms }, round) => p99Ms / (bare[round]?.p99Ms ?? Number.NaN))),
      target: { bound: 'at most', value: 2 },
    },
  ]
}

function figures(results: readonly Measured[]) {
  const cpuUs = results.map((result) => result.serverCpuUs).filter((value) => value !== null)
  const p99Ms = medianOf(results.map((result) => result.p99Ms))
  return {
    value: p99Ms,
    unit: 'ms',
    p50Ms: medianOf(results.map((result) => result.p50Ms)),
    p99Ms,
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { rounds: results },
  }
}
