/** Measures whether many feeds are read at once: the median of a verify with 28 of them, relative to one. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Measured } from '../harness/loader.ts'
import { trafficOf, type Engine } from '../harness/service.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { startLiveService } from './feeds.ts'

/** Nothing is cached, and one request is open at a time: its duration is that of its reads and its commit. */
const uncached = { cacheMs: 0, query: 'corridor={corridor}&amount={amount}' }

export async function benchAtOnce(bench: Bench, engine: Engine): Promise<Row> {
  const { loader, sizes, print } = bench
  const many = await startLiveService(bench, engine, { ...uncached, partners: 4 })
  const single = await startLiveService(bench, engine, { ...uncached, partners: 0, feeds: 1 })
  const run = (service: typeof many, durationMs: number): Promise<Measured> =>
    loader.run(
      service.server,
      { ...trafficOf(service.keys.live, everydayBody), connections: 1 },
      { warmUpMs: 0, durationMs },
    )
  for (const service of [many, single]) await run(service, sizes.warmUpMs)
  const rounds: { readonly many: Measured; readonly single: Measured }[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    rounds.push({ many: await run(many, sizes.roundMs), single: await run(single, sizes.roundMs) })
  }
  await many.stop()
  await single.stop()
  print(`live on ${engine}: ${sizes.rounds} rounds with 28 feeds and with one, not cached`)
  return {
    group: 'live',
    row: `${engine}: verify with 28 feeds of 1 ms at one connection, p50 relative to a single feed`,
    value: medianOf(rounds.map((round) => round.many.p50Ms)),
    unit: 'ms',
    ratio: spreadOf(rounds.map((round) => round.many.p50Ms / round.single.p50Ms)),
    target: { bound: 'under', value: 2.5 },
    p50Ms: medianOf(rounds.map((round) => round.many.p50Ms)),
    p99Ms: medianOf(rounds.map((round) => round.many.p99Ms)),
  }
}
