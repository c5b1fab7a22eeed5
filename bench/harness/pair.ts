/** Compares two services in turns: verify with something beside, relative to verify without it. */

import { everydayBody, type Bench } from '../bench.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import type { Measured } from './loader.ts'
import { trafficOf, type Database, type Server } from './service.ts'

/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMs = 200

export interface Contender {
  readonly server: Server
  readonly database: Database
}

/** Results of the same round. */
export interface Pair {
  readonly without: Measured
  readonly with: Measured
}

/** Alternates the order, so that neither is always first. */
export async function inTurn<One, Other>(
  round: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  if (round % 2 === 1) return [await one(), await other()]
  const early = await other()
  return [await one(), early]
}

/** Runs all rounds. `afterRound` is called after each round of `with`, before the other one runs. */
export async function alternate(
  { sizes, loader }: Bench,
  contenders: { readonly without: Contender; readonly with: Contender },
  afterRound: () => Promise<void> = () => Promise.resolve(),
): Promise<Pair[]> {
  const measure = async (contender: Contender, warmUpMs: number, durationMs: number): Promise<Measured> => {
    const traffic = trafficOf(contender.database.key, everydayBody)
    const measured = await loader.run(contender.server, traffic, { warmUpMs, durationMs })
    if (contender === contenders.with) await afterRound()
    return measured
  }
  for (const contender of [contenders.without, contenders.with]) await measure(contender, 0, sizes.warmUpMs)
  const pairs: Pair[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const [without, withIt] = await inTurn(
      round,
      () => measure(contenders.without, roundWarmUpMs, sizes.roundMs),
      () => measure(contenders.with, roundWarmUpMs, sizes.roundMs),
    )
    pairs.push({ without, with: withIt })
  }
  return pairs
}

/** Throughput with it, and relative to without. */
export function rowOf(group: string, row: string, pairs: readonly Pair[], target: Row['target']): Row {
  return {
    group,
    row,
    value: medianOf(pairs.map((pair) => pair.with.requestsPerSecond)),
    unit: 'requests/s',
    ratio: spreadOf(pairs.map((pair) => pair.with.requestsPerSecond / pair.without.requestsPerSecond)),
    target,
    ...latencies(pairs),
  }
}

export function latencies(pairs: readonly Pair[]) {
  const cpuUs = pairs.map((pair) => pair.with.serverCpuUs).filter((value) => value !== null)
  return {
    p50Ms: medianOf(pairs.map((pair) => pair.with.p50Ms)),
    p99Ms: medianOf(pairs.map((pair) => pair.with.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { pairs },
  }
}
