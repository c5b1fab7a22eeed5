/** Starts the real service (`node bin/fairway.js serve`) on its own database, with a key without an effective limit. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { freePort } from '../../test/helpers/process/free-port.ts'
import { verifyPath, type Target, type Traffic } from './loader.ts'
import {
  closeAtEnd,
  hasEnded,
  removeDirectory,
  runNode,
  startNode,
  stopProcess,
  temporaryDirectory,
} from './processes.ts'

const startMsMax = 30_000
const pollMs = 5
const cliMsMax = 60_000
const seedMsMax = 30 * 60_000

export type Engine = 'sqlite' | 'postgres'

export interface Server extends Target {
  /** From the start of the process to its first answer. */
  readonly startMs: number
  stop(): Promise<void>
}

/** A server and the traffic sent to it. */
export interface Contestant {
  readonly server: Server
  readonly traffic: Traffic
}

export interface Database {
  readonly engine: Engine
  readonly url: string
  /** The benchmark's API key. */
  readonly key: string
}

/** A database with records, and the time span in which they were recorded. */
export interface Filled {
  readonly database: Database
  readonly fromMs: number
  readonly toMs: number
}

/** Creates databases: SQLite files, or on one PostgreSQL server that starts on first use. */
export interface Databases {
  fresh(engine: Engine): Promise<Database>
  /** With this many records, half of the benchmark's key. Filled once per run: groups must delete what they add. */
  filled(engine: Engine, records: number): Promise<Filled>
  /** Deletes a database that is no longer needed. */
  discard(database: Database): Promise<void>
}

export function createDatabases(print: (line: string) => void = () => undefined): Databases {
  let server: Promise<string> | null = null
  let created = 0
  const full = new Map<string, Promise<Filled>>()

  async function fresh(engine: Engine): Promise<Database> {
    created += 1
    const name = `bench_${created}`
    if (engine === 'sqlite') return withKey(engine, `sqlite:${join(temporaryDirectory(), 'bench.db')}`)
    server ??= startSharedPostgres()
    const url = new URL(await server)
    await onPostgres(url.href, [`CREATE DATABASE ${name}`])
    url.pathname = `/${name}`
    return withKey(engine, url.href)
  }

  async function fillFresh(engine: Engine, records: number): Promise<Filled> {
    print(`${engine}: storing ${records.toLocaleString('en-GB')} records`)
    const database = await fresh(engine)
    const fromMs = Date.now()
    await fill(database, records)
    return { database, fromMs, toMs: Date.now() }
  }

  return {
    fresh,
    filled(engine, records) {
      const name = `${engine} ${records}`
      const filling = full.get(name) ?? fillFresh(engine, records)
      full.set(name, filling)
      return filling
    },
    async discard({ engine, url }) {
      if (engine === 'sqlite') return removeDirectory(dirname(url.slice('sqlite:'.length)))
      const admin = new URL(url)
      const name = admin.pathname.slice(1)
      admin.pathname = '/postgres'
      await onPostgres(admin.href, [`DROP DATABASE ${name} WITH (FORCE)`])
    },
  }
}

async function startSharedPostgres(): Promise<string> {
  const running = await startPostgres()
  closeAtEnd(() => running.stop())
  return running.url
}

export async function onPostgres(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

export async function withKey(engine: Engine, url: string): Promise<Database> {
  return { engine, url, key: await issueKey(url, 'test') }
}

/** Issues a key with its own owner. */
export async function issueKey(url: string, type: 'test' | 'live'): Promise<string> {
  const limit = ['--limit-verify', '100000000/1']
  const args = ['bin/fairway.js', 'keys', 'issue', '--type', type, '--owner', 'bench', ...limit, '--json']
  const issued = await runNode(args, { DATABASE_URL: url }, { timeoutMs: cliMsMax })
  return (JSON.parse(issued) as { key: string }).key
}

/** Stores the records; the benchmark's key owns half of them. */
async function fill(database: Database, records: number): Promise<void> {
  const args = ['bench/harness/seed.ts', database.url, String(records)]
  await runNode(args, {}, { timeoutMs: seedMsMax, showProgress: true })
}

const productionEntry = ['bin/fairway.js', 'serve'] as const

export async function startService(
  database: Pick<Database, 'url'>,
  settings: Readonly<Record<string, string>> = {},
  entry: readonly string[] = productionEntry,
): Promise<Server> {
  const port = await freePort()
  const logPath = join(temporaryDirectory(), 'service.log')
  const log = openSync(logPath, 'a')
  const startedMs = performance.now()
  const child = startNode(entry, {
    settings: { PORT: String(port), DATABASE_URL: database.url, LOG_LEVEL: 'info', ...settings },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  while (!(await answers(port))) {
    if (hasEnded(child) || performance.now() - startedMs > startMsMax) {
      await stopProcess(child)
      throw new Error(`the service did not start: ${readFileSync(logPath, 'utf8').slice(-1000)}`)
    }
    await pause(pollMs)
  }
  return serverOf(child, port, performance.now() - startedMs)
}

function serverOf(child: ChildProcess, port: number, startMs: number): Server {
  return { port, pid: child.pid ?? 0, startMs, stop: () => stopProcess(child) }
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

/** Starts one of the benchmark's own servers, which prints its port. */
export async function startBaseline(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const startedMs = performance.now()
  const child = startNode(args, { settings, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for (;;) {
    const port = /^port (\d+)$/m.exec(output)?.[1]
    if (port !== undefined) {
      child.stdout?.resume()
      return serverOf(child, Number(port), performance.now() - startedMs)
    }
    if (child.stdout === null) throw new Error('the baseline has no output')
    const ended = once(child, 'exit').then(() => {
      throw new Error('the baseline did not start')
    })
    const [chunk] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
    output += chunk.toString()
  }
}

export type Answer = Readonly<Record<string, unknown>>

export async function verifyOnce(server: Target, traffic: Traffic): Promise<Answer> {
  return JSON.parse(await requestOnce(server, traffic)) as Answer
}

/** Sends one request that is not measured. */
export async function requestOnce(server: Target, traffic: Traffic): Promise<string> {
  const path = traffic.path ?? verifyPath
  const { idempotencyKey, body } = traffic
  const key = idempotencyKey === 'distinct' ? crypto.randomUUID() : idempotencyKey?.always
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: traffic.method ?? 'POST',
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...traffic.headers,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body,
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
  return text
}

export function trafficOf(
  key: string,
  body: Readonly<Record<string, unknown>>,
  idempotencyKey: Traffic['idempotencyKey'] = null,
): Traffic {
  return { headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body), idempotencyKey }
}
