/** Loads a backup into an empty database in one transaction: its schema version, its rows, then newer migrations. */

import { FileFault } from '../../app/ports/assess.ts'
import type { Clock } from '../../app/ports/system.ts'
import type { Copied, RestoreOptions, TableSum } from '../../app/ports/operate/backup.ts'
import type { Month } from '../../core/time/month.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import { migrate, migrations } from '../store/engine/migrations.ts'
import { partitionStatements } from '../store/months/partitions.ts'
import type { SqlValue } from '../store/engine/script.ts'
import { readParts, type Head, type TableHead } from './format.ts'
import { detachedMonths, pageRows, runScript, storeOver, type Session } from './session.ts'
import { sumTables } from './write.ts'

/** PostgreSQL limits the parameters of one statement. */
const cellsMax = 20_000

/** Exists only on PostgreSQL. SQLite does not need it unless a month is detached. */
const postgresOnlyTable = 'partition_moves'

export interface LoadDeps {
  readonly clock: Clock
}

export async function loadBackup<Found>(
  session: Session,
  path: string,
  { check, isIntact, onProgress }: RestoreOptions<Found>,
  { clock }: LoadDeps,
): Promise<Copied<Found>> {
  const loader = new Loader(session)
  const sums: TableSum[] = []
  let schema = 0
  for await (const part of readParts(path, onProgress)) {
    if (part.kind === 'head') schema = await createSchema(session, part.head, clock.nowMs())
    else if (part.kind === 'table') await loader.open(part.table)
    else if (part.kind === 'row') await loader.add(part.row)
    else {
      await loader.close()
      sums.push(part.sum)
    }
  }
  await compare(session, sums)
  await runScript(session, migrate(session.engine, clock.nowMs()))
  const found = await check({
    store: storeOver(session),
    detachedMonths: await detachedMonths(session),
  })
  if (!isIntact(found))
    throw new FileFault(`the records in ${path} do not match their log: nothing was restored`)
  return { schema, tables: sums, found }
}

async function createSchema(session: Session, { schema }: Head, nowMs: number): Promise<number> {
  if (schema < 1 || schema > migrations.length) {
    throw new FileFault(
      `the backup has schema ${schema}, but this version supports at most ${migrations.length}: upgrade Fairway`,
    )
  }
  await runScript(session, migrate(session.engine, nowMs, schema))
  return schema
}

/** Both engines produce the same text for the same rows, so the checksums of the loaded tables must match the file. */
async function compare(session: Session, sums: readonly TableSum[]): Promise<void> {
  const discard = (): Promise<void> => Promise.resolve()
  const loaded = new Map((await sumTables(session, discard, () => undefined)).map((sum) => [sum.name, sum]))
  for (const { name, rows, sha256 } of sums) {
    const own = loaded.get(name)
    loaded.delete(name)
    if (own === undefined ? name !== postgresOnlyTable : own.sha256 !== sha256 || own.rows !== rows) {
      throw new FileFault(`the rows of ${name} do not match the backup: nothing was restored`)
    }
  }
  for (const { name, rows } of loaded.values()) {
    if (name !== postgresOnlyTable || rows > 0)
      throw new FileFault(`the backup has no table ${name}: nothing was restored`)
  }
}

class Loader {
  readonly #session: Session
  readonly #months = new Set<Month>()
  #table: TableHead = { table: '', columns: [] }
  #isSkipped = false
  #rows: (readonly SqlValue[])[] = []

  constructor(session: Session) {
    this.#session = session
  }

  async open(head: TableHead): Promise<void> {
    const { table, columns } = head
    this.#table = head
    this.#rows = []
    const exists = (await this.#session.tables()).includes(table)
    this.#isSkipped = !exists && table === postgresOnlyTable
    if (this.#isSkipped) return
    // Names become part of statements, so only names of our own schema are accepted.
    const own = exists ? await this.#session.columns(table) : []
    if (own.join() !== columns.join())
      throw new FileFault(`table ${JSON.stringify(table)} of the backup does not match the schema`)
    // Migrations insert a few rows.
    const seeded = await this.#session.run(`SELECT 1 AS one FROM ${table} LIMIT 1`)
    if (seeded.length > 0) await this.#session.run(`DELETE FROM ${table}`)
  }

  async add(row: readonly SqlValue[]): Promise<void> {
    if (this.#isSkipped) return this.#refuseDetached(row)
    if (this.#table.table === 'verifications') await this.#createMonth(row)
    this.#rows.push(row)
    if (this.#rows.length >= pageRows) await this.#flush()
  }

  async close(): Promise<void> {
    await this.#flush()
    if (this.#session.engine === 'postgres' && !this.#isSkipped) await this.#setCounter()
  }

  /** Creates the partition of a record's month. Records come in order, so months follow one another. */
  async #createMonth(row: readonly SqlValue[]): Promise<void> {
    if (this.#session.engine === 'sqlite') return
    const month = monthOfId(String(row[this.#table.columns.indexOf('request_id')]))
    if (month === null || this.#months.has(month)) return
    await this.#flush()
    for (const sql of partitionStatements(month)) await this.#session.run(sql)
    this.#months.add(month)
  }

  async #flush(): Promise<void> {
    const { table, columns } = this.#table
    const rowsMax = Math.max(1, Math.floor(cellsMax / Math.max(1, columns.length)))
    const isPostgres = this.#session.engine === 'postgres'
    const runMax = isPostgres ? rowsMax : 1
    // Identity columns take the values of the backup.
    const overriding = isPostgres ? ' OVERRIDING SYSTEM VALUE' : ''
    for (let from = 0; from < this.#rows.length; from += runMax) {
      const run = this.#rows.slice(from, from + runMax)
      const places = run.map(
        (_, row) => `(${columns.map((_name, column) => `$${row * columns.length + column + 1}`).join(',')})`,
      )
      await this.#session.run(
        `INSERT INTO ${table} (${columns.join(', ')})${overriding} VALUES ${places.join(',')}`,
        run.flat(),
      )
    }
    this.#rows = []
  }

  /** Sets the sequence of the table to follow its largest number. */
  async #setCounter(): Promise<void> {
    const { table, columns } = this.#table
    if (!columns.includes('number')) return
    const [sequence] = await this.#session.run("SELECT pg_get_serial_sequence($1, 'number') AS name", [table])
    if ((sequence?.['name'] ?? null) === null) return
    await this.#session.run(
      `SELECT setval($1::regclass, (SELECT COALESCE(max(number), 0) + 1 FROM ${table}), false)`,
      [String(sequence?.['name'])],
    )
  }

  #refuseDetached(row: readonly SqlValue[]): void {
    if (row[this.#table.columns.indexOf('attached_at_ms')] === null) {
      throw new FileFault('a month of the backup is detached: restore it on PostgreSQL')
    }
  }
}
