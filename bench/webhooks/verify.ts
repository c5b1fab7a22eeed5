/** Measures the cost of events to verify: throughput with an outbox row, latency during deliveries. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { trafficOf, type Engine } from '../harness/service.ts'
import { startSender, stopSender, type Sender, type CountingSender } from './setup.ts'
import type { ReceiverReport } from './receiver.ts'

const ratePerSecond = 500
/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMs = 200
/** The promised maximum from record to first attempt, applied to the p99. */
const attemptDelayMsMax: Readonly<Record<Engine, number>> = { sqlite: 50, postgres: 100 }

/** Results with and without an endpoint in the same round. */
interface Pair {
  readonly without: Measured
  readonly with: Measured
}

/** Alternates the order, so that neither is always first. */
async function inTurn<One, Other>(
  round: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  if (round % 2 === 1) return [await one(), await other()]
  const early = await other()
  return [await one(), early]
}

/** The endpoint hangs: apart from a few pending attempts, a follower that writes to the outbox is all that is added. */
export async function benchOutboxRow(bench: Bench, engine: Engine, none: Sender): Promise<Row> {
  const { sizes, loader, print } = bench
  const hanging = await startSender(bench, engine, 'hang')
  const measure = ({ server, database }: Sender, warmUpMs: number, durationMs: number): Promise<Measured> =>
    loader.run(server, trafficOf(database.key, everydayBody), { warmUpMs, durationMs })
  for (const sender of [none, hanging]) await measure(sender, 0, sizes.warmUpMs)
  const pairs: Pair[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const [without, withEvents] = await inTurn(
      round,
      () => measure(none, roundWarmUpMs, sizes.roundMs),
      () => measure(hanging, roundWarmUpMs, sizes.roundMs),
    )
    pairs.push({ without, with: withEvents })
  }
  await stopSender(hanging)
  print(`webhooks on ${engine}: ${sizes.rounds} rounds of verify with a row in the outbox`)
  return {
    group: 'webhooks',
    row: `${engine}: verify with an outbox row, relative to without`,
    value: medianOf(pairs.map((pair) => pair.with.requestsPerSecond)),
    unit: 'requests/s',
    ratio: spreadOf(pairs.map((pair) => pair.with.requestsPerSecond / pair.without.requestsPerSecond)),
    target: { bound: 'at least', value: 0.85 },
    ...latencies(pairs),
  }
}

function latencies(pairs: readonly Pair[]) {
  const cpuUs = pairs.map((pair) => pair.with.serverCpuUs).filter((value) => value !== null)
  return {
    p50Ms: medianOf(pairs.map((pair) => pair.with.p50Ms)),
    p99Ms: medianOf(pairs.map((pair) => pair.with.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { pairs },
  }
}

export async function benchPaced(
  bench: Bench,
  engine: Engine,
  none: Sender,
  healthy: CountingSender,
): Promise<Row[]> {
  const { sizes, print } = bench
  await pacedVerifies(bench, none, ratePerSecond, sizes.warmUpMs)
  await pacedRun(bench, healthy, ratePerSecond, sizes.warmUpMs)
  const pairs: Pair[] = []
  const deliveries: ReceiverReport[] = []
  for (let round = 1; round <= sizes.pacedRounds; round += 1) {
    const [without, delivered] = await inTurn(
      round,
      () => pacedVerifies(bench, none, ratePerSecond, sizes.pacedRoundMs),
      () => pacedRun(bench, healthy, ratePerSecond, sizes.pacedRoundMs),
    )
    pairs.push({ without, with: delivered.verifies })
    deliveries.push(delivered.deliveries)
  }
  const maxMs = Math.max(...deliveries.map((report) => report.delayMaxMs))
  print(
    `webhooks on ${engine}: ${sizes.pacedRounds} rounds of ${ratePerSecond} verifies per second; ` +
      `the slowest delivery arrived after ${maxMs.toFixed(1)} ms`,
  )
  return [
    {
      group: 'webhooks',
      row: `${engine}: verify p99 at ${ratePerSecond}/s with one webhook, relative to without`,
      value: medianOf(pairs.map((pair) => pair.with.p99Ms)),
      unit: 'ms',
      ratio: spreadOf(pairs.map((pair) => pair.with.p99Ms / pair.without.p99Ms)),
      target: { bound: 'at most', value: 1.2 },
      ...latencies(pairs),
    },
    {
      group: 'webhooks',
      // Measured at the receiver, so it includes the way there.
      row: `${engine}: p99 from record to first delivery attempt at ${ratePerSecond}/s`,
      value: medianOf(deliveries.map((report) => report.delayP99Ms)),
      unit: 'ms',
      ratio: null,
      target: { bound: 'at most', value: attemptDelayMsMax[engine] },
      p50Ms: medianOf(deliveries.map((report) => report.delayP50Ms)),
      p99Ms: medianOf(deliveries.map((report) => report.delayP99Ms)),
      detail: { maxMs, rounds: deliveries },
    },
  ]
}

function pacedVerifies(
  { loader }: Bench,
  { server, database }: Sender,
  perSecond: number,
  durationMs: number,
): Promise<Measured> {
  const traffic: Traffic = { ...trafficOf(database.key, everydayBody), ratePerSecond: perSecond }
  return loader.run(server, traffic, { warmUpMs: roundWarmUpMs, durationMs })
}

export interface PacedRun {
  readonly verifies: Measured
  /** Of the events of these verifies, all of which have arrived. */
  readonly deliveries: ReceiverReport
}

export async function pacedRun(
  bench: Bench,
  sender: CountingSender,
  perSecond: number,
  durationMs: number,
): Promise<PacedRun> {
  await sender.receiver.begin()
  const verifies = await pacedVerifies(bench, sender, perSecond, durationMs)
  const deliveries = await sender.receiver.arrived(verifies.requestsSent)
  if (deliveries.requests > verifies.requestsSent) {
    throw new Error(`${deliveries.requests} events arrived for ${verifies.requestsSent} verifies`)
  }
  return { verifies, deliveries }
}
