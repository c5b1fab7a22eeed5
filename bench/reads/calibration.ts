/** Measures a year of calibration of one owner with thirty corridors, relative to the summary of the same year. */

import { amountSteps } from '../../src/core/calibration/cells.ts'
import { signalNames } from '../../src/core/decision/signals.ts'
import { dayMs, floorTo } from '../../src/core/time/durations.ts'
import { measureNames } from '../../src/core/time/rollup.ts'
import type { Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import {
  onPostgres,
  requestOnce,
  startService,
  type Answer,
  type Database,
  type Engine,
} from '../harness/service.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { runSql } from '../webhooks/setup.ts'

const days = 365
const corridorsCount = 30
const settings = { FAIRWAY_LIMIT_KEYED: '100000000/1' }
const roundWarmUpMs = 100

const countries = ['AU', 'BR', 'CA', 'DE', 'FR', 'GB', 'IN', 'JP', 'KE', 'MX', 'NG', 'US']
const corridors = countries
  .flatMap((origin) => countries.map((destination) => `${origin}-${destination}`))
  .filter((corridor) => corridor.slice(0, 2) !== corridor.slice(3))
  .filter((_, place) => place % 4 === 1)
  .slice(0, corridorsCount)

const places = (subject: string, from: number, to: number): (readonly [string, number])[] =>
  Array.from({ length: to - from + 1 }, (_, step) => [subject, from + step])

/** The cells of a busy day: every score of a `GO` and of a `DEGRADED`, every signal and step of amounts. */
const cells = [
  ...places('records', 0, 0),
  ...places('stopped', 0, 0),
  ...places('NO-GO', 20, 47),
  ...places('DEGRADED', 48, 79),
  ...places('GO', 80, 100),
  ...places('clear GO', 80, 100),
  ...['flagged', 'clear', 'flagged GO'].flatMap((subject) => places(subject, 0, signalNames.length - 1)),
  ...places('amount GBP', 0, amountSteps.length - 1),
]

const list = (values: readonly string[]): string => values.map((value) => `('${value}')`).join(', ')

/** By subject: place, records and failures of each cell. */
const packed = JSON.stringify(
  Object.fromEntries(
    [...Map.groupBy(cells, ([subject]) => subject)].map(([subject, own]) => [
      subject,
      own.flatMap(([, place]) => [place, 40, 3]),
    ]),
  ),
)

/** Written as the follower would, by day and corridor; the empty corridor stands for all of them. */
function calibrationSql(todayMs: number): string {
  return `WITH RECURSIVE back (n) AS (SELECT CAST(0 AS bigint) UNION ALL SELECT n + 1 FROM back WHERE n < ${days - 1}),
      corridor (corridor) AS (VALUES ${list(['', ...corridors])})
    INSERT INTO calibration (owner_id, corridor, mode, starts_at_ms, cells)
    SELECT owner_id, corridor, 'shadow', ${todayMs} - n * ${dayMs}, '${packed}'
      FROM (SELECT owner_id FROM api_keys LIMIT 1) AS owner CROSS JOIN back CROSS JOIN corridor`
}

function rollupsSql(todayMs: number): string {
  return `WITH RECURSIVE back (n) AS (SELECT CAST(0 AS bigint) UNION ALL SELECT n + 1 FROM back WHERE n < ${days - 1}),
      corridor (corridor) AS (VALUES ${list(corridors)})
    INSERT INTO rollups (owner_id, span, starts_at_ms, mode, corridor, ${measureNames.join(', ')})
    SELECT owner_id, 'day', ${todayMs} - n * ${dayMs}, 'shadow', corridor, ${measureNames.map(() => '40').join(', ')}
      FROM (SELECT owner_id FROM api_keys LIMIT 1) AS owner CROSS JOIN back CROSS JOIN corridor`
}

async function seed(database: Database): Promise<void> {
  const todayMs = floorTo(dayMs, Date.now())
  await runSql(database, [calibrationSql(todayMs), rollupsSql(todayMs)])
  // Otherwise autovacuum would run during the rounds.
  if (database.engine === 'postgres') await onPostgres(database.url, ['VACUUM ANALYZE', 'CHECKPOINT'])
}

const endpoints = {
  summary: '/api/v1/verifications/summary',
  all: '/api/v1/calibration',
  one: '/api/v1/calibration',
} as const

type Name = keyof typeof endpoints
const names = ['summary', 'all', 'one'] as const satisfies readonly Name[]

function trafficOf(name: Name, key: string): Traffic {
  const from = new Date(floorTo(dayMs, Date.now()) - (days - 1) * dayMs).toISOString()
  const query = new URLSearchParams({ from, ...(name === 'one' ? { corridor: corridors[0] ?? '' } : {}) })
  return {
    method: 'GET',
    path: `${endpoints[name]}?${query.toString()}`,
    headers: { authorization: `Bearer ${key}` },
    body: null,
    idempotencyKey: null,
    // One at a time: the milliseconds of an answer, not of a queue.
    connections: 1,
  }
}

export async function benchCalibration(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const) rows.push(...(await benchOn(bench, engine)))
  return rows
}

async function benchOn({ sizes, databases, loader, print }: Bench, engine: Engine): Promise<Row[]> {
  const database = await databases.fresh(engine)
  print(`calibration on ${engine}: storing ${days} days of ${corridorsCount} corridors`)
  await seed(database)
  const server = await startService(database, settings)
  const measure = (name: Name, warmUpMs: number, durationMs: number): Promise<Measured> =>
    loader.run(server, trafficOf(name, database.key), { warmUpMs, durationMs })
  for (const name of names) {
    const answer = JSON.parse(await requestOnce(server, trafficOf(name, database.key))) as Answer
    checkAnswer(name, answer)
    await measure(name, 0, sizes.readWarmUpMs)
  }
  const results: Record<Name, Measured[]> = { summary: [], all: [], one: [] }
  for (let round = 1; round <= sizes.readRounds; round += 1) {
    // The order alternates, so that none is always first.
    for (const name of round % 2 === 1 ? names : names.toReversed())
      results[name].push(await measure(name, roundWarmUpMs, sizes.roundMs))
    print(`calibration on ${engine}: round ${round} of ${sizes.readRounds}`)
  }
  await server.stop()
  await databases.discard(database)
  return (['all', 'one'] as const).map((name) => calibrationRow(engine, name, results))
}

function checkAnswer(name: Name, answer: Answer): void {
  const total = Number(name === 'summary' ? answer['total'] : answer['records'])
  if (total < days * 40) throw new Error(`${name} answered with ${total} decisions`)
}

/** Ratios compare with the summary in the same round. */
function calibrationRow(engine: Engine, name: 'all' | 'one', results: Record<Name, Measured[]>): Row {
  const own = results[name]
  const cpuUs = own.map(({ serverCpuUs }) => serverCpuUs).filter((value) => value !== null)
  const ratios = own.map(({ p50Ms }, round) => p50Ms / (results.summary[round]?.p50Ms ?? Number.NaN))
  const of = name === 'all' ? `${corridorsCount} corridors` : 'one corridor'
  return {
    group: 'calibration',
    row: `${engine}: a year of calibration of ${of}, relative to its summary`,
    value: medianOf(own.map(({ p50Ms }) => p50Ms)),
    unit: 'ms',
    ratio: spreadOf(ratios),
    target: { bound: 'at most', value: 0.5 },
    p50Ms: medianOf(own.map(({ p50Ms }) => p50Ms)),
    p99Ms: medianOf(own.map(({ p99Ms }) => p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { summaryMs: medianOf(results.summary.map(({ p50Ms }) => p50Ms)), rounds: results },
  }
}
