/** Shared parts of the webhook groups: receivers, a registered endpoint, and functions to fill and empty the outbox. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Bench } from '../bench.ts'
import { hasEnded, startNode, stopProcess } from '../harness/processes.ts'
import { startService, type Database, type Engine, type Server } from '../harness/service.ts'
import type { ReceiverMode, ReceiverQuery, ReceiverReport, RecordedRequest } from './receiver.ts'

const pollMs = 20
/** A wait that takes longer fails. */
const waitMsMax = 120_000

export interface Receiver {
  readonly port: number
  begin(recordMax?: number): Promise<void>
  count(): Promise<ReceiverReport>
  report(): Promise<ReceiverReport>
  recorded(): Promise<readonly RecordedRequest[]>
  /** Waits for this many requests since `begin` and returns the report. */
  arrived(requests: number): Promise<ReceiverReport>
  stop(): Promise<void>
}

export async function startReceiver(mode: ReceiverMode): Promise<Receiver> {
  const child = startNode(['bench/webhooks/receiver.ts', mode], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = await replyOf<{ port: number }>(child)
  const send = <Reply>(query: ReceiverQuery): Promise<Reply> => requestProcess<Reply>(child, query)
  const count = (): Promise<ReceiverReport> => send({ kind: 'count' })
  const report = (): Promise<ReceiverReport> => send({ kind: 'report' })
  return {
    port,
    begin: async (recordMax = 0) => void (await send({ kind: 'begin', recordMax })),
    count,
    report,
    recorded: () => send({ kind: 'recorded' }),
    async arrived(requests) {
      await until(`${requests} events at the receiver`, async () => (await count()).requests >= requests)
      return report()
    },
    stop: () => stopProcess(child),
  }
}

/** One query at a time: the next message is its answer. */
export function requestProcess<Reply>(child: ChildProcess, query: object): Promise<Reply> {
  const reply = replyOf<Reply>(child)
  // The reply reports an ended process. Without the callback, a failed send would end the benchmark.
  if (child.connected) child.send(query, () => undefined)
  return reply
}

async function replyOf<Reply>(child: ChildProcess): Promise<Reply> {
  const name = child.spawnargs.slice(1).join(' ')
  if (hasEnded(child)) throw new Error(`${name} has already ended`)
  const aborter = new AbortController()
  const { signal } = aborter
  try {
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error(`${name} ended`)
    })
    const [reply] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Reply]
    return reply
  } finally {
    aborter.abort()
  }
}

export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedMs > waitMsMax) throw new Error(`timed out waiting for ${what}`)
    await pause(pollMs)
  }
}

/** A service with its own database. */
export interface Sender {
  readonly database: Database
  readonly server: Server
  /** The receiver at its only endpoint, if any. */
  readonly receiver: Receiver | null
}

export interface CountingSender extends Sender {
  readonly receiver: Receiver
}

export async function startSender(bench: Bench, engine: Engine): Promise<Sender>
export async function startSender(bench: Bench, engine: Engine, mode: ReceiverMode): Promise<CountingSender>
export async function startSender(bench: Bench, engine: Engine, mode?: ReceiverMode): Promise<Sender> {
  const database = await bench.databases.fresh(engine)
  const server = await startService(database, { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' })
  if (mode === undefined) return { database, server, receiver: null }
  const receiver = await startReceiver(mode)
  await registerWebhook(server, database.key, receiver.port)
  return { database, server, receiver }
}

/** Stops the receiver first, so that hanging attempts fail at once and the service does not wait. */
export async function stopSender({ server, receiver }: Sender): Promise<void> {
  await receiver?.stop()
  await server.stop()
}

async function registerWebhook({ port }: Server, key: string, receiverPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/events` }),
  })
  if (response.status !== 200)
    throw new Error(`the webhook could not be registered: ${await response.text()}`)
}

/** Runs statements on the benchmark's database while the service runs; returns the rows of the last. */
export async function runSql(
  { engine, url }: Database,
  statements: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  let rows: readonly Readonly<Record<string, unknown>>[] = []
  if (engine === 'sqlite') {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 30_000 })
    try {
      for (const sql of statements) rows = database.prepare(sql).all()
    } finally {
      database.close()
    }
    return rows
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of statements) rows = (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
  return rows
}

/** Adds events of the first records to the outbox of these endpoints, all due now. */
export async function fillOutbox(database: Database, webhooks: string, eventsEach: number): Promise<void> {
  await runSql(database, [
    `INSERT INTO webhook_deliveries
        (webhook_id, event_id, event, request_id, created_at_ms, state, attempt, due_at_ms, attempts)
      SELECT w.webhook_id, 'evt_' || lower(substr(v.request_id, 10)), 'payment.decision.created', v.request_id,
        v.recorded_at_ms, 'pending', 1, ${Date.now()}, '[]'
      FROM (SELECT request_id, recorded_at_ms FROM verifications ORDER BY request_id LIMIT ${eventsEach}) v
        CROSS JOIN (SELECT webhook_id FROM webhooks WHERE ${webhooks}) w`,
  ])
}

/** Deletes the events and vacuums, so that no round is slowed by the one before. */
export async function emptyOutbox(database: Database, webhooks: string): Promise<void> {
  await runSql(database, [
    `DELETE FROM webhook_deliveries WHERE webhook_id IN (SELECT webhook_id FROM webhooks WHERE ${webhooks})`,
    database.engine === 'sqlite' ? 'PRAGMA wal_checkpoint(TRUNCATE)' : 'VACUUM ANALYZE webhook_deliveries',
  ])
}

export async function isOutboxDone(database: Database, webhooks: string): Promise<boolean> {
  const rows = await runSql(database, [
    `SELECT webhook_id FROM webhook_deliveries WHERE state = 'pending'
      AND webhook_id IN (SELECT webhook_id FROM webhooks WHERE ${webhooks}) LIMIT 1`,
  ])
  return rows.length === 0
}
