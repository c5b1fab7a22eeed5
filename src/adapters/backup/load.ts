/** Loads a backup into an empty database, in one transaction: the schema of its day, its rows, and then what has come since. */

import { FileFault } from '../../app/ports/assess.ts'
import type { Clock, Random } from '../../app/ports/system.ts'
import type { Copied, RestoreOptions, TableSum } from '../../app/ports/backup.ts'
import type { Month } from '../../core/time/month.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import { migrate, migrations } from '../store/engine/migrations.ts'
import { partitionStatements } from '../store/months/partitions.ts'
import type { SqlValue } from '../store/engine/script.ts'
import { readParts, type Head, type TableHead } from './format.ts'
import { awayMonths, pageRows, runScript, storeOver, type Session } from './session.ts'
import { sumTables } from './write.ts'

/** What PostgreSQL takes in one statement is bounded. */
const cellsMax = 20_000

/** Of PostgreSQL alone. Where all months are there, an embedded database has no need of it. */
const onlyShared = 'partition_moves'

export interface LoadDeps {
  readonly clock: Clock
  readonly random: Random
}

export async function loadBackup<Found>(
  session: Session,
  path: string,
  { check, isSound, onProgress }: RestoreOptions<Found>,
  { clock, random }: LoadDeps,
): Promise<Copied<Found>> {
  const loader = new Loader(session)
  const sums: TableSum[] = []
  let schema = 0
  for await (const part of readParts(path, onProgress)) {
    if (part.kind === 'head') schema = await makeSchema(session, part.head, clock.nowMs())
    else if (part.kind === 'table') await loader.open(part.table)
    else if (part.kind === 'row') await loader.add(part.row)
    else {
      await loader.close()
      sums.push(part.sum)
    }
  }
  await compare(session, sums)
  await runScript(session, migrate(session.engine, clock.nowMs()))
  const found = await check({ store: storeOver(session, random), awayMonths: await awayMonths(session) })
  if (!isSound(found)) throw new FileFault(`what is in ${path} is not sound: nothing was restored`)
  return { schema, tables: sums, found }
}

async function makeSchema(session: Session, { schema }: Head, nowMs: number): Promise<number> {
  if (schema < 1 || schema > migrations.length) {
    throw new FileFault(
      `the backup has schema ${schema}, and this program knows those up to ${migrations.length}`,
    )
  }
  await runScript(session, migrate(session.engine, nowMs, schema))
  return schema
}

/** Written down and read again, both engines give one text: so the sums must be those of the file. */
async function compare(session: Session, sums: readonly TableSum[]): Promise<void> {
  const nowhere = (): Promise<void> => Promise.resolve()
  const here = new Map((await sumTables(session, nowhere, () => undefined)).map((sum) => [sum.name, sum]))
  for (const { name, rows, sha256 } of sums) {
    const own = here.get(name)
    here.delete(name)
    if (own === undefined ? name !== onlyShared : own.sha256 !== sha256 || own.rows !== rows) {
      throw new FileFault(`the rows of ${name} are not those of the backup: nothing was restored`)
    }
  }
  for (const { name, rows } of here.values()) {
    if (name !== onlyShared || rows > 0)
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
    const known = (await this.#session.tables()).includes(table)
    this.#isSkipped = !known && table === onlyShared
    if (this.#isSkipped) return
    // Names go into statements: they are ours, or nothing is done.
    const own = known ? await this.#session.columns(table) : []
    if (own.join() !== columns.join())
      throw new FileFault(`the backup has another table ${JSON.stringify(table)}`)
    // A schema brings a few rows of its own.
    const seeded = await this.#session.run(`SELECT 1 AS one FROM ${table} LIMIT 1`)
    if (seeded.length > 0) await this.#session.run(`DELETE FROM ${table}`)
  }

  async add(row: readonly SqlValue[]): Promise<void> {
    if (this.#isSkipped) return this.#refuseAway(row)
    if (this.#table.table === 'verifications') await this.#makeMonth(row)
    this.#rows.push(row)
    if (this.#rows.length >= pageRows) await this.#flush()
  }

  async close(): Promise<void> {
    await this.#flush()
    if (this.#session.engine === 'postgres' && !this.#isSkipped) await this.#setCounter()
  }

  /** A record goes where its month is, and by its order months come one after another. */
  async #makeMonth(row: readonly SqlValue[]): Promise<void> {
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
    const isShared = this.#session.engine === 'postgres'
    const runMax = isShared ? rowsMax : 1
    // Numbers that the database gives out itself are those of the backup.
    const overriding = isShared ? ' OVERRIDING SYSTEM VALUE' : ''
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

  /** The next number comes after those that are there. */
  async #setCounter(): Promise<void> {
    const { table, columns } = this.#table
    if (!columns.includes('number')) return
    const [found] = await this.#session.run("SELECT pg_get_serial_sequence($1, 'number') AS name", [table])
    if ((found?.['name'] ?? null) === null) return
    await this.#session.run(
      `SELECT setval($1::regclass, (SELECT COALESCE(max(number), 0) + 1 FROM ${table}), false)`,
      [String(found?.['name'])],
    )
  }

  #refuseAway(row: readonly SqlValue[]): void {
    if (row[this.#table.columns.indexOf('attached_at_ms')] === null) {
      throw new FileFault('a month of the backup was taken away: it can only be restored on PostgreSQL')
    }
  }
}
