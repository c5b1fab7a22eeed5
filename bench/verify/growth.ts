/** Measures a verify in large stores relative to a small one. */

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { everydayBody, judgedRecords, type Bench } from '../bench.ts'
import type { Measured, Traffic } from '../harness/loader.ts'
import { medianOf, spreadOf, type Row } from '../report.ts'
import {
  onPostgres,
  startService,
  trafficOf,
  type Database,
  type Engine,
  type Server,
} from '../harness/service.ts'

const smallRecords = 1_000
const roundWarmUpMsMax = 100

interface Kind {
  readonly name: string
  readonly idempotencyKey: Traffic['idempotencyKey']
}

const kinds: readonly Kind[] = [
  { name: 'fresh', idempotencyKey: null },
  { name: 'fresh, a new key each', idempotencyKey: 'distinct' },
]

interface Stored {
  readonly records: number
  readonly database: Database
  readonly server: Server
  /** Deletes the records added after the seed, so that every round starts with the same number. */
  readonly trim: () => Promise<void>
  /** One list per kind. */
  readonly results: readonly Measured[][]
}

export async function benchGrowth(bench: Bench, engine: Engine): Promise<Row[]> {
  const { sizes, loader, print } = bench
  const small = await prepare(bench, engine, smallRecords)
  const large: Stored[] = []
  for (const records of sizes.growthRecords) large.push(await prepare(bench, engine, records))
  const stores = [small, ...large]

  async function run(stored: Stored, { idempotencyKey }: Kind, durationMs: number): Promise<Measured> {
    const traffic = trafficOf(stored.database.key, everydayBody, idempotencyKey)
    const warmUpMs = Math.min(roundWarmUpMsMax, durationMs / 5)
    const measured = await loader.run(stored.server, traffic, { warmUpMs, durationMs })
    await stored.trim()
    return measured
  }

  for (const stored of stores) {
    for (const kind of kinds) await run(stored, kind, sizes.warmUpMs)
  }
  for (let round = 1; round <= sizes.growthRounds; round += 1) {
    for (const [place, kind] of kinds.entries()) {
      // The order rotates with every round, so that no store is always first.
      const first = round % stores.length
      for (const stored of [...stores.slice(first), ...stores.slice(0, first)]) {
        stored.results[place]?.push(await run(stored, kind, sizes.growthRoundMs))
      }
    }
    if (round % 5 === 0 || round === sizes.growthRounds) {
      print(`growth on ${engine}: round ${round} of ${sizes.growthRounds}`)
    }
  }
  for (const { server } of stores) await server.stop()
  return kinds.flatMap(({ name }, place) => [
    growthRow(engine, name, small, place),
    ...large.map((stored) => growthRow(engine, name, stored, place, small)),
  ])
}

async function prepare({ databases }: Bench, engine: Engine, records: number): Promise<Stored> {
  const { database } = await databases.filled(engine, records)
  const trim = engine === 'sqlite' ? sqliteTrim(database.url) : await postgresTrim(database.url)
  await trim()
  const server = await startService(database)
  return { records, database, server, trim, results: kinds.map(() => []) }
}

const lastId = 'SELECT max(request_id) AS id FROM verifications'

/** Records are write-once, so the guarding trigger is dropped briefly. This is the benchmark's own file. */
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
      // The trigger that guards the records is disabled briefly, in the benchmark's own database.
      'ALTER TABLE verifications DISABLE TRIGGER verifications_no_change',
      `DELETE FROM idempotency_keys WHERE ${after}`,
      `DELETE FROM verifications WHERE ${after}`,
      'ALTER TABLE verifications ENABLE ALWAYS TRIGGER verifications_no_change',
      'VACUUM ANALYZE idempotency_keys',
      'VACUUM ANALYZE verifications',
      'CHECKPOINT',
    ])
}

const usOf = ({ requestsPerSecond }: Measured): number => 1_000_000 / requestsPerSecond

/** Ratios compare with the small store in the same round. The row of the small store has none. */
function growthRow(engine: Engine, kind: string, stored: Stored, place: number, small?: Stored): Row {
  const own = stored.results[place] ?? []
  const reference = small?.results[place]
  const cpuUs = own.map((result) => result.serverCpuUs).filter((value) => value !== null)
  const size = (records: number): string => records.toLocaleString('en-GB')
  return {
    group: 'growth',
    row: `${engine}: ${kind}, ${size(stored.records)} stored${small === undefined ? '' : `, relative to ${size(small.records)}`}`,
    value: medianOf(own.map(usOf)),
    unit: 'us a verify',
    ratio:
      reference === undefined
        ? null
        : spreadOf(own.map((result, round) => usOf(result) / usOf(reference[round] ?? result))),
    target: stored.records === judgedRecords ? { bound: 'at most', value: 1.2 } : null,
    p50Ms: medianOf(own.map((result) => result.p50Ms)),
    p99Ms: medianOf(own.map((result) => result.p99Ms)),
    serverCpuUs: cpuUs.length === 0 ? null : medianOf(cpuUs),
    detail: {
      records: stored.records,
      recordsAtRoundEnd: stored.records + medianOf(own.map((result) => result.requestsSent)),
      rounds: own,
    },
  }
}
