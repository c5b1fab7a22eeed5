/** Requests a second of the service beside those of the bare route, in interleaved rounds. */

import { everydayBody, type Bench } from './bench.ts'
import type { Measured, Target as Loaded, Traffic } from './loader.ts'
import { medianOf, spreadOf, type Row, type Target } from './report.ts'
import {
  startBaseline,
  startService,
  trafficOf,
  verifyOnce,
  type Answer,
  type Engine,
  type Server,
} from './service.ts'

/** At the start of every round, while the machine turns from one server to the next. */
const roundWarmUpMs = 200

interface Scenario {
  readonly name: string
  readonly target: Readonly<Record<Engine, Target>>
  readonly settings?: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: Traffic['idempotencyKey']
  /** Sent once, before the rest. */
  readonly firstBody?: Readonly<Record<string, unknown>>
  /** Whether an answer is of the kind that the row speaks of. */
  readonly isRight: (answer: Answer) => boolean
}

const isFresh = (answer: Answer): boolean =>
  answer['decision'] === 'GO' && answer['idempotency_hit'] === false && !('cooldown' in answer)
const onPostgres: Target = { bound: 'at least', value: 0.35 }

const scenarios: readonly Scenario[] = [
  {
    name: 'verify, fresh',
    target: { sqlite: { bound: 'at least', value: 0.5, later: 0.7 }, postgres: onPostgres },
    body: everydayBody,
    idempotencyKey: null,
    isRight: isFresh,
  },
  {
    name: 'verify, fresh, a new key each',
    target: { sqlite: { bound: 'at least', value: 0.5, later: 0.7 }, postgres: onPostgres },
    body: everydayBody,
    idempotencyKey: 'distinct',
    isRight: isFresh,
  },
  {
    name: 'idempotent replay',
    target: { sqlite: { bound: 'at least', value: 0.7 }, postgres: onPostgres },
    body: everydayBody,
    idempotencyKey: { always: 'bench-replay-0123456789abcdef0123456' },
    firstBody: everydayBody,
    isRight: (answer) => answer['idempotency_hit'] === true,
  },
  {
    name: 'cooldown hit',
    target: { sqlite: { bound: 'at least', value: 0.5 }, postgres: onPostgres },
    // So long that the window does not end in the middle of a round.
    settings: { FAIRWAY_COOLDOWN_S: '86400' },
    body: { ...everydayBody, corridor: 'NG-GB' },
    idempotencyKey: null,
    firstBody: { ...everydayBody, corridor: 'NG-GB', amount: 1000.08 },
    isRight: (answer) => answer['decision'] === 'NO-GO' && 'cooldown' in answer,
  },
]

interface Contestant {
  readonly server: Server
  readonly traffic: Traffic
  readonly results: Measured[]
}

export async function benchThroughput(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, say } = bench
  const contestants: Contestant[] = []
  let answer: Answer | null = null
  for (const scenario of scenarios) {
    const started = await startScenario(bench, engine, scenario)
    contestants.push(started)
    answer ??= await verifyOnce(started.server, started.traffic)
  }
  const traffic = trafficOf('pk_test_unread', everydayBody)
  const bare = await startBaseline(['bench/baseline.ts', JSON.stringify(answer)])
  const baseline: Contestant = { server: bare, traffic, results: [] }
  const everyone = [baseline, ...contestants]

  for (const { server, traffic: warming } of everyone) {
    await loader.run(server, warming, { warmUpMs: 0, durationMs: sizes.warmUpMs })
  }
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const one of everyone) {
      const bound = { warmUpMs: roundWarmUpMs, durationMs: sizes.roundMs }
      one.results.push(await loader.run(one.server, one.traffic, bound))
    }
    say(`${engine}: round ${round} of ${sizes.rounds}`)
  }
  for (const { server } of everyone) await server.stop()
  return [
    baselineRow(engine, baseline),
    ...scenarios.map((scenario, place) =>
      scenarioRow(engine, scenario, contestants[place] ?? baseline, baseline),
    ),
  ]
}

async function startScenario(bench: Bench, engine: Engine, scenario: Scenario): Promise<Contestant> {
  const database = await bench.databases.fresh(engine)
  const server = await startService(database, scenario.settings)
  const traffic = trafficOf(database.key, scenario.body, scenario.idempotencyKey)
  if (scenario.firstBody !== undefined) {
    await verifyOnce(server, { ...traffic, body: JSON.stringify(scenario.firstBody) })
  }
  await checkAnswer(server, traffic, scenario)
  return { server, traffic, results: [] }
}

async function checkAnswer(server: Loaded, traffic: Traffic, { name, isRight }: Scenario): Promise<void> {
  const answer = await verifyOnce(server, traffic)
  if (!isRight(answer)) throw new Error(`"${name}" got another kind of answer: ${JSON.stringify(answer)}`)
}

/** Of all rounds, in the middle. */
export function figures({ results }: Pick<Contestant, 'results'>) {
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

function baselineRow(engine: Engine, baseline: Contestant): Row {
  const row = `baseline of the ${engine} rounds: bare Fastify`
  return { group: engine, row, ratio: null, target: null, ...figures(baseline) }
}

/** Each round's ratio is to the baseline of the same round. */
function scenarioRow(engine: Engine, scenario: Scenario, own: Contestant, baseline: Contestant): Row {
  const ratios = own.results.map(
    (result, round) => result.requestsPerSecond / (baseline.results[round]?.requestsPerSecond ?? Number.NaN),
  )
  return {
    group: engine,
    row: `${engine}: ${scenario.name}`,
    ratio: spreadOf(ratios),
    target: scenario.target[engine],
    ...figures(own),
  }
}
