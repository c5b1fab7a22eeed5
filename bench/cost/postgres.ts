/** Reads PostgreSQL's resource use: CPU time of all its processes, write-ahead log, space, transactions, flushes. */

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const pollMs = 50
const waitMsMax = 30_000
/** Linux counts in ticks of ten milliseconds. */
const usPerTick = 10_000

/** Counters since the start of the server; only differences are meaningful. */
export interface Usage {
  readonly walBytes: number
  /** Full-page images in the log, written at the first change of a page after a checkpoint. */
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
  /** Exact only while the server is idle: a backend reports its counters after idling for a while, or when it ends. */
  usage(): Promise<Usage>
  /** Of the server and all its processes, including ended ones. Always exact; null if the system does not report it. */
  cpuUs(): number | null
  walBytes(): Promise<number>
  spaceByTable(): Promise<ReadonlyMap<string, Space>>
  connections(): Promise<number>
  /** Waits until the service's connections are closed. */
  disconnected(): Promise<void>
  close(): Promise<void>
}

const usageSql = `SELECT
  (SELECT wal_bytes FROM pg_stat_wal) AS wal_bytes,
  (SELECT wal_fpi FROM pg_stat_wal) AS page_images,
  (SELECT COALESCE(SUM(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend') AS flushes,
  (SELECT COALESCE(SUM(fsync_time), 0) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend') AS flush_ms,
  (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions`

// A partition counts towards its parent table.
const spaceSql = `SELECT COALESCE(p.relname, c.relname) AS name,
    SUM(pg_table_size(c.oid)) AS table_bytes, SUM(pg_indexes_size(c.oid)) AS index_bytes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' GROUP BY 1`

const connectionsSql = `SELECT COUNT(*) AS total FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'fairway'`

/** Call before the service starts: flushes are timed only for later connections. */
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
    async usage() {
      const row = await one(usageSql)
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
    async disconnected() {
      const startedMs = performance.now()
      while ((await connections()) > 0) {
        if (performance.now() - startedMs > waitMsMax)
          throw new Error('the service did not close its connections')
        await pause(pollMs)
      }
    },
    close: () => client.end(),
  }
}

interface ProcessStat {
  readonly parent: number
  readonly ownTicks: number
  /** CPU ticks of its ended children. */
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
