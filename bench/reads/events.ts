/** Measures the event stream: how fast a consumer that is behind reads it, and what consumers cost verify. */

import { FairwayClient } from '../../client/src/index.ts'
import { everydayBody, type Bench } from '../bench.ts'
import type { Measured } from '../harness/loader.ts'
import { startService, trafficOf, type Engine, type Server } from '../harness/service.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'

const settings = { FAIRWAY_LIMIT_EVENTS: '100000000/1' }
const roundWarmUpMs = 200
/** A consumer that is behind must gain on any load that one instance takes. */
const eventsPerSecondMin: Readonly<Record<Engine, number | null>> = { sqlite: 30_000, postgres: null }
const pollEveryMs = 1_000
const pageMax = 1_000

const clientOf = ({ port }: Server, key: string): FairwayClient =>
  new FairwayClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key })

export async function benchEvents(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) {
    rows.push(await benchBehind(bench, engine), ...(await benchConsumers(bench, engine)))
  }
  return rows
}

/** From the first event to the last, in pages of the largest size. */
async function benchBehind({ sizes, databases, print }: Bench, engine: Engine): Promise<Row> {
  const [records = 0] = sizes.growthRecords
  const { database } = await databases.filled(engine, records)
  const server = await startService(database, settings)
  const client = clientOf(server, database.key)
  const rates: number[] = []
  for (let round = 0; round <= sizes.readRounds; round += 1) {
    const startedMs = performance.now()
    let count = 0
    for await (const { events } of client.events({ limit: pageMax, follow: false }).pages())
      count += events.length
    if (count < records / 2) throw new Error(`the stream has ${count} events of ${records} records`)
    // The first round warms up.
    if (round > 0) rates.push((count / (performance.now() - startedMs)) * 1_000)
    print(`events on ${engine}: ${count} events read, round ${round} of ${sizes.readRounds}`)
  }
  await server.stop()
  const wanted = eventsPerSecondMin[engine]
  return {
    group: 'events',
    row: `${engine}: events read by a consumer that is behind`,
    value: medianOf(rates),
    unit: 'events/s',
    ratio: null,
    target: wanted === null ? null : { bound: 'at least', value: wanted },
    detail: { rates },
  }
}

/** Begins at the head; runs until it is aborted. */
type Consume = (client: FairwayClient, after: string, signal: AbortSignal) => Promise<void>

/** Asks every second for what is new. */
async function poll(client: FairwayClient, after: string, signal: AbortSignal): Promise<void> {
  for (let next = after; !signal.aborted;) {
    ;({ next } = await client.events({ after: next }, { signal }).page())
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
  }
}

/** Reads all of it, as it comes. */
async function follow(client: FairwayClient, after: string, signal: AbortSignal): Promise<void> {
  for await (const page of client.events({ after, limit: pageMax }, { signal }).pages()) void page
}

async function benchConsumers(bench: Bench, engine: Engine): Promise<Row[]> {
  return [
    await benchBeside(bench, engine, {
      row: 'verify beside a polling consumer, relative to without',
      consume: poll,
      target: { bound: 'at least', value: 0.97 },
    }),
    // Without a target: it reads, parses and drops as many events as there are decisions, on the same two cores.
    await benchBeside(bench, engine, {
      row: 'verify beside a consumer of every event, relative to without',
      consume: follow,
      target: null,
    }),
  ]
}

async function benchBeside(
  { sizes, databases, loader, print }: Bench,
  engine: Engine,
  {
    row,
    consume,
    target,
  }: { readonly row: string; readonly consume: Consume; readonly target: Row['target'] },
): Promise<Row> {
  const database = await databases.fresh(engine)
  const server = await startService(database, settings)
  const client = clientOf(server, database.key)
  const measure = (warmUpMs: number, durationMs: number): Promise<Measured> =>
    loader.run(server, trafficOf(database.key, everydayBody), { warmUpMs, durationMs })
  const beside = async (): Promise<Measured> => {
    const ending = new AbortController()
    const { items } = await client.verifications({ limit: 1 }).page()
    const after = `evt_${items[0]?.request_id.slice(-26).toLowerCase() ?? ''}`
    const consumed = consume(client, after, ending.signal).catch(() => {})
    const measured = await measure(roundWarmUpMs, sizes.roundMs)
    ending.abort()
    await consumed
    return measured
  }
  await measure(0, sizes.warmUpMs)
  const pairs: { readonly without: Measured; readonly with: Measured }[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    // The order alternates, so that neither is always first.
    if (round % 2 === 1)
      pairs.push({ without: await measure(roundWarmUpMs, sizes.roundMs), with: await beside() })
    else {
      const withConsumer = await beside()
      pairs.push({ without: await measure(roundWarmUpMs, sizes.roundMs), with: withConsumer })
    }
  }
  await server.stop()
  await databases.discard(database)
  print(`events on ${engine}: ${sizes.rounds} rounds of ${row}`)
  return {
    group: 'events',
    row: `${engine}: ${row}`,
    value: medianOf(pairs.map((pair) => pair.with.requestsPerSecond)),
    unit: 'requests/s',
    ratio: spreadOf(pairs.map((pair) => pair.with.requestsPerSecond / pair.without.requestsPerSecond)),
    target,
    p99Ms: medianOf(pairs.map((pair) => pair.with.p99Ms)),
    detail: { pairs },
  }
}
