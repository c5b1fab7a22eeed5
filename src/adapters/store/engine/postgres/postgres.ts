/** The PostgreSQL engine: a connection pool to one database, shared by any number of instances. */

import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { StoreRefusal, StoreUnavailable } from '../../../../app/ports/store.ts'
import type { LeafHashes } from '../../../../app/ports/log.ts'
import { migrations } from '../migrations.ts'
import { createChange } from '../named-changes.ts'
import { DuplicateIdempotencyKey, LookFirst, type Driver } from '../driver.ts'
import { hasAdmissions, lookFirstCode } from '../../records/commit-ahead.ts'
import { keyTable } from '../../records/idempotency.ts'
import { createLongRead } from '../reads/long-reads.ts'
import type { Script, Statement, Transact } from '../script.ts'
import { openConnections, type ConnectionOptions } from './connections.ts'
import { rowsBefore, sendGroup, type GroupAnswer } from './group.ts'

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

const migrationSql = migrations.flatMap(({ postgres }) => postgres)
/** Tables that a migration dropped, with their triggers. */
const dropped = new Set(migrationSql.map((sql) => /^DROP TABLE (\w+)$/.exec(sql)?.[1]))
/** The tables whose rows are never changed. */
const guardedTables = migrationSql
  .map((sql) => /^CREATE TRIGGER (\w+)_no_change BEFORE/.exec(sql)?.[1])
  .filter((name) => name !== undefined && !dropped.has(name))

const checks = {
  durable: `SELECT CAST(current_setting('synchronous_commit') <> 'off' AND current_setting('fsync') = 'on' AS integer) AS ok`,
  // Checks every partition, and each trigger's events, condition and function.
  guarded: `SELECT CAST(NOT EXISTS (
      SELECT 1 FROM (
          SELECT to_regclass(name) AS guarded, name
            FROM (VALUES ${guardedTables.map((name) => `('${name}')`).join(', ')}) AS roots (name)
          UNION ALL
          SELECT relid, 'verifications' FROM pg_partition_tree(to_regclass('verifications'))
        ) AS tables
        CROSS JOIN (VALUES ('_no_change', ${rowBefore | onDelete | onUpdate}), ('_no_truncate', ${before | onTruncate}))
          AS guards (suffix, kind)
        WHERE NOT EXISTS (
          SELECT 1 FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = tables.guarded AND t.tgname = tables.name || guards.suffix
              AND t.tgenabled = 'A' AND t.tgtype = guards.kind AND t.tgqual IS NULL
              AND p.prosrc ~ '^\\s*BEGIN RAISE EXCEPTION ''[a-z ]+ are write-once'' USING ERRCODE = ''restrict_violation''; END\\s*$')
    ) AS integer) AS ok`,
}

export interface PostgresOptions extends ConnectionOptions {
  readonly leafHashes: LeafHashes
  /** Called when a row's partition is missing, before the transaction is retried. */
  readonly onMissingPartition: (pool: pg.Pool) => Promise<void>
  /** How long cleaning waits for those who may still read what was deleted. */
  readonly cleanTimeoutMs?: number
}

export interface PostgresDriver extends Driver {
  readonly transact: Transact
  readonly pool: pg.Pool
}

export function openPostgres(options: PostgresOptions): PostgresDriver {
  const opened = openConnections(options)
  const { pool } = opened
  const connect = (): Promise<pg.PoolClient> => translated(opened.connect())

  async function transactOnce<Result>(
    script: () => Script<Result>,
    opening: readonly Statement[],
  ): Promise<Result> {
    const client = await connect()
    try {
      const send: Send = (group) => translated(sendGroup(client, group))
      const result = await driveInTransaction(script(), send, opening)
      client.release()
      return result
    } catch (error) {
      client.release(!(await isUsableAfter(error, client)))
      throw error
    }
  }

  const transact: Transact = async (script, { isRepeatable = false, isOnce = false } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transactOnce(script, isRepeatable ? [begin, doNotWaitForDisk] : [begin])
      } catch (error) {
        if (isOnce) throw lookFirst(error)
        const canRetry = isRolledBack(error) || isMissingPartition(error)
        if (!canRetry || attempt === attemptsMax) throw error
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
    longRead: createLongRead(read),
    longReadsMax: 4,
    transact,
    change: createChange(transact, options.leafHashes),
    clean: () => vacuum(options),
    close: () => opened.close(),
  }
}

const cleanPauseMs = 500

/** Vacuums the tables with personal text, without a time limit. Old statistics hold samples of it: they are made anew. */
async function vacuum({ cleanTimeoutMs = 60_000, ...options }: PostgresOptions): Promise<void> {
  const opened = openConnections({ ...options, hasNoTimeouts: true })
  const startedMs = performance.now()
  try {
    while (!(await translated(isVacuumed(opened.pool)))) {
      if (performance.now() - startedMs >= cleanTimeoutMs)
        throw new StoreUnavailable(
          'VACUUM left deleted rows: an open transaction, a standby or a replication slot may still read them, or the role does not own the tables',
        )
      await setTimeout(cleanPauseMs)
    }
    await translated(
      opened.pool.query(`VACUUM (ANALYZE) ${textTables}, idempotency_keys, webhook_deliveries`),
    )
  } finally {
    await opened.close()
  }
}

/** Erasures and reports that go leave dead rows in them, and little else does. */
const textTables = 'personal_texts, batch_reports'
const vacuumedSql = `SELECT CAST(SUM(vacuum_count) AS integer) AS times, CAST(SUM(n_dead_tup) AS integer) AS dead
  FROM pg_stat_user_tables WHERE relid IN ('personal_texts'::regclass, 'batch_reports'::regclass)`

/** Whether `VACUUM` removed all dead rows. It says nothing if it skips a table, or leaves rows that somebody may still read. */
async function isVacuumed(pool: pg.Pool): Promise<boolean> {
  const vacuumed = async () =>
    (await pool.query<{ times: number; dead: number }>(vacuumedSql)).rows[0] ?? { times: 0, dead: 0 }
  const earlier = await vacuumed()
  await pool.query(`VACUUM ${textTables}`)
  const { times, dead } = await vacuumed()
  return times >= earlier.times + 2 && dead === 0
}

type Send = (statements: readonly Statement[]) => Promise<GroupAnswer>

/** Runs a script without a transaction, one group at a time. */
async function drive<Result>(script: Script<Result>, send: Send): Promise<Result> {
  let step = script.next()
  while (step.done !== true) step = script.next((await send(step.value)).rows)
  return step.value
}

const begin: Statement = { sql: 'BEGIN', values: [] }
const commit: Statement = { sql: 'COMMIT', values: [] }
const doNotWaitForDisk: Statement = { sql: 'SET LOCAL synchronous_commit TO off', values: [] }

/**
 * Sends the beginning with the first group and COMMIT with the last, if the script marks it, which saves round trips. A group
 * that is both needs neither: the server runs it as a transaction.
 */
async function driveInTransaction<Result>(
  script: Script<Result>,
  send: Send,
  beginning: readonly Statement[],
): Promise<Result> {
  let step = script.next()
  let hasBegun = false
  let hasEnded = false
  while (step.done !== true) {
    const group = step.value
    const isLast = group.isLast === true
    const opening = hasBegun || isLast ? [] : beginning
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
  if (lastCommand !== 'COMMIT')
    throw new Error(`expected COMMIT, but the transaction ended with ${lastCommand}`)
}

/** A connection in an unknown state is closed. After a refused statement, a rollback makes it usable again. */
async function isUsableAfter(error: unknown, client: pg.PoolClient): Promise<boolean> {
  // `fairway_proceed` is called outside of a transaction block, so its refusal has ended everything.
  if (error instanceof LookFirst && !(error instanceof DuplicateIdempotencyKey)) return true
  return !(error instanceof StoreUnavailable) && (await rollBack(client))
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The server rolled back this transaction because of a conflict with another; it is safe to retry. */
function isRolledBack(error: unknown): boolean {
  return codeOf(error) === deadlock || codeOf(error) === serializationFailure
}

/** A row without a partition violates a check without a name. */
function isMissingPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === checkViolation && error.constraint === undefined
}

function isKeyTaken(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation && error.table === keyTable
}

/**
 * Errors that mean the server is unavailable: connection, authentication, no such database, resources, operator
 * intervention, system, read-only, transaction timeout.
 */
const unavailableClasses = /^(?:08|28|3D|53|57|58|XX|25006|25P0[34])/

/**
 * Errors that a retry cannot mend: no right, no such table, column, function or schema, a damaged table or index. A syntax
 * error is a bug of ours.
 */
const refusalClasses = /^(?:42(?!601)|3F|XX00[12])/

/** Turns driver errors into `LookFirst`, `KeyTaken`, `StoreRefusal` or `StoreUnavailable`; other server errors pass unchanged. */
async function translated<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    const groups = rowsBefore.get(failure) ?? []
    if (isKeyTaken(failure)) throw new DuplicateIdempotencyKey(failure.message, { cause: failure, groups })
    if (codeOf(failure) === lookFirstCode) throw new LookFirst(failure.message, { cause: failure, groups })
    if (failure instanceof pg.DatabaseError && refusalClasses.test(codeOf(failure))) {
      const refusal = new StoreRefusal(failure.message, { cause: failure })
      rowsBefore.set(refusal, groups)
      throw refusal
    }
    if (failure instanceof pg.DatabaseError && !unavailableClasses.test(codeOf(failure))) throw failure
    throw new StoreUnavailable(failure.message, { cause: failure })
  }
}

/** A refusal may concern one command alone, so each looks and commits by itself; without an admission nothing can go on. */
function lookFirst(error: unknown): unknown {
  if (error instanceof LookFirst || !(error instanceof Error)) return error
  const groups = rowsBefore.get(error) ?? []
  const isRefused = error instanceof StoreRefusal
  if (isRefused ? !hasAdmissions(groups) : error instanceof StoreUnavailable) return error
  return new LookFirst(error.message, { cause: error, groups })
}
