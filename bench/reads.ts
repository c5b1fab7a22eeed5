/** Requests a second of each endpoint that reads, in a large store, beside those of a bare route with the same answers. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgedRecords, type Bench } from './bench.ts'
import type { Measured, Traffic } from './loader.ts'
import { temporaryDirectory } from './processes.ts'
import {
  barePathOf,
  readEndpoints,
  unmeasured,
  type NamedRoute,
  type ReadEndpoint,
} from './reads-endpoints.ts'
import { openReadStore, type ReadStore } from './reads-store.ts'
import { spreadOf, type Row } from './report.ts'
import { askOnce, startBaseline, type Engine, type Server } from './service.ts'
import { figures } from './throughput.ts'

/** How many different answers of an endpoint its bare route sends: records of every kind are among so many. */
const answersCount = 64
/** At the start of every round, while the machine turns from one server to the next. */
const roundWarmUpMsMax = 100

interface Round {
  readonly own: Measured
  readonly bare: Measured
}

/** One endpoint, asked of the service and of its bare route. */
interface Contest {
  readonly endpoint: ReadEndpoint
  readonly own: Traffic
  readonly bare: Traffic
  readonly rounds: Round[]
}

export async function benchReads(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, say } = bench
  const store = await openReadStore(bench, engine)
  const { service } = store
  await checkCoverage(service)
  const contests = readEndpoints.map((endpoint, place) => contestOf(endpoint, place, store))
  const bare = await startBare(service, contests)

  for (const { own, bare: beside } of contests) {
    const bound = { warmUpMs: 0, durationMs: sizes.readWarmUpMs }
    await loader.run(service, own, bound)
    await loader.run(bare, beside, bound)
  }
  const warmUpMs = Math.min(roundWarmUpMsMax, sizes.readRoundMs / 5)
  for (let round = 1; round <= sizes.readRounds; round += 1) {
    const bound = { warmUpMs, durationMs: sizes.readRoundMs }
    for (const contest of contests) {
      const runOwn = (): Promise<Measured> => loader.run(service, contest.own, bound)
      const runBare = (): Promise<Measured> => loader.run(bare, contest.bare, bound)
      // The order turns with every round, so that neither server always comes first.
      if (round % 2 === 0) {
        const own = await runOwn()
        contest.rounds.push({ own, bare: await runBare() })
      } else {
        const beside = await runBare()
        contest.rounds.push({ own: await runOwn(), bare: beside })
      }
    }
    say(`reads on ${engine}: round ${round} of ${sizes.readRounds}`)
  }
  await store.close()
  await bare.stop()
  return contests.map((contest) => readRow(engine, contest, sizes.readRecords))
}

/** By what the service says of itself, so that no endpoint is forgotten. */
async function checkCoverage(service: Server): Promise<void> {
  const path = '/openapi.json'
  const text = await askOnce(service, { method: 'GET', path, headers: {}, body: null, idempotencyKey: null })
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> }
  const routes = Object.entries(paths).flatMap(([served, methods]) =>
    Object.keys(methods).map((method): NamedRoute => ({ method, path: served })),
  )
  const missing = unmeasured(routes)
  if (missing.length > 0) {
    throw new Error(`bench/reads-endpoints.ts neither measures nor excuses ${missing.join(', ')}`)
  }
}

function trafficTo(endpoint: Pick<ReadEndpoint, 'method' | 'body'>, key: string): Omit<Traffic, 'path'> {
  const { method, body } = endpoint
  return {
    method,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? null : JSON.stringify(body),
    idempotencyKey: null,
  }
}

function contestOf(endpoint: ReadEndpoint, place: number, { key, ids, webhookId }: ReadStore): Contest {
  const path = endpoint.path.replace('{corridor}', 'GB-NG').replace('{webhook_id}', webhookId)
  const paths = path.includes('{id}') ? ids.map((id) => path.replace('{id}', id)) : [path]
  const traffic = trafficTo(endpoint, key)
  return {
    endpoint,
    own: { ...traffic, paths },
    bare: { ...traffic, paths: paths.map((one) => barePathOf(place, one)) },
    rounds: [],
  }
}

/** Hands the service's answers to the bare routes, and looks whether they send the very same bytes. */
async function startBare(service: Server, contests: readonly Contest[]): Promise<Server> {
  const answers: string[][] = []
  for (const { own } of contests) {
    const paths = own.paths ?? []
    const every = Math.max(1, Math.floor(paths.length / answersCount))
    const asked = paths.filter((_, place) => place % every === 0)
    const texts: string[] = []
    for (const path of asked) texts.push(await askOnce(service, { ...own, path }))
    answers.push(texts)
  }
  const file = join(temporaryDirectory(), 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const bare = await startBaseline(['bench/reads-baseline.ts', file])
  for (const [place, { endpoint, bare: beside }] of contests.entries()) {
    for (const text of answers[place] ?? []) {
      const sent = await askOnce(bare, { ...beside, path: beside.paths?.[0] ?? '' })
      if (sent !== text) throw new Error(`the bare route of ${endpoint.path} sends ${sent}, not ${text}`)
    }
  }
  return bare
}

/** Each round's ratio is to the bare route of the same round. */
function readRow(engine: Engine, { endpoint, rounds }: Contest, records: number): Row {
  const ratios = rounds.map(({ own, bare }) => own.requestsPerSecond / bare.requestsPerSecond)
  return {
    group: 'reads',
    row: `${engine}: ${endpoint.method} ${endpoint.name ?? endpoint.path}`,
    ratio: spreadOf(ratios),
    target: records < judgedRecords ? null : { bound: 'at least', value: 0.5 },
    ...figures({ results: rounds.map(({ own }) => own) }),
    detail: { rounds },
  }
}
