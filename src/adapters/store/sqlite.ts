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
      statement = database.prepare(inSqlite(sql))
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
    inFlightMax: 1,
    read: (script) => attempt(() => drive(script())),
    transact: (script) => attempt(() => transactNow(script)),
    close: () => attempt(() => database.close()),
  }
}

/**
 * SQLite's own parameters. Numbered ones are looked up by name at every binding, which costs more than the insert of a
 * large batch; so where they stand in order, each once, they lose their numbers.
 */
function inSqlite(sql: string): string {
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const inOrder = numbers.every((number, place) => number === place + 1)
  return sql.replaceAll(/\$(\d+)/g, inOrder ? '?' : '?$1')
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
