/** Measures event deliveries per second, relative to a bare loop that sends the same requests. */

import { laneLimits } from '../../src/core/events/delivery-lanes.ts'
import type { Bench } from '../bench.ts'
import { cpuMsOf } from '../harness/loader.ts'
import { startNode, stopProcess } from '../harness/processes.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import type { Engine } from '../harness/service.ts'
import type { LoopJob, LoopReply } from './loop.ts'
import {
  requestProcess,
  emptyOutbox,
  fillOutbox,
  isOutboxDone,
  until,
  type Receiver,
  type CountingSender,
} from './setup.ts'
import type { RecordedRequest, ReceiverReport } from './receiver.ts'

/** Recorded requests that the bare loop repeats: too many to stay in a cache. */
const recordedMax = 1_000
/** Before the first round: a cold loop is slower and would flatter the service in a quick run. */
const loopWarmUpRequestsMax = 20_000
const everyWebhook = 'place IS NOT NULL'

interface Delivered extends ReceiverReport {
  readonly eventsPerSecond: number
  /** Of the sending process, per event; null if the system does not report it. */
  readonly cpuUs: number | null
}

interface Round {
  readonly service: Delivered
  readonly loop: Delivered
}

/** Uses the events of records that the service has already written; there must be enough. */
export async function benchDelivery(bench: Bench, engine: Engine, sender: CountingSender): Promise<Row[]> {
  const { sizes, print } = bench
  const { receiver } = sender
  const events = sizes.webhookEvents
  const byService = (record = 0): Promise<Delivered> => deliverBacklog(sender, events, record)
  await byService(recordedMax)
  const loop = startLoop(receiver, await receiver.recorded())
  await loop.run(Math.min(loopWarmUpRequestsMax, 4 * events))
  const rounds: Round[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    // The order alternates, so that neither is always first.
    const early = round % 2 === 0 ? await byService() : null
    const bare = await loop.run(events)
    rounds.push({ service: early ?? (await byService()), loop: bare })
  }
  print(`webhooks on ${engine}: ${sizes.rounds} rounds of ${events.toLocaleString('en-GB')} events`)
  await loop.stop()
  return [loopRow(engine, rounds), serviceRow(engine, rounds)]
}

/** Measures from a full outbox to the last arrival. Starts when the service's own poll finds the events. */
async function deliverBacklog(
  { database, server, receiver }: CountingSender,
  events: number,
  record: number,
): Promise<Delivered> {
  await until('the outbox to be empty', () => isOutboxDone(database, everyWebhook))
  await emptyOutbox(database, everyWebhook)
  await receiver.begin(record)
  const cpuBeforeMs = cpuMsOf(server.pid)
  await fillOutbox(database, everyWebhook, events)
  const report = await receiver.arrived(events)
  return deliveredOf(report, cpuBeforeMs, cpuMsOf(server.pid))
}

interface Loop {
  run(count: number): Promise<Delivered>
  stop(): Promise<void>
}

function startLoop(receiver: Receiver, requests: readonly RecordedRequest[]): Loop {
  const child = startNode(['bench/webhooks/loop.ts'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    async run(count) {
      const job: LoopJob = { port: receiver.port, requests, count, concurrency: laneLimits.inFlightMax }
      await receiver.begin()
      const cpuBeforeMs = cpuMsOf(child.pid ?? 0)
      const { fault } = await requestProcess<LoopReply>(child, job)
      if (fault !== null) throw new Error(`the bare loop failed: ${fault}`)
      return deliveredOf(await receiver.report(), cpuBeforeMs, cpuMsOf(child.pid ?? 0))
    },
    stop: () => stopProcess(child),
  }
}

function deliveredOf(
  report: ReceiverReport,
  cpuBeforeMs: number | null,
  cpuAfterMs: number | null,
): Delivered {
  const { requests, elapsedMs } = report
  return {
    ...report,
    eventsPerSecond: ((requests - 1) / elapsedMs) * 1000,
    cpuUs:
      cpuBeforeMs === null || cpuAfterMs === null ? null : ((cpuAfterMs - cpuBeforeMs) * 1000) / requests,
  }
}

function figures(results: readonly Delivered[]) {
  const cpuUs = results.map((result) => result.cpuUs).filter((value) => value !== null)
  return {
    group: 'webhooks',
    value: medianOf(results.map((result) => result.eventsPerSecond)),
    unit: 'events/s',
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { rounds: results },
  }
}

function loopRow(engine: Engine, rounds: readonly Round[]): Row {
  return {
    ...figures(rounds.map(({ loop }) => loop)),
    row: `baseline of the ${engine} deliveries: bare loop, ${laneLimits.inFlightMax} concurrent`,
    ratio: null,
    target: null,
  }
}

/** Ratios compare with the bare loop in the same round. */
function serviceRow(engine: Engine, rounds: readonly Round[]): Row {
  return {
    ...figures(rounds.map(({ service }) => service)),
    row: `${engine}: events delivered from a backlog`,
    ratio: spreadOf(rounds.map(({ service, loop }) => service.eventsPerSecond / loop.eventsPerSecond)),
    target: { bound: 'at least', value: 0.5 },
  }
}
