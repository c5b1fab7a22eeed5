/** What a verify costs in a large store beside what it costs in a small one. */

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { everydayBody, judgedRecords, type Bench } from './bench.ts'
import type { Measured, Traffic } from './loader.ts'
import { medianOf, spreadOf, type Row } from './report.ts'
import {
  fill,
  onPostgres,
  startService,
  trafficOf,
  type Database,
  type Engine,
  type Server,
} from './service.ts'

const smallRecords = 1_000
const roundWarmUpMs = 100

const kinds: readonly { readonly name: string; readonly idempotencyKey: Traffic['idempotencyKey'] }[] = [
  { name: 'fresh', idempotencyKey: null },
  { name: 'fresh, a new key each', idempotencyKey: 'distinct' },
]

interface Stored {
  readonly records: number
  readonly database: Database
  readonly server: Server
  /** Takes away what came after the seed, so that every round starts with the same number of records. */
  readonly trim: () => Promise<void>
}

interface Pair {
  readonly small: Measured
  readonly large: Measured
}

export async function benchGrowth(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, say } = bench
  const small = await prepare(bench, engine, smallRecords)
  const large = await prepare(bench, engine, sizes.growthRecords)
  const pairs: Pair[][] = kinds.map(() => [])

  async function measure(stored: Stored, kind: (typeof kinds)[number]): Promise<Measured> {
    const traffic = trafficOf(stored.database.key, everydayBody, kind.idempotencyKey)
    const bound = { warmUpMs: roundWarmUpMs, durationMs: sizes.growthRoundMs }
    const measured = await loader.run(stored.server, traffic, bound)
    await stored.trim()
    return measured
  }

  for (const stored of [small, large]) {
    for (const { idempotencyKey } of kinds) {
      const traffic = trafficOf(stored.database.key, everydayBody, idempotencyKey)
      await loader.run(stored.server, traffic, { warmUpMs: 0, durationMs: sizes.warmUpMs })
    }
    await stored.trim()
  }
  for (let round = 1; round <= sizes.growthRounds; round += 1) {
    for (const [place, kind] of kinds.entries()) {
      // The order turns with every round, so that neither store always comes first.
      const first = await measure(round % 2 === 0 ? small : large, kind)
      const second = await measure(round % 2 === 0 ? large : small, kind)
      pairs[place]?.push(round % 2 === 0 ? { small: first, large: second } : { small: second, large: first })
    }
    if (round % 5 === 0 || round === sizes.growthRounds) {
      say(`growth on ${engine}: round ${round} of ${sizes.growthRounds}`)
    }
  }
  for (const stored of [small, large]) await stored.server.stop()
  return kinds.map((kind, place) => growthRow(engine, kind.name, large.records, pairs[place] ?? []))
}

async function prepare({ databases, say }: Bench, engine: Engine, records: number): Promise<Stored> {
  say(`growth on ${engine}: storing ${records.toLocaleString('en-GB')} records`)
  const database = await databases.fresh(engine)
  await fill(database, records)
  const trim = engine === 'sqlite' ? sqliteTrim(database.url) : await postgresTrim(database.url)
  await trim()
  return { records, database, server: await startService(database), trim }
}

const lastId = 'SELECT max(request_id) AS id FROM verifications'

/** Records are write-once, so the guard is lifted for the moment; this is the bench's own file. */
function sqliteTrim(url: string): () => Promise<void> {
  const path = url.slice('sqlite:'.length)
  const withDatabase = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(path, { timeout: 30_000 })
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const last = withDatabase((database) => String(database.prepare(lastId).get()?.['id']))
  const guard = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'verifications_no_delete'"
  const trim = (database: DatabaseSync): void => {
    const guardSql = String(database.prepare(guard).get()?.['sql'])
    database.exec('BEGIN IMMEDIATE; DROP TRIGGER verifications_no_delete')
    for (const table of ['idempotency_keys', 'verifications']) {
      database.prepare(`DELETE FROM ${table} WHERE request_id > ?`).run(last)
    }
    database.exec(`${guardSql}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`)
  }
  return () => Promise.resolve(withDatabase(trim))
}

async function postgresTrim(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(lastId)
  await client.end()
  const after = `request_id > '${rows[0]?.id ?? ''}'`
  return () =>
    onPostgres(url, [
      // On the bench's own database, the triggers that guard the records rest for a moment.
      'ALTER TABLE verifications DISABLE TRIGGER verifications_no_change',
      `DELETE FROM idempotency_keys WHERE ${after}`,
      `DELETE FROM verifications WHERE ${after}`,
      'ALTER TABLE verifications ENABLE ALWAYS TRIGGER verifications_no_change',
      'VACUUM ANALYZE idempotency_keys',
      'VACUUM ANALYZE verifications',
      'CHECKPOINT',
    ])
}

function growthRow(engine: Engine, kind: string, records: number, pairs: readonly Pair[]): Row {
  const usOf = ({ requestsPerSecond }: Measured): number => 1_000_000 / requestsPerSecond
  const large = pairs.map((pair) => pair.large)
  const cpuUs = large.map((result) => result.serverCpuUs).filter((value) => value !== null)
  return {
    group: 'growth',
    row: `${engine}: ${kind}, ${records.toLocaleString('en-GB')} stored, to ${smallRecords.toLocaleString('en-GB')}`,
    value: medianOf(large.map(usOf)),
    unit: 'us a verify',
    ratio: spreadOf(pairs.map((pair) => usOf(pair.large) / usOf(pair.small))),
    target: records < judgedRecords ? null : { bound: 'at most', value: 1.2 },
    p50Ms: medianOf(large.map((result) => result.p50Ms)),
    p99Ms: medianOf(large.map((result) => result.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: {
      smallUs: medianOf(pairs.map((pair) => usOf(pair.small))),
      smallRecordsAtRoundEnd: smallRecords + medianOf(pairs.map((pair) => pair.small.requestsSent)),
      pairs,
    },
  }
}
