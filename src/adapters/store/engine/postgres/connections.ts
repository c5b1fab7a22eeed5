/** Connections to the primary of PostgreSQL: how each is set up, and which servers are refused. */

import pg from 'pg'
import { sendGroup } from './group.ts'

const connectionsMax = 10
const connectTimeoutMs = 3_000
/** After this, the store counts as unavailable and the caller gets 503. */
const statementTimeoutMs = 5_000
const answerTimeoutMs = 7_000
/**
 * If an instance is cut off during a transaction, the server would hold its locks for hours. Shorter than the statement
 * timeout, so that a waiting transaction still gets the lock.
 */
const idleInTransactionTimeoutMs = 4_000
/** Covers a connection cut off in the middle of a message, which the server does not count as idle. PostgreSQL 17+. */
const setTransactionTimeout = `(SELECT set_config(name, '${idleInTransactionTimeoutMs}', false)
  FROM pg_settings WHERE name = 'transaction_timeout')`
/**
 * Overrides the server's default: a response is sent only after the write-ahead log is on disk, on the synchronous standby,
 * too, if there is one. The timeline grows with each promotion, and a standby has none of its own. A run ends with a restart
 * or with a crash of one of the server's processes, after which it begins to count anew.
 */
const setUp = `SELECT set_config('synchronous_commit', 'on', false),
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline,
  concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) AS run`
/**
 * A server that was restarted also shows commits that its standby has not confirmed. This commit is confirmed after all of
 * them. It writes to the log alone, to no table.
 */
const confirm = { sql: `SELECT pg_logical_emit_message(true, 'fairway', 'confirm')`, values: [] }

export interface ConnectionOptions {
  readonly url: string
  /** For migrations and partition moves, which may take long. */
  readonly hasNoTimeouts?: boolean
  /** Reads alone, from a standby, too. Nothing is written, not even to the server's log. */
  readonly isReadOnly?: boolean
  /** Called when an idle connection is lost; the pool opens a new one. */
  readonly onIdleError: (error: Error) => void
}

/** A method of pg's clients that its types omit. */
interface Unrefable {
  unref(): void
}

/** As durable as any other connection would be, which the self-check reads. */
const setUpToRead = `SELECT set_config('synchronous_commit', 'on', false),
  set_config('default_transaction_read_only', 'on', false)`

/** Admits connections to any server, to look at it. */
const anyServer: ReturnType<typeof createTimelines> = {
  isNewest: () => true,
  async admit(client) {
    await client.query(setUpToRead)
  },
}

/** Admits connections to the newest primary that this process knows of, once it has confirmed a commit. */
function createTimelines(setUpSql: string) {
  const timelines = new WeakMap<pg.ClientBase, number>()
  let newest = 0
  let confirmed = 0
  let confirmedRun = ''
  return {
    isNewest: (client: pg.ClientBase): boolean => timelines.get(client) === newest,
    async admit(client: pg.ClientBase): Promise<void> {
      const { rows } = await client.query<{ timeline: string | null; run: string }>(setUpSql)
      const timeline = Number.parseInt(rows[0]?.timeline ?? '0', 16)
      const run = `${timeline} ${rows[0]?.run}`
      if (timeline === 0) throw new Error('PostgreSQL: this server is a standby')
      if (timeline < newest) throw new Error('PostgreSQL: this server was the primary before another one')
      if (run !== confirmedRun) await confirmOn(client, timeline, run)
      timelines.set(client, timeline)
    },
  }

  /** Connections to an earlier primary wait meanwhile. They go on if this server confirms nothing: it may have been promoted by mistake. */
  async function confirmOn(client: pg.ClientBase, timeline: number, run: string): Promise<void> {
    newest = timeline
    try {
      // Fails also if the wait for the standby is cancelled, which the server reports as done.
      await sendGroup(client, [confirm])
      confirmed = Math.max(confirmed, timeline)
      confirmedRun = run
    } finally {
      newest = Math.max(confirmed, newest === timeline ? 0 : newest)
    }
  }
}

/** The part of a client that its types omit. */
interface Connected {
  readonly connection: { readonly stream: { destroy(): void } }
}

/** A client that fails to connect closes its connection, which the library leaves open until the server gives up. */
export class ClosingClient extends pg.Client {
  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | void {
    if (callback === undefined)
      return (super.connect() as Promise<this>).catch((error: Error) => {
        throw this.#closed(error)
      })
    super.connect((error: Error | null) => callback(error === null ? null : this.#closed(error)))
  }

  #closed(error: Error): Error {
    ;(this as unknown as Connected).connection.stream.destroy()
    return isPasswordMissing(error)
      ? new Error('the server asks for a password, and none is set', { cause: error })
      : error
  }
}

/** Errors of the library itself, for each way to send a password. With MD5 the server refuses the wrong one. */
const isPasswordMissing = ({ message }: Error): boolean =>
  /client password must be a |password returned by client/.test(message)

/** The network has no way to the server, or nobody listens there yet. */
const unreachable = /^E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN)$/
/** The server starts, stops, recovers, or has no connection left. */
const notServing = /^(?:08...|57P0[123]|53300)$/
/** Errors of the library and of this file, which have no code. */
const notAnswering = /^Connection terminated|^timeout e|this server (?:is a standby|was the primary)/

/** Whether the server may answer later. A refused password or a missing database needs a person. */
export function isServerDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unreachable.test(code) || notServing.test(code) || (code === '' && notAnswering.test(error.message))
}

/** Opens the pool. Its `close` does not wait for an unreachable server. */
export function openConnections({ url, hasNoTimeouts, isReadOnly, onIdleError }: ConnectionOptions) {
  const timelines =
    isReadOnly === true
      ? anyServer
      : createTimelines(hasNoTimeouts === true ? setUp : `${setUp}, ${setTransactionTimeout}`)
  const pool = new pg.Pool({
    Client: ClosingClient,
    connectionString: url,
    application_name: 'fairway',
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    ...(hasNoTimeouts === true
      ? { statement_timeout: 0 }
      : { statement_timeout: statementTimeoutMs, query_timeout: answerTimeoutMs }),
    keepAlive: true,
    types,
    onConnect: (client) => timelines.admit(client),
  })
  pool.on('error', onIdleError)
  const open = new Set<Partial<Unrefable>>()
  pool.on('connect', (client: pg.PoolClient & Partial<Unrefable>) => {
    // A connection lost during a script rejects its query. The client also emits `error`, which would end the process
    // without a listener.
    client.on('error', ignore)
    open.add(client)
    client.once('end', () => open.delete(client))
  })
  return {
    pool,
    /** A connection to the newest primary that this process knows of. Those to an earlier one are closed. */
    async connect(): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect()
        if (timelines.isNewest(client)) return client
        client.release(true)
      }
    },
    async close() {
      await pool.end()
      // An unreachable server never closes the connection, which would keep the process alive.
      for (const client of open) client.unref?.()
    },
  }
}

/** For queries sent directly to the pool. int8 arrives as text; the values are exact in a double. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8
      ? (value: string): number => Number(value)
      : pg.types.getTypeParser(oid, format),
}

function ignore(): void {}
