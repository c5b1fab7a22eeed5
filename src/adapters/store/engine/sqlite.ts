/** The embedded engine: one file, crash-safe. A transaction runs without a pause, so nobody sees half of it. */

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { StoreUnavailable } from '../../../app/ports/store.ts'
import { migrations } from './migrations.ts'
import { changingWith, type Hashes } from './named-changes.ts'
import { KeyTaken, SyncFailed, type Driver } from './driver.ts'
import { keyTable } from '../records/idempotency.ts'
import type { Row, Script, SqlValue, Statement, Transact } from './script.ts'

/** How long another process may hold the file before it counts as unavailable. */
const busyTimeoutMs = 5_000
/** SQLite waits with the whole thread: where requests are served, never longer than this at once, and they go on in between. */
const busyPauseMs = 25

const written = migrations.flatMap(({ sqlite }) => sqlite)
/** Gone with their guards. */
const dropped = new Set(written.map((sql) => /^DROP TABLE (\w+)$/.exec(sql)?.[1]))
/** The guards as the migrations wrote them, to the letter: SQLite keeps the text. */
const guards = written
  .filter((sql) => {
    const table = /^CREATE TRIGGER \w+_no_\w+ BEFORE \w+ ON (\w+)/.exec(sql)?.[1]
    return table !== undefined && !dropped.has(table)
  })
  .map((sql) => `'${sql.replaceAll("'", "''")}'`)
const checks = {
  durable: 'SELECT synchronous >= 2 AS ok FROM pragma_synchronous',
  guarded: `SELECT count(*) = ${guards.length} AS ok FROM sqlite_schema WHERE type = 'trigger' AND sql IN (${guards.join(', ')})`,
}

/** Extended result codes: the file, or the folder that it is in, could not be brought to the disk. */
const syncCodes = new Set([1034, 1290])

/** How long SQLite's write-ahead log may get, in pages, before it is moved into the file: as long as SQLite itself lets it. */
const logPagesMax = 1_000

/** Result codes that speak of the file or the disk, not of the statement: busy, locked, readonly, I/O, full, cannot open. */
const unavailableCodes = new Set([5, 6, 8, 10, 13, 14])

export interface SqliteDriver extends Driver {
  readonly transact: Transact
  /** Moves SQLite's write-ahead log into the file, `always` or where it has become long. */
  readonly checkpoint: (when: 'always' | 'long') => Promise<void>
  readonly database: DatabaseSync
}

export interface SqliteOptions {
  readonly path: string
  readonly leafHashes: Hashes
  /** True in a thread that serves nobody: it waits for a busy file in one go, and makes its checkpoints itself. */
  readonly mayBlock?: boolean
}

export function openSqlite({ path, leafHashes, mayBlock = false }: SqliteOptions): SqliteDriver {
  const database = openFile(path)
  // The settings may have had to wait for another process that starts; from here on nobody waits with them.
  if (!mayBlock) database.exec(`PRAGMA busy_timeout=${busyPauseMs}`)
  // SQLite's own checkpoints come in the middle of a commit, and keep quiet about an fsync that failed.
  else database.exec('PRAGMA wal_autocheckpoint=0')
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

  function transactNow<Result>(script: () => Script<Result>): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = drive(script())
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  /** Where somebody still reads from the log, the rest of it is left for later. */
  function checkpointNow(when: 'always' | 'long'): void {
    const [length] = execute({ sql: 'PRAGMA wal_checkpoint(NOOP)', values: [] })
    if (when === 'always' || Number(length?.['log']) >= logPagesMax) {
      execute({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', values: [] })
    }
  }

  const transact: Transact = (script) =>
    mayBlock ? attempt(() => transactNow(script)) : patiently(() => attempt(() => transactNow(script)))
  return {
    database,
    isShared: false,
    checks,
    inFlightMax: 1,
    read: (script) => attempt(() => drive(script())),
    transact,
    checkpoint: (when) => attempt(() => checkpointNow(when)),
    change: changingWith(transact, leafHashes),
    close: () => attempt(() => database.close()),
  }
}

type Query = (values: readonly SqlValue[]) => Row[]

/**
 * Rows come as lists and are made into objects of one shape here: those that the driver makes are dictionaries, and
 * reading a page of history from them took half as long again.
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
 * Row locks are dropped: whoever writes holds the whole file. SQLite's own parameters: numbered ones are looked up by name at every binding, which costs more than the insert of a
 * large batch; so where they stand in order, each once, they lose their numbers.
 */
export function inSqlite(sql: string): string {
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const inOrder = numbers.every((number, place) => number === place + 1)
  return sql.replace(/ FOR UPDATE(?: SKIP LOCKED)?/, '').replaceAll(/\$(\d+)/g, inOrder ? '?' : '?$1')
}

function openFile(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // SQLite opens a file that it may only read without a word.
    if (existsSync(path)) accessSync(path, constants.W_OK)
    // Secrets of webhooks are in it: nobody else may read a file that we make, nor the log that SQLite puts beside it.
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
    throw new StoreUnavailable(`${path} cannot be opened (${(error as Error).message})`, { cause: error })
  }
}

function attempt<Result>(work: () => Result): Promise<Result> {
  try {
    return Promise.resolve(work())
  } catch (error) {
    return Promise.reject(translate(error))
  }
}

/** Tries again while another process is writing, for as long as a busy file is waited for. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
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

/** Extended result codes: a primary key, or another unique one, is there already. */
const duplicateCodes = new Set([1555, 2067])

function isTakenKey(error: Error): boolean {
  return 'errcode' in error && duplicateCodes.has(Number(error.errcode)) && error.message.includes(keyTable)
}

function isUnsynced(error: Error): boolean {
  return 'errcode' in error && syncCodes.has(Number(error.errcode))
}

function translate(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error))
  if (isTakenKey(failure)) return new KeyTaken(failure.message, { cause: failure })
  if (isUnsynced(failure)) return new SyncFailed(failure.message, { cause: failure })
  return unavailableCodes.has(resultCode(failure))
    ? new StoreUnavailable(failure.message, { cause: failure })
    : failure
}
