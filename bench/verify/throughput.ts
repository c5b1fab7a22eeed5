/** Measures the service's throughput relative to the bare route, in interleaved rounds. */

import { everydayBody, type Bench, type Level } from '../bench.ts'
import { benchHalfLoad } from './half-load.ts'
import type { Measured, Target as Loaded, Traffic } from '../harness/loader.ts'
import { medianOf, spreadOf, type Row, type Target } from '../report.ts'
import type { Service } from '../harness/servers.ts'
import {
  startBaseline,
  trafficOf,
  verifyOnce,
  type Answer,
  type Contestant,
  type Engine,
} from '../harness/service.ts'

/** Discarded at the start of each round, while the machine switches servers. */
const roundWarmUpMsMax = 200
/** The number of connections that the targets apply to. */
const judgedConnections = 32

interface Scenario {
  readonly name: string
  readonly target: Readonly<Record<Engine, Target>>
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: Traffic['idempotencyKey']
  /** Sent once, before the rest. */
  readonly firstBody?: Readonly<Record<string, unknown>>
  /** Whether an answer is of the kind that the row measures. */
  readonly isExpected: (answer: Answer) => boolean
}

const isFresh = (answer: Answer): boolean =>
  answer['decision'] === 'GO' && answer['idempotency_hit'] === false && !('cooldown' in answer)
const atLeast = (value: number): Target => ({ bound: 'at least', value })
/** A bare route is relatively faster on x64: the rest waits for memory and disk, whatever the processor. */
const byProcessor = (x64: number, arm64: number): Target => atLeast(process.arch === 'x64' ? x64 : arm64)
const freshTarget = { sqlite: byProcessor(0.5, 0.75), postgres: byProcessor(0.4, 0.5) }

const scenarios: readonly Scenario[] = [
  {
    name: 'verify, fresh',
    target: freshTarget,
    body: everydayBody,
    idempotencyKey: null,
    isExpected: isFresh,
  },
  {
    name: 'verify, fresh, a new key each',
    target: freshTarget,
    body: everydayBody,
    idempotencyKey: 'distinct',
    isExpected: isFresh,
  },
  {
    name: 'idempotent replay',
    target: { sqlite: atLeast(0.85), postgres: atLeast(0.5) },
    body: everydayBody,
    idempotencyKey: { always: 'bench-replay-0123456789abcdef0123456' },
    firstBody: everydayBody,
    isExpected: (answer) => answer['idempotency_hit'] === true,
  },
  {
    name: 'cooldown hit',
    target: { sqlite: byProcessor(0.45, 0.7), postgres: byProcessor(0.35, 0.45) },
    body: { ...everydayBody, corridor: 'NG-GB' },
    idempotencyKey: null,
    firstBody: { ...everydayBody, corridor: 'NG-GB', amount: 1000.08 },
    isExpected: (answer) => answer['decision'] === 'NO-GO' && 'cooldown' in answer,
  },
]

/** The scenario that does the same durable work as the floor. */
const keyedPlace = scenarios.findIndex(({ idempotencyKey }) => idempotencyKey === 'distinct')
/** The share of the floor that a verify should reach, by connections. */
const floorTargets: Readonly<Record<number, Target>> = { 1: atLeast(0.7), 32: atLeast(0.8) }

interface Scene extends Contestant {
  readonly service: Service
}

interface Results {
  readonly results: readonly Measured[]
}

export async function benchThroughput(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader } = bench
  const contestants = await startScenarios(bench, engine)
  const [fresh] = contestants
  if (fresh === undefined) throw new Error('no scenario is defined')
  const answer = await verifyOnce(fresh.server, fresh.traffic)
  const bare = await startBaseline(['bench/harness/baseline.ts', JSON.stringify(answer)])
  const baseline: Contestant = { server: bare, traffic: trafficOf('pk_test_unread', everydayBody) }

  const floor = await startFloor(bench, engine, answer)

  for (const { server, traffic } of [baseline, floor, ...contestants]) {
    await loader.run(server, traffic, { warmUpMs: 0, durationMs: sizes.warmUpMs })
  }
  const rows: Row[] = []
  let freshPerSecond = Number.NaN
  for (const level of sizes.levels) {
    const selected = level.freshOnly ? contestants.slice(0, keyedPlace + 1) : contestants
    const everyone = [baseline, floor, ...selected]
    const [bareRounds = [], floorRounds = [], ...ownRounds] = await rounds(bench, engine, level, everyone)
    const [bareResults, floorResults] = [{ results: bareRounds }, { results: floorRounds }]
    rows.push(baselineRow(engine, level, bareResults), floorRow(engine, level, floorResults, bareResults))
    for (const [place, results] of ownRounds.entries()) {
      rows.push(scenarioRow(engine, level, place, { results }, bareResults))
    }
    rows.push(toFloorRow(engine, level, { results: ownRounds[keyedPlace] ?? [] }, floorResults))
    if (level.connections === judgedConnections) {
      freshPerSecond = medianOf((ownRounds[0] ?? []).map((result) => result.requestsPerSecond))
    }
  }
  rows.push(...(await benchHalfLoad(bench, engine, { fresh, baseline, maxPerSecond: freshPerSecond })))
  await bare.stop()
  await floor.server.stop()
  for (const { service } of contestants) await bench.servers.close(service)
  return rows
}

/** On a database of its own. */
async function startFloor({ databases }: Bench, engine: Engine, answer: Answer): Promise<Contestant> {
  const { url } = await databases.fresh(engine)
  const target = engine === 'sqlite' ? `${url.slice('sqlite:'.length)}.floor` : url
  const server = await startBaseline(['bench/harness/floor.ts', engine, target, JSON.stringify(answer)])
  return { server, traffic: trafficOf('pk_test_unread', everydayBody, 'distinct') }
}

/** One list of results per contestant. */
async function rounds(
  { loader, print }: Bench,
  engine: Engine,
  level: Level,
  everyone: readonly Contestant[],
): Promise<Measured[][]> {
  const { connections } = level
  const results = everyone.map((one) => ({ ...one, measured: [] as Measured[] }))
  const bound = { warmUpMs: Math.min(roundWarmUpMsMax, level.roundMs / 5), durationMs: level.roundMs }
  for (let round = 1; round <= level.rounds; round += 1) {
    // The order alternates, so that no contestant is always first.
    for (const { server, traffic, measured } of round % 2 === 1 ? results : results.toReversed()) {
      measured.push(await loader.run(server, { ...traffic, connections }, bound))
    }
  }
  print(`${engine}: ${level.rounds} rounds with ${connectionsText(level)}`)
  return results.map(({ measured }) => measured)
}

/** One service per scenario, so that none is slowed by the records of others; a quick run shares one. */
async function startScenarios({ servers }: Bench, engine: Engine): Promise<Scene[]> {
  const scenes: Scene[] = []
  for (const scenario of scenarios) {
    const service = await servers.open(engine)
    const { database, server } = service
    const traffic = trafficOf(database.key, scenario.body, scenario.idempotencyKey)
    if (scenario.firstBody !== undefined) {
      await verifyOnce(server, { ...traffic, body: JSON.stringify(scenario.firstBody) })
    }
    await checkAnswer(server, traffic, scenario)
    scenes.push({ service, server, traffic })
  }
  return scenes
}

async function checkAnswer(server: Loaded, traffic: Traffic, { name, isExpected }: Scenario): Promise<void> {
  const answer = await verifyOnce(server, traffic)
  if (!isExpected(answer)) throw new Error(`"${name}" got an unexpected answer: ${JSON.stringify(answer)}`)
}

/** Medians over all rounds. */
export function figures({ results }: Results) {
  const cpuUs = results.map((result) => result.serverCpuUs).filter((value) => value !== null)
  return {
    value: medianOf(results.map((result) => result.requestsPerSecond)),
    unit: 'requests/s',
    p50Ms: medianOf(results.map((result) => result.p50Ms)),
    p99Ms: medianOf(results.map((result) => result.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { rounds: results },
  }
}

const connectionsText = ({ connections }: Level): string =>
  connections === 1 ? '1 connection' : `${connections} connections`

function baselineRow(engine: Engine, level: Level, baseline: Results): Row {
  const row = `baseline of the ${engine} rounds, ${connectionsText(level)}: bare Fastify`
  return { group: engine, row, ratio: null, target: null, ...figures(baseline) }
}

function floorRow(engine: Engine, level: Level, floor: Results, baseline: Results): Row {
  const row = `floor of the ${engine} rounds, ${connectionsText(level)}: one batched append, relative to the bare route`
  return { group: engine, row, ratio: spreadOf(ratiosOf(floor, baseline)), target: null, ...figures(floor) }
}

function toFloorRow(engine: Engine, level: Level, own: Results, floor: Results): Row {
  const row = `${engine}: ${scenarios[keyedPlace]?.name ?? ''}, ${connectionsText(level)}, relative to the floor`
  const target = floorTargets[level.connections] ?? null
  return { group: engine, row, ratio: spreadOf(ratiosOf(own, floor)), target, ...figures(own) }
}

/** Round by round. */
function ratiosOf(own: Results, reference: Results): number[] {
  return own.results.map(
    (result, round) => result.requestsPerSecond / (reference.results[round]?.requestsPerSecond ?? Number.NaN),
  )
}

/** Ratios compare with the baseline in the same round. */
function scenarioRow(engine: Engine, level: Level, place: number, own: Results, baseline: Results): Row {
  const scenario = scenarios[place]
  if (scenario === undefined) throw new Error('results without a scenario')
  const { detail, ...middle } = figures(own)
  const reference = figures(baseline)
  return {
    group: engine,
    row: `${engine}: ${scenario.name}, ${connectionsText(level)}`,
    ratio: spreadOf(ratiosOf(own, baseline)),
    target: level.connections === judgedConnections ? scenario.target[engine] : null,
    ...middle,
    detail: {
      connections: level.connections,
      baseline: { requestsPerSecond: reference.value, p50Ms: reference.p50Ms, p99Ms: reference.p99Ms },
      loaderCpuUs: medianOf(own.results.map((result) => result.loaderCpuUs)),
      loaderCpuShare: medianOf(own.results.map((result) => result.loaderCpuShare)),
      ...detail,
    },
  }
}
