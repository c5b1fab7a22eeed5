/** Measures reads over sixty monthly partitions relative to one, with equally many records. PostgreSQL only. */

import pg from 'pg'
import type { Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { runNode } from '../harness/processes.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import { requestOnce, onPostgres, startService, type Server } from '../harness/service.ts'

const manyMonths = 60
const records = 60_000
/** Spread over the complete history, so that every month is read. */
const idsCount = 600
const roundWarmUpMs = 100
const seedMsMax = 10 * 60_000
const unlimited = { FAIRWAY_LIMIT_KEYED: '100000000/1' }

/** The corridor FR-JP has a single record, in the oldest month. */
const endpoints: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'history, newest 50', path: '/api/verifications?limit=50' },
  { name: 'history, 50 before any record', path: '/api/verifications?limit=50&to={time}' },
  { name: 'history, newest 50 NO-GO', path: '/api/verifications?limit=50&decision=NO-GO' },
  { name: 'history, a corridor with one record', path: '/api/verifications?limit=50&corridor=FR-JP' },
  { name: 'audit', path: '/api/v1/audit/{id}' },
  { name: 'explanation', path: '/api/v1/decision/{id}/explanation' },
  { name: 'summary, 24 hours', path: '/api/v1/verifications/summary' },
]

interface Stored {
  readonly server: Server
  readonly traffics: readonly Traffic[]
}

interface Pair {
  readonly many: Measured
  readonly one: Measured
}

export async function benchPartitions(bench: Bench): Promise<Row[]> {
  const { sizes, loader, print } = bench
  const many = await prepare(bench, manyMonths)
  const one = await prepare(bench, 1)
  const pairs: Pair[][] = endpoints.map(() => [])
  const measure = (stored: Stored, place: number, warmUpMs: number, durationMs: number): Promise<Measured> =>
    loader.run(stored.server, stored.traffics[place] ?? fail(), { warmUpMs, durationMs })

  for (const place of endpoints.keys()) {
    for (const stored of [many, one]) await measure(stored, place, 0, sizes.readWarmUpMs)
  }
  for (let round = 1; round <= sizes.readRounds; round += 1) {
    for (const place of endpoints.keys()) {
      // The order alternates, so that neither store is always first.
      const order = round % 2 === 0 ? [many, one] : [one, many]
      const [first, second] = [
        await measure(order[0] ?? many, place, roundWarmUpMs, sizes.readRoundMs),
        await measure(order[1] ?? one, place, roundWarmUpMs, sizes.readRoundMs),
      ]
      pairs[place]?.push(round % 2 === 0 ? { many: first, one: second } : { many: second, one: first })
    }
    print(`partitions: round ${round} of ${sizes.readRounds}`)
  }
  for (const { server } of [many, one]) await server.stop()
  return endpoints.map(({ name }, place) => partitionsRow(name, pairs[place] ?? []))
}

function fail(): never {
  throw new Error('there is no such endpoint')
}

async function prepare({ databases, print }: Bench, months: number): Promise<Stored> {
  print(`partitions: storing ${records.toLocaleString('en-GB')} records in ${months} months`)
  const { url, key } = await databases.fresh('postgres')
  await runNode(
    ['bench/reads/partitions-seed.ts', url, String(records), String(months)],
    {},
    { timeoutMs: seedMsMax },
  )
  // Otherwise autovacuum would run during the rounds.
  await onPostgres(url, ['VACUUM ANALYZE', 'CHECKPOINT'])
  const sampled = await sampleOf(url)
  const server = await startService({ url }, unlimited)
  const traffics = endpoints.map(({ path }): Traffic => ({
    method: 'GET',
    headers: { authorization: `Bearer ${key}` },
    body: null,
    idempotencyKey: null,
    paths: pathsOf(path, sampled),
  }))
  for (const traffic of traffics) await requestOnce(server, { ...traffic, path: traffic.paths?.[0] ?? '' })
  return { server, traffics }
}

interface Sampled {
  readonly id: string
  readonly time: string
}

/** Evenly spaced records, oldest first. */
async function sampleOf(url: string): Promise<Sampled[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; at_ms: string }>(
      `SELECT request_id AS id, recorded_at_ms AS at_ms FROM (
          SELECT request_id, recorded_at_ms, row_number() OVER (ORDER BY request_id) AS place FROM verifications
        ) AS placed WHERE place % ${Math.floor(records / idsCount)} = 0 ORDER BY request_id`,
    )
    return rows.map(({ id, at_ms: atMs }) => ({ id, time: new Date(Number(atMs)).toISOString() }))
  } finally {
    await client.end()
  }
}

function pathsOf(path: string, sampled: readonly Sampled[]): string[] {
  if (!path.includes('{')) return [path]
  return sampled.map(({ id, time }) => path.replace('{id}', id).replace('{time}', time))
}

const usOf = ({ requestsPerSecond }: Measured): number => 1_000_000 / requestsPerSecond

/** Ratios compare with the single month in the same round. */
function partitionsRow(name: string, pairs: readonly Pair[]): Row {
  const many = pairs.map((pair) => pair.many)
  const cpuUs = many.map((result) => result.serverCpuUs).filter((value) => value !== null)
  return {
    group: 'partitions',
    row: `postgres: ${name}, ${manyMonths} months, relative to 1`,
    value: medianOf(many.map(usOf)),
    unit: 'us a request',
    ratio: spreadOf(pairs.map((pair) => usOf(pair.many) / usOf(pair.one))),
    target: null,
    p50Ms: medianOf(many.map((result) => result.p50Ms)),
    p99Ms: medianOf(many.map((result) => result.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: { oneMonthUs: medianOf(pairs.map((pair) => usOf(pair.one))), pairs },
  }
}
