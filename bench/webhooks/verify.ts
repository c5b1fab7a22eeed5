/** Measures the cost of events to verify: throughput with an outbox row, latency during deliveries. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { alternate, inTurn, latencies, rowOf, type Pair } from '../harness/pair.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { trafficOf, type Engine } from '../harness/service.ts'
import { startSender, stopSender, type Sender, type CountingSender } from './setup.ts'
import type { ReceiverReport } from './receiver.ts'

const ratePerSecond = 500
/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMs = 200
/** The promised maximum from record to first attempt, applied to the p99. */
const attemptDelayMsMax: Readonly<Record<Engine, number>> = { sqlite: 50, postgres: 100 }

/** The endpoint hangs: apart from a few pending attempts, a follower that writes to the outbox is all that is added. */
export async function benchOutboxRow(bench: Bench, engine: Engine, none: Sender): Promise<Row> {
  const { sizes, print } = bench
  const hanging = await startSender(bench, engine, 'hang')
  const pairs = await alternate(bench, { without: none, with: hanging })
  await stopSender(hanging)
  print(`webhooks on ${engine}: ${sizes.rounds} rounds of verify with a row in the outbox`)
  const row = `${engine}: verify with an outbox row, relative to without`
  return rowOf('webhooks', row, pairs, { bound: 'at least', value: 0.85 })
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
