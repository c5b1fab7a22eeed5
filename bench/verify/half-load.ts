/** Measures the p99 at half of the maximum throughput, relative to the bare route at the same rate. */

import type { Bench } from '../bench.ts'
import type { Measured } from '../harness/loader.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import type { Contestant, Engine } from '../harness/service.ts'

/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMsMax = 200

export interface HalfLoad {
  readonly fresh: Contestant
  readonly baseline: Contestant
  /** The service's throughput in a closed loop, measured in this run. */
  readonly maxPerSecond: number
}

/**
 * An open loop: every request is due at a fixed time and its latency counts from then. A server that stalls is
 * therefore slow for every request due meanwhile, not just for one per connection.
 */
export async function benchHalfLoad(bench: Bench, engine: Engine, options: HalfLoad): Promise<Row[]> {
  const { sizes, loader, print } = bench
  const ratePerSecond = Math.floor(options.maxPerSecond / 2)
  const measure = ({ server, traffic }: Contestant): Promise<Measured> =>
    loader.run(
      server,
      { ...traffic, ratePerSecond },
      { warmUpMs: Math.min(roundWarmUpMsMax, sizes.pacedRoundMs / 5), durationMs: sizes.pacedRoundMs },
    )
  const own: Measured[] = []
  const bare: Measured[] = []
  for (let round = 1; round <= sizes.pacedRounds; round += 1) {
    // The order alternates, so that neither is always first.
    if (round % 2 === 1) bare.push(await measure(options.baseline))
    own.push(await measure(options.fresh))
    if (round % 2 === 0) bare.push(await measure(options.baseline))
  }
  print(`${engine}: ${sizes.pacedRounds} rounds at half load, ${ratePerSecond} requests per second`)
  return [
    {
      ...figures(bare),
      group: engine,
      row: `baseline of half load on ${engine}: p99 of bare Fastify at ${ratePerSecond}/s`,
      ratio: null,
      target: null,
    },
    {
      ...figures(own),
      group: engine,
      row: `${engine}: p99 of verify, fresh, at half load (${ratePerSecond}/s), relative to the bare route`,
      ratio: spreadOf(own.map(({ p99Ms }, round) => p99Ms / (bare[round]?.p99Ms ?? Number.NaN))),
      target: { bound: 'at most', value: engine === 'sqlite' ? 4 : 8 },
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
