/** Measures each read endpoint on a large store, relative to a bare route with the same answers. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgedRecords, type Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import { barePathOf, readEndpoints, unmeasured, type NamedRoute, type ReadEndpoint } from './endpoints.ts'
import { openReadStore, type ReadStore } from './store.ts'
import { spreadOf, type Row } from '../report.ts'
import { requestOnce, startBaseline, type Engine, type Server } from '../harness/service.ts'
import { figures } from '../verify/throughput.ts'

/** Different answers per bare route: enough to include records of every kind. */
const answersCount = 64
/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMsMax = 100

interface Round {
  readonly own: Measured
  readonly bare: Measured
}

/** One endpoint, measured on the service and on its bare route. */
interface Contest {
  readonly endpoint: ReadEndpoint
  readonly own: Traffic
  readonly bare: Traffic
  readonly rounds: Round[]
}

export async function benchReads(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, print } = bench
  const store = await openReadStore(bench, engine)
  const { service } = store
  await checkCoverage(service)
  const contests = readEndpoints.map((endpoint, place) => contestOf(endpoint, place, store))
  const bare = await startBare(service, contests)

  for (const { own, bare: bareTraffic } of contests) {
    const bound = { warmUpMs: 0, durationMs: sizes.readWarmUpMs }
    await loader.run(service, own, bound)
    await loader.run(bare, bareTraffic, bound)
  }
  const warmUpMs = Math.min(roundWarmUpMsMax, sizes.readRoundMs / 5)
  for (let round = 1; round <= sizes.readRounds; round += 1) {
    const bound = { warmUpMs, durationMs: sizes.readRoundMs }
    for (const contest of contests) {
      const runOwn = (): Promise<Measured> => loader.run(service, contest.own, bound)
      const runBare = (): Promise<Measured> => loader.run(bare, contest.bare, bound)
      // The order alternates, so that neither server is always first.
      if (round % 2 === 0) {
        const own = await runOwn()
        contest.rounds.push({ own, bare: await runBare() })
      } else {
        const bareResult = await runBare()
        contest.rounds.push({ own: await runOwn(), bare: bareResult })
      }
    }
    print(`reads on ${engine}: round ${round} of ${sizes.readRounds}`)
  }
  await store.close()
  await bare.stop()
  return contests.map((contest) => readRow(engine, contest, sizes.readRecords))
}

/** Checks that every endpoint of the service's OpenAPI document is measured or excluded. */
async function checkCoverage(service: Server): Promise<void> {
  const path = '/openapi.json'
  const text = await requestOnce(service, {
    method: 'GET',
    path,
    headers: {},
    body: null,
    idempotencyKey: null,
  })
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> }
  const routes = Object.entries(paths).flatMap(([served, methods]) =>
    Object.keys(methods).map((method): NamedRoute => ({ method, path: served })),
  )
  const missing = unmeasured(routes)
  if (missing.length > 0) {
    throw new Error(`bench/reads/endpoints.ts neither measures nor excludes ${missing.join(', ')}: add them`)
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

/** Starts the bare routes with the service's answers and checks that they send the same bytes. */
async function startBare(service: Server, contests: readonly Contest[]): Promise<Server> {
  const answers: string[][] = []
  for (const { own } of contests) {
    const paths = own.paths ?? []
    const every = Math.max(1, Math.floor(paths.length / answersCount))
    const sampled = paths.filter((_, place) => place % every === 0)
    const texts: string[] = []
    for (const path of sampled) texts.push(await requestOnce(service, { ...own, path }))
    answers.push(texts)
  }
  const file = join(temporaryDirectory(), 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const bare = await startBaseline(['bench/reads/baseline.ts', file])
  for (const [place, { endpoint, bare: bareTraffic }] of contests.entries()) {
    for (const text of answers[place] ?? []) {
      const sent = await requestOnce(bare, { ...bareTraffic, path: bareTraffic.paths?.[0] ?? '' })
      if (sent !== text) throw new Error(`the bare route of ${endpoint.path} sends ${sent}, not ${text}`)
    }
  }
  return bare
}

/** Ratios compare with the bare route in the same round. */
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
