/** The interface of a backup session, one connection to either engine, and helpers on it. */

import { StoreUnavailable, type Store } from '../../app/ports/store.ts'
import type { Driver } from '../store/engine/driver.ts'
import { createLongRead } from '../store/engine/reads/long-reads.ts'
import type { Row, Script, SqlValue } from '../store/engine/script.ts'
import { createStore } from '../store/engine/store.ts'

/** Rows per page. */
export const pageRows = 500

export interface Session {
  readonly engine: 'sqlite' | 'postgres'
  run(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
  /** Each row as a list of its cells. */
  pages(sql: string): AsyncIterable<readonly (readonly SqlValue[])[]>
  /** The tables that survive a restart, sorted. Excludes rate limit counters. */
  tables(): Promise<string[]>
  /** Sorted by name, so that both engines use the same order. */
  columns(table: string): Promise<string[]>
  /** The primary key, in its own order. */
  key(table: string): Promise<string[]>
}

export async function runScript<Result>(session: Session, script: Script<Result>): Promise<Result> {
  let step = script.next()
  while (step.done !== true) {
    const groups: (readonly Row[])[] = []
    for (const { sql, values } of step.value) groups.push(await session.run(sql, values))
    step = script.next(groups)
  }
  return step.value
}

/** A read-only store on this connection. */
export function storeOver(session: Session): Store {
  const read: Driver['read'] = (script) => runScript(session, script())
  const driver: Driver = {
    isShared: false,
    checks: { durable: 'SELECT 0 AS ok', guarded: 'SELECT 0 AS ok' },
    inFlightMax: 1,
    read,
    longRead: createLongRead(read),
    longReadsMax: 1,
    change: () => Promise.reject(new StoreUnavailable('this store is read-only')),
    clean: () => Promise.reject(new StoreUnavailable('this store is read-only')),
    close: () => Promise.resolve(),
  }
  return createStore(driver)
}

export async function schemaOf(session: Session): Promise<number> {
  const [row] = await session.run('SELECT max(number) AS number FROM schema_migrations')
  return Number(row?.['number'] ?? 0)
}

/** Empty on SQLite, which has no partitions. */
export async function detachedMonths(session: Session): Promise<string[]> {
  if (!(await session.tables()).includes('partition_moves')) return []
  const rows = await session.run(
    'SELECT month FROM partition_moves WHERE attached_at_ms IS NULL ORDER BY month',
  )
  return rows.map((row) => String(row['month']))
}
