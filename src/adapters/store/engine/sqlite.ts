/** The SQLite engine: one crash-safe file. A transaction runs synchronously, so no other code sees half of it. */

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { StoreRefusal, StoreUnavailable } from '../../../app/ports/store.ts'
import { migrations } from './migrations.ts'
import type { LeafHashes } from '../../../app/ports/log.ts'
import { createChange } from './named-changes.ts'
import { DuplicateIdempotencyKey, SyncFailed, type Driver } from './driver.ts'
import { keyTable } from '../records/idempotency.ts'
import { createLongRead } from './reads/long-reads.ts'
import type { Row, Script, SqlValue, Statement, Transact } from './script.ts'

/** How long another process may lock the file before it counts as unavailable. */
const busyTimeoutMs = 5_000
/** SQLite's busy wait blocks the thread. In the server thread each wait is short, so that requests run in between. */
const busyPauseMs = 25

const migrationSql = migrations.flatMap(({ sqlite }) => sqlite)
/** Tables that a migration dropped, with their triggers. */
const dropped = new Set(migrationSql.map((sql) => /^DROP TABLE (\w+)$/.exec(sql)?.[1]))
/** The write-once triggers, as text: SQLite stores the text of a trigger unchanged. */
const guards = migrationSql
  .filter((sql) => {
    const table = /^CREATE TRIGGER \w+_no_\w+ BEFORE \w+ ON (\w+)/.exec(sql)?.[1]
    return table !== undefined && !dropped.has(table)
  })
  .map((sql) => `'${sql.replaceAll("'", "''")}'`)
const checks = {
  durable: 'SELECT synchronous >= 2 AS ok FROM pragma_synchronous',
  guarded: `SELECT count(*) = ${guards.length} AS ok FROM sqlite_schema WHERE type = 'trigger' AND sql IN (${guards.join(', ')})`,
}

/** Extended result codes: fsync failed for the file or its directory. */
const syncCodes = new Set([1034, 1290])

/** Pages of the write-ahead log before a checkpoint; SQLite's own default. */
const walPagesMax = 1_000

/** Result codes about the file or the disk, not the statement: busy, locked, I/O, full, cannot open. */
const unavailableCodes = new Set([5, 6, 10, 13, 14])

/** Result codes of a file that a retry cannot mend: no permission, readonly, damaged, not a database. */
const refusalCodes = new Set([3, 8, 11, 26])

/** The result code of a statement that cannot be prepared, whatever the reason; the message has the reason. */
const generalError = 1
const schemaMessage =
  /^no such (?:table|column|index|view|function):? |has no column named |^ON CONFLICT clause does not match /

export interface SqliteDriver extends Driver {
  readonly transact: Transact
  /** Moves the write-ahead log into the database file, `always` or only if it is `long`. */
  readonly checkpoint: (when: 'always' | 'long') => Promise<void>
  readonly database: DatabaseSync
}

export interface SqliteOptions {
  readonly path: string
  readonly leafHashes: LeafHashes
  /** True in the writer thread: it blocks on a busy file and runs its own checkpoints. */
  readonly mayBlock?: boolean
  /** Creates and changes nothing, not even a file beside the database. */
  readonly isReadOnly?: boolean
  /** How long cleaning waits for the server to finish a transaction, or a reader to end. */
  readonly cleanTimeoutMs?: number
}

export function openSqlite(options: SqliteOptions): SqliteDriver {
  const { path, leafHashes, mayBlock = false, isReadOnly = false, cleanTimeoutMs = 60_000 } = options
  const database = isReadOnly ? openToRead(path) : openFile(path)
  // The settings above may have to wait for another starting process. From here on waits are short.
  if (!mayBlock) {
    database.exec(`PRAGMA busy_timeout=${busyPauseMs}`)
    // A command that erases overwrites what it deletes at once, before the file is cleaned as a whole.
    database.exec('PRAGMA secure_delete=on')
  } else {
    // SQLite's automatic checkpoints run inside a commit and do not report a failed fsync.
    database.exec('PRAGMA wal_autocheckpoint=0')
    // A statement that inserts several rows keeps the pages it changes, in a temporary file by default.
    database.exec('PRAGMA temp_store=MEMORY')
  }
  const prepared = new Map<string, Query>()

  function execute({ sql, values }: Statement): Row[] {
    let query = prepared.get(sql)
    if (query === undefined) {
      query = queryOf(database.prepare(inSqlite(sql)))
      prepared.set(sql, query)
    }
    return query(values)
  }

  function drive<Result>(script: Script<Result>): Result {
    let step = script.next()
    while (step.done !== true) step = script.next(step.value.map(execute))
    return step.value
  }

  /** PASSIVE: pages still needed by a reader are left for a later checkpoint. */
  function checkpointNow(when: 'always' | 'long'): void {
    const [status] = execute({ sql: 'PRAGMA wal_checkpoint(NOOP)', values: [] })
    if (when === 'always' || Number(status?.['log']) >= walPagesMax) {
      execute({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', values: [] })
    }
  }

  const transact: Transact = (script, { isRepeatable = false } = {}) => {
    const inOne = () => inTransaction(database, () => drive(script()))
    const run = () => attempt(() => (isRepeatable ? withoutFlush(database, inOne) : inOne()))
    return mayBlock ? run() : retryWhileBusy(run)
  }
  const read: Driver['read'] = (script) => attempt(() => drive(script()))
  return {
    database,
    isShared: false,
    checks,
    inFlightMax: 1,
    read,
    longRead: createLongRead(read),
    longReadsMax: 1,
    transact,
    checkpoint: (when) => attempt(() => checkpointNow(when)),
    change: createChange(transact, leafHashes),
    clean: () => attempt(() => cleanFile(database, cleanTimeoutMs)),
    close: () => attempt(() => database.close()),
  }
}

/** VACUUM writes every page anew, and the checkpoint empties the write-ahead log, which has the old ones. */
function cleanFile(database: DatabaseSync, timeoutMs: number): void {
  database.exec(`PRAGMA busy_timeout=${timeoutMs}`)
  try {
    database.exec('VACUUM')
    const [result] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
    if (result?.['busy'] !== 0) throw new StoreUnavailable('another process reads an old state of the file')
  } finally {
    database.exec(`PRAGMA busy_timeout=${busyPauseMs}`)
  }
}

function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The commit need not wait for the disk. The next one that does makes it durable, too. */
function withoutFlush<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('PRAGMA synchronous=NORMAL')
  try {
    return work()
  } finally {
    database.exec('PRAGMA synchronous=FULL')
  }
}

type Query = (values: readonly SqlValue[]) => Row[]

/**
 * Reads rows as arrays and builds objects of one shape. The driver's own row objects are in dictionary mode, which made
 * reading a page of history 50% slower.
 */
function queryOf(statement: StatementSync): Query {
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  const empty: Record<string, SqlValue> = Object.fromEntries(names.map((name) => [name, null]))
  return (values) =>
    (statement.all(...values) as unknown as SqlValue[][]).map((cells) => {
      const row = { ...empty }
      for (let place = 0; place < names.length; place += 1) row[names[place] ?? ''] = cells[place] ?? null
      return row
    })
}

/**
 * Translates a shared statement for SQLite. Row locks are removed, because a writer locks the file. Numbered parameters
 * are bound by name, which costs more than the insert in a large batch. So parameters that appear in order, each once,
 * become plain `?`.
 */
export function inSqlite(sql: string): string {
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const inOrder = numbers.every((number, place) => number === place + 1)
  return sql.replace(/ FOR UPDATE(?: SKIP LOCKED)?/, '').replaceAll(/\$(\d+)/g, inOrder ? '?' : '?$1')
}

function openFile(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // SQLite opens a read-only file without an error.
    if (existsSync(path)) accessSync(path, constants.W_OK)
    // Created as 0600, because it holds webhook secrets. SQLite gives its WAL file the same mode.
    else closeSync(openSync(path, 'a', 0o600))
    const database = new DatabaseSync(path)
    for (const setting of [
      `busy_timeout=${busyTimeoutMs}`,
      'journal_mode=WAL',
      'synchronous=FULL',
      'recursive_triggers=on',
    ]) {
      database.exec(`PRAGMA ${setting}`)
    }
    return database
  } catch (error) {
    throw new StoreUnavailable(`cannot open ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * A reader makes the files of the write-ahead log if they are missing. Where no process has the database open, there is
 * no log to read, and the file is read as one that nobody changes.
 */
function openToRead(path: string): DatabaseSync {
  try {
    const file = realpathSync(path)
    const url = pathToFileURL(file)
    const hasLog = existsSync(`${file}-wal`)
    if (hasLog && !existsSync(`${file}-shm`))
      throw new Error(`${file}-wal is left from a crash or a copy, which the next start recovers`)
    if (!hasLog) url.searchParams.set('immutable', '1')
    const database = new DatabaseSync(url, { readOnly: true })
    database.exec('PRAGMA synchronous=FULL')
    return database
  } catch (error) {
    throw new StoreUnavailable(`cannot open ${path}: ${(error as Error).message}`, { cause: error })
  }
}

function attempt<Result>(work: () => Result): Promise<Result> {
  try {
    return Promise.resolve(work())
  } catch (error) {
    return Promise.reject(translate(error))
  }
}

/** Retries while another process is writing, up to the busy timeout. */
async function retryWhileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedMs >= busyTimeoutMs) throw error
      await setTimeout(busyPauseMs)
    }
  }
}

const busy = 5

function isBusy(error: unknown): boolean {
  return error instanceof StoreUnavailable && resultCode(error.cause) === busy
}

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}

/** Extended result codes: a primary key or unique constraint is violated. */
const duplicateCodes = new Set([1555, 2067])

function isKeyTaken(error: Error): boolean {
  return 'errcode' in error && duplicateCodes.has(Number(error.errcode)) && error.message.includes(keyTable)
}

function isSyncFailure(error: Error): boolean {
  return 'errcode' in error && syncCodes.has(Number(error.errcode))
}

function isRefusal(error: Error): boolean {
  const code = resultCode(error)
  return refusalCodes.has(code) || (code === generalError && schemaMessage.test(error.message))
}

function translate(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error))
  if (isKeyTaken(failure)) return new DuplicateIdempotencyKey(failure.message, { cause: failure })
  if (isSyncFailure(failure)) return new SyncFailed(failure.message, { cause: failure })
  if (isRefusal(failure)) return new StoreRefusal(failure.message, { cause: failure })
  return unavailableCodes.has(resultCode(failure))
    ? new StoreUnavailable(failure.message, { cause: failure })
    : failure
}
