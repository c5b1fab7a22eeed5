/** Requests a second of each endpoint that reads, in a large store, beside those of a bare route with the same answers. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgedRecords, type Bench } from './bench.ts'
import type { Measured, Traffic } from './loader.ts'
import { temporaryDirectory } from './processes.ts'
import { barePathOf, readEndpoints, type ReadEndpoint } from './reads-endpoints.ts'
import { spreadOf, type Row } from './report.ts'
import { giveRollupsAPast } from './rollups-history.ts'
import {
  askOnce,
  fill,
  onPostgres,
  startBaseline,
  startService,
  type Answer,
  type Database,
  type Engine,
  type Server,
} from './service.ts'
import { figures } from './throughput.ts'

/** About so many, spread over the whole history, so that no cache answers for the store. */
const idsCount = 1_000
/** How many different answers of an endpoint its bare route sends: records of every kind are among so many. */
const answersCount = 64
/** At the start of every round, while the machine turns from one server to the next. */
const roundWarmUpMs = 100
const neverBinds = { FAIRWAY_LIMIT_KEYED: '100000000/1', FAIRWAY_LIMIT_BATCH: '100000000/1' }

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
  const { database, span } = await prepare(bench, engine)
  const service = await startService(database, neverBinds)
  const ids = await idsOf(service, database.key, span)
  const contests = readEndpoints.map((endpoint, place) => contestOf(endpoint, place, database.key, ids))
  const bare = await startBare(service, contests)

  for (const { own, bare: beside } of contests) {
    const bound = { warmUpMs: 0, durationMs: sizes.readWarmUpMs }
    await loader.run(service, own, bound)
    await loader.run(bare, beside, bound)
  }
  for (let round = 1; round <= sizes.readRounds; round += 1) {
    const bound = { warmUpMs: roundWarmUpMs, durationMs: sizes.readRoundMs }
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
  for (const server of [service, bare]) await server.stop()
  return contests.map((contest) => readRow(engine, contest, sizes.growthRecords))
}

/** When the records of a store were recorded. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

async function prepare(
  { databases, sizes, say }: Bench,
  engine: Engine,
): Promise<{ database: Database; span: Span }> {
  say(`reads on ${engine}: storing ${sizes.growthRecords.toLocaleString('en-GB')} records`)
  const database = await databases.fresh(engine)
  const fromMs = Date.now()
  await fill(database, sizes.growthRecords)
  const toMs = Date.now()
  await giveRollupsAPast(database)
  // Otherwise PostgreSQL would do so by itself, in the middle of the rounds.
  if (engine === 'postgres') await onPostgres(database.url, ['VACUUM ANALYZE', 'CHECKPOINT'])
  return { database, span: { fromMs, toMs } }
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

/** The newest record of the key before each of many moments of the span; there is none before the first was stored. */
async function idsOf(service: Server, key: string, { fromMs, toMs }: Span): Promise<string[]> {
  const ids = new Set<string>()
  for (let place = 1; place <= idsCount; place += 1) {
    const before = new Date(fromMs + ((toMs - fromMs) * place) / idsCount).toISOString()
    const path = `/api/verifications?limit=1&to=${before}`
    const page = JSON.parse(
      await askOnce(service, { ...trafficTo({ method: 'GET' }, key), path }),
    ) as Answer[]
    for (const record of page) ids.add(String(record['request_id']))
  }
  if (ids.size < idsCount / 2) throw new Error(`only ${ids.size} records were found in the history`)
  return [...ids]
}

function contestOf(endpoint: ReadEndpoint, place: number, key: string, ids: readonly string[]): Contest {
  const { path } = endpoint
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
