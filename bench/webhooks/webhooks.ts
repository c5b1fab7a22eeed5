/** Measures webhooks: delivery rate, cost to verify, and the effect of hanging endpoints. */

import { everydayBody, type Bench } from '../bench.ts'
import type { Row } from '../report.ts'
import { trafficOf, type Engine } from '../harness/service.ts'
import { benchDelivery } from './delivery.ts'
import { benchHanging } from './hanging.ts'
import { startSender, stopSender, type CountingSender } from './setup.ts'
import { benchOutboxRow, benchPaced } from './verify.ts'

export async function benchWebhooks(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) rows.push(...(await benchEngine(bench, engine)))
  return rows
}

async function benchEngine(bench: Bench, engine: Engine): Promise<Row[]> {
  const rows: Row[] = []
  const none = await startSender(bench, engine)
  rows.push(await benchOutboxRow(bench, engine, none))
  const healthy = await startWarm(bench, engine)
  rows.push(...(await benchPaced(bench, engine, none, healthy)))
  await stopSender(none)
  rows.push(...(await benchDelivery(bench, engine, healthy)))
  if (bench.sizes.hangingRounds > 0) rows.push(...(await benchHanging(bench, engine, healthy)))
  await stopSender(healthy)
  return rows
}

/** Starts a service that has verified and delivered as many events as a round of deliveries needs. */
async function startWarm(bench: Bench, engine: Engine): Promise<CountingSender> {
  const events = bench.sizes.webhookEvents
  const sender = await startSender(bench, engine, 'answer')
  await bench.loader.run(sender.server, trafficOf(sender.database.key, everydayBody), { requests: events })
  await sender.receiver.arrived(events)
  return sender
}
