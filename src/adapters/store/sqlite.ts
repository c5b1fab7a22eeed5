/** The embedded engine: one file, one connection, crash-safe. A transaction runs without a pause, so nobody sees half of it. */

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreUnavailable } from '../../app/ports.ts'
import type { Driver, Row, Script, Statement } from './script.ts'

const busyTimeoutMs = 5_000

/** Result codes that speak of the file or the disk, not of the statement: busy, locked, readonly, I/O, full, cannot open. */
const unavailableCodes = new Set([5, 6, 8, 10, 13, 14])

export function openSqlite(path: string): Driver & { readonly database: DatabaseSync } {
  const database = openFile(path)
  const prepared = new Map<string, StatementSync>()

  function execute({ sql, values }: Statement): Row[] {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
      prepared.set(sql, statement)
    }
    return statement.all(...values) as Row[]
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

  return {
    engine: 'sqlite',
    database,
    batching: { lookMax: 1, commitMax: 64, inFlightMax: 1 },
    read: (script) => attempt(() => drive(script())),
    transact: (script) => attempt(() => transactNow(script)),
    close: () => attempt(() => database.close()),
  }
}

function openFile(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true })
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

function translate(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error))
  const code = 'errcode' in failure && typeof failure.errcode === 'number' ? failure.errcode & 0xff : 0
  return unavailableCodes.has(code) ? new StoreUnavailable(failure.message, { cause: failure }) : failure
}
