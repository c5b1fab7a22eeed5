/** What PostgreSQL has spent so far: processor time of all its processes, write-ahead log, space, transactions, flushes. */

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const pollMs = 50
const waitMsMax = 30_000
/** Linux counts in ticks of ten milliseconds. */
const usPerTick = 10_000

/** Since the start of the server, and so worth only as a difference. */
export interface Spent {
  readonly walBytes: number
  /** Whole pages in the log, each written at its first change after a checkpoint. */
  readonly walPageImages: number
  readonly walFlushes: number
  readonly walFlushMs: number
  readonly transactions: number
}

export interface Space {
  readonly tableBytes: number
  readonly indexBytes: number
}

export interface Watch {
  /** Exact only while nobody works: a backend tells what it did when it is idle for a while, or ends. */
  spent(): Promise<Spent>
  /** Of the server and all its processes, those that have ended too; exact at any time, null where the system does not tell. */
  cpuUs(): number | null
  walBytes(): Promise<number>
  spaceByTable(): Promise<ReadonlyMap<string, Space>>
  connections(): Promise<number>
  /** Waits until the service's connections are gone. */
  alone(): Promise<void>
  close(): Promise<void>
}

const spentSql = `SELECT
  (SELECT wal_bytes FROM pg_stat_wal) AS wal_bytes,
  (SELECT wal_fpi FROM pg_stat_wal) AS page_images,
  (SELECT COALESCE(SUM(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend') AS flushes,
  (SELECT COALESCE(SUM(fsync_time), 0) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend') AS flush_ms,
  (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions`

// A partition counts for the table that it is a part of.
const spaceSql = `SELECT COALESCE(p.relname, c.relname) AS name,
    SUM(pg_table_size(c.oid)) AS table_bytes, SUM(pg_indexes_size(c.oid)) AS index_bytes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' GROUP BY 1`

const connectionsSql = `SELECT COUNT(*) AS total FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'fairway'`

/** Before the service starts: flushes are timed for connections that are made from now on. */
export async function watchPostgres(url: string): Promise<Watch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const one = async (sql: string): Promise<Readonly<Record<string, unknown>>> =>
    (await client.query<Record<string, unknown>>(sql)).rows[0] ?? {}
  await client.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET track_wal_io_timing = on', current_database()); END $$`,
  )
  const backend = Number((await one('SELECT pg_backend_pid() AS pid'))['pid'])
  const server = statOf(backend)?.parent ?? 0
  const connections = async (): Promise<number> => Number((await one(connectionsSql))['total'])
  return {
    cpuUs: () => cpuUsBelow(server),
    walBytes: async () =>
      Number((await one(`SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`))['bytes']),
    async spent() {
      const row = await one(spentSql)
      return {
        walBytes: Number(row['wal_bytes']),
        walPageImages: Number(row['page_images']),
        walFlushes: Number(row['flushes']),
        walFlushMs: Number(row['flush_ms']),
        transactions: Number(row['transactions']),
      }
    },
    async spaceByTable() {
      const { rows } = await client.query<Record<string, string>>(spaceSql)
      return new Map(
        rows.map((row) => [
          String(row['name']),
          { tableBytes: Number(row['table_bytes']), indexBytes: Number(row['index_bytes']) },
        ]),
      )
    },
    connections,
    async alone() {
      const startedMs = performance.now()
      while ((await connections()) > 0) {
        if (performance.now() - startedMs > waitMsMax) throw new Error('the service kept its connections')
        await pause(pollMs)
      }
    },
    close: () => client.end(),
  }
}

interface ProcessStat {
  readonly parent: number
  readonly ownTicks: number
  /** Of its children that have ended. */
  readonly endedTicks: number
}

function statOf(pid: number | string): ProcessStat | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const at = (place: number): number => fields[place] ?? 0
    return { parent: at(1), ownTicks: at(11) + at(12), endedTicks: at(13) + at(14) }
  } catch {
    return null
  }
}

function cpuUsBelow(server: number): number | null {
  const own = statOf(server)
  if (own === null) return null
  let ticks = own.ownTicks + own.endedTicks
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null
    if (stat?.parent === server) ticks += stat.ownTicks
  }
  return ticks * usPerTick
}
