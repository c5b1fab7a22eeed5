/** The scale engine: a pool of connections to one PostgreSQL, shared by any number of instances. */

import pg from 'pg'
import { StoreUnavailable } from '../../../app/ports/store.ts'
import { changingWith, type Hashes } from './named-changes.ts'
import { sendGroup, type GroupAnswer } from './postgres-group.ts'
import { KeyTaken, type Driver } from './driver.ts'
import { keyTable } from '../records/idempotency.ts'
import type { Script, Statement, Transact } from './script.ts'

const connectionsMax = 10
const connectTimeoutMs = 3_000
/** A statement that takes longer is a store that does not answer; the caller hears 503 instead of waiting. */
const statementTimeoutMs = 5_000
const answerTimeoutMs = 7_000
/**
 * Where an instance is cut off in the middle of a transaction, the server would keep its locks for hours, and the others would
 * wait for them in vain. Shorter than a statement may take, so that whoever waits meanwhile still gets them.
 */
const silenceInTransactionMs = 4_000
/** The same for one that was cut off in the middle of a message: the server waits for the rest and does not call that idle. From PostgreSQL 17 on. */
const boundTransactions = `SELECT set_config(name, '${silenceInTransactionMs}', false)
  FROM pg_settings WHERE name = 'transaction_timeout'`
const attemptsMax = 4

const deadlock = '40P01'
const serializationFailure = '40001'
const checkViolation = '23514'
const uniqueViolation = '23505'

/** Bits of `pg_trigger.tgtype`. */
const before = 2
const rowBefore = before | 1
const onDelete = 8
const onUpdate = 16
const onTruncate = 32

const checks = {
  durable: `SELECT CAST(current_setting('synchronous_commit') <> 'off' AND current_setting('fsync') = 'on' AS integer) AS ok`,
  // Each partition has triggers of its own, and a trigger is as good as its kind, its condition and its function.
  guarded: `SELECT CAST(NOT EXISTS (
      SELECT 1 FROM (
          SELECT to_regclass(name) AS guarded, name
            FROM (VALUES ('verifications'), ('overrides'), ('cip_transitions'), ('outcomes'), ('log_blocks'), ('log_checkpoints')) AS roots (name)
          UNION ALL
          SELECT relid, 'verifications' FROM pg_partition_tree(to_regclass('verifications'))
        ) AS tables
        CROSS JOIN (VALUES ('_no_change', ${rowBefore | onDelete | onUpdate}), ('_no_truncate', ${before | onTruncate}))
          AS guards (ending, kind)
        WHERE NOT EXISTS (
          SELECT 1 FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = tables.guarded AND t.tgname = tables.name || guards.ending
              AND t.tgenabled = 'A' AND t.tgtype = guards.kind AND t.tgqual IS NULL
              AND p.prosrc ~ '^\\s*BEGIN RAISE EXCEPTION ''[a-z ]+ are write-once'' USING ERRCODE = ''restrict_violation''; END\\s*$')
    ) AS integer) AS ok`,
}

export interface PostgresOptions {
  readonly url: string
  readonly leafHashes: Hashes
  /** For work that may take as long as it takes: the schema. */
  readonly isPatient?: boolean
  /** Called when a connection is lost while idle; the pool makes a new one. */
  readonly onIdleError: (error: Error) => void
  /** Called when a row's partition is missing, before the transaction is tried again. */
  readonly onMissingPartition: (pool: pg.Pool) => Promise<void>
}

/** The pool, and an end that waits for nobody. */
function openPool({ url, isPatient, onIdleError }: PostgresOptions) {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'fairway',
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: silenceInTransactionMs,
    ...(isPatient === true
      ? { statement_timeout: 0 }
      : { statement_timeout: statementTimeoutMs, query_timeout: answerTimeoutMs }),
    keepAlive: true,
    types,
    // Durable whatever the server's own default is: an answer leaves after the write-ahead log is on disk.
    onConnect: async (client) => {
      await client.query('SET synchronous_commit TO on')
      if (isPatient !== true) await client.query(boundTransactions)
    },
  })
  pool.on('error', onIdleError)
  const open = new Set<Partial<Unwaited>>()
  pool.on('connect', (client: pg.PoolClient & Partial<Unwaited>) => {
    // A connection may be lost while a script holds it. Its query is told so; the event that tells it again, heard by
    // nobody, would end the process.
    client.on('error', ignore)
    open.add(client)
    client.once('end', () => open.delete(client))
  })
  return {
    pool,
    async close() {
      await pool.end()
      // A server that cannot be reached never says goodbye, and the process would wait for it.
      for (const client of open) client.unref?.()
    },
  }
}

export interface PostgresDriver extends Driver {
  readonly transact: Transact
  readonly pool: pg.Pool
}

export function openPostgres(options: PostgresOptions): PostgresDriver {
  const opened = openPool(options)
  const { pool } = opened
  const connect = (): Promise<pg.PoolClient> => translated(pool.connect())

  async function transactOnce<Result>(script: () => Script<Result>): Promise<Result> {
    const client = await connect()
    try {
      const result = await driveInTransaction(script(), (group) => translated(sendGroup(client, group)))
      client.release()
      return result
    } catch (error) {
      // A connection whose state is unknown is not given back; a refused statement only ends its transaction.
      const usable = !(error instanceof StoreUnavailable) && (await rollBack(client))
      client.release(!usable)
      throw error
    }
  }

  async function transact<Result>(script: () => Script<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transactOnce(script)
      } catch (error) {
        const again = isVoid(error) || isMissingPartition(error)
        if (!again || attempt === attemptsMax) throw error
        if (isMissingPartition(error)) await translated(options.onMissingPartition(pool))
      }
    }
  }

  async function read<Result>(script: () => Script<Result>): Promise<Result> {
    const client = await connect()
    try {
      const result = await drive(script(), (group) => translated(sendGroup(client, group)))
      client.release()
      return result
    } catch (error) {
      client.release(error instanceof StoreUnavailable)
      throw error
    }
  }

  return {
    pool,
    isShared: true,
    checks,
    inFlightMax: 2,
    read,
    transact,
    change: changingWith(transact, options.leafHashes),
    close: () => opened.close(),
  }
}

/** What the driver's clients have, and its types do not name. */
interface Unwaited {
  unref(): void
}

type Send = (statements: readonly Statement[]) => Promise<GroupAnswer>

/** Statements on their own, a group at a time. */
async function drive<Result>(script: Script<Result>, send: Send): Promise<Result> {
  let step = script.next()
  while (step.done !== true) step = script.next((await send(step.value)).rows)
  return step.value
}

const begin: Statement = { sql: 'BEGIN', values: [] }
const commit: Statement = { sql: 'COMMIT', values: [] }

/**
 * The beginning travels with the first group and the end with the last, where the script says which that is: they cost no
 * round trip. A group that is both is a transaction by itself.
 */
async function driveInTransaction<Result>(script: Script<Result>, send: Send): Promise<Result> {
  let step = script.next()
  let hasBegun = false
  let hasEnded = false
  while (step.done !== true) {
    const group = step.value
    const isLast = group.isLast === true
    const opening = hasBegun || isLast ? [] : [begin]
    const answer = await send([...opening, ...group, ...(isLast && hasBegun ? [commit] : [])])
    if (isLast && hasBegun) expectCommit(answer)
    hasEnded = isLast
    hasBegun = true
    step = script.next(answer.rows.slice(opening.length))
  }
  if (hasBegun && !hasEnded) expectCommit(await send([commit]))
  return step.value
}

function expectCommit({ lastCommand }: GroupAnswer): void {
  if (lastCommand !== 'COMMIT') throw new Error(`the transaction ended with ${lastCommand}`)
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

/** For those who ask the pool itself. int8 arrives as text; ours are milliseconds and counts, exact in a double. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8
      ? (value: string): number => Number(value)
      : pg.types.getTypeParser(oid, format),
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The server gave up this transaction so that another could go on: nothing of it happened. */
function isVoid(error: unknown): boolean {
  return codeOf(error) === deadlock || codeOf(error) === serializationFailure
}

/** A row without a partition breaks a check that has no name. */
function isMissingPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === checkViolation && error.constraint === undefined
}

function isTakenKey(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation && error.table === keyTable
}

/** Classes in which the server says that it cannot work: connection, log-in, no such database, resources, operator, system, read-only, a transaction that took too long. */
const unavailableClasses = /^(?:08|28|3D|53|57|58|XX|25006|25P0[34])/

/** What comes from the driver is a refusal of the server, or a connection that failed; a script's own faults are not touched. */
async function translated<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    if (isTakenKey(failure)) throw new KeyTaken(failure.message, { cause: failure })
    if (failure instanceof pg.DatabaseError && !unavailableClasses.test(codeOf(failure))) throw failure
    throw new StoreUnavailable(failure.message, { cause: failure })
  }
}

function ignore(): void {}
