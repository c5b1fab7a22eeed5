/** Writes a backup to a temporary file, verifies it, then gives it its name. */

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { FileFault } from '../../app/ports/assess.ts'
import type { BackupOptions, Copied, TableSum } from '../../app/ports/operate/backup.ts'
import type { Clock } from '../../app/ports/system.ts'
import { migrations } from '../store/engine/migrations.ts'
import { endLine, formName, lastLine, readParts, Sum, type Head } from './format.ts'
import { detachedMonths, schemaOf, storeOver, type Session } from './session.ts'

export interface WriteDeps {
  readonly clock: Clock
}

export async function writeBackup<Found>(
  session: Session,
  path: string,
  { check, onProgress }: BackupOptions<Found>,
  { clock }: WriteDeps,
): Promise<Copied<Found>> {
  const schema = await schemaOf(session)
  if (schema !== migrations.length) {
    throw new FileFault(
      `the database has schema ${schema}, this version needs ${migrations.length}: start the server once to migrate it`,
    )
  }
  const found = await check({
    store: storeOver(session),
    detachedMonths: await detachedMonths(session),
  })
  const head: Head = {
    form: formName,
    schema,
    engine: session.engine,
    made_at: new Date(clock.nowMs()).toISOString(),
  }
  const part = `${path}.${randomUUID()}.part`
  try {
    const tables = await writeFile(session, part, head, onProgress)
    await compare(part, tables)
    // A hard link never replaces a file, even one created concurrently.
    await link(part, path)
    return { schema, tables, found }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof FileFault) throw error
    const why = error.code === 'EEXIST' ? 'it already exists' : error.message
    throw new FileFault(`cannot write ${path}: ${why}`, { cause: error })
  } finally {
    await rm(part, { force: true })
  }
}

async function writeFile(
  session: Session,
  part: string,
  head: Head,
  onProgress: (done: number, all: number) => void,
): Promise<TableSum[]> {
  const total = await countRows(session)
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  // Owner only: the file contains payments, and encrypted webhook secrets.
  const file = createWriteStream(part, { flags: 'wx', mode: 0o600 })
  const done = finished(gzip.pipe(file))
  // Awaited below; this prevents an unhandled rejection until then.
  done.catch(() => undefined)
  const write = async (text: string): Promise<void> => {
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), done])
  }
  await write(`${JSON.stringify(head)}\n`)
  let rows = 0
  const tables = await sumTables(session, write, (more) => onProgress((rows += more), total), withoutSeeds)
  gzip.end(lastLine(tables.length))
  await done
  const handle = await open(part, 'r+')
  await handle.sync()
  await handle.close()
  return tables
}

async function countRows(session: Session): Promise<number> {
  let total = 0
  for (const table of await session.tables()) {
    const [row] = await session.run(`SELECT count(*) AS count FROM ${table}`)
    total += Number(row?.['count'] ?? 0)
  }
  return total
}

/** How a column is read. */
type Selected = (table: string, column: string) => string

/** No backup holds the key that signs the log. */
const withoutSeeds: Selected = (table, column) =>
  table === 'log_keys' && column === 'seed' ? 'NULL AS seed' : column

/** Writes every table in the order of its key. Both engines produce the same text, and so the same checksums. */
export async function sumTables(
  session: Session,
  write: (text: string) => Promise<void>,
  onRows: (count: number) => void,
  selected: Selected = (_table, column) => column,
): Promise<TableSum[]> {
  const sums: TableSum[] = []
  for (const table of await session.tables()) {
    const columns = await session.columns(table)
    const key = await session.key(table)
    await write(`${JSON.stringify({ table, columns })}\n`)
    const sum = new Sum()
    for await (const page of session.pages(
      `SELECT ${columns.map((column) => selected(table, column)).join(', ')} FROM ${table} ORDER BY ${key.join(', ')}`,
    )) {
      let text = ''
      for (const row of page) text += sum.add(row)
      await write(text)
      onRows(page.length)
    }
    const tableSum = sum.of(table)
    sums.push(tableSum)
    await write(endLine(tableSum))
  }
  return sums
}

/** Reads the file back and compares its checksums. */
async function compare(part: string, tables: readonly TableSum[]): Promise<void> {
  let at = 0
  for await (const piece of readParts(part, () => undefined)) {
    if (piece.kind !== 'sum') continue
    if (piece.sum.sha256 !== tables[at]?.sha256)
      throw new FileFault('the backup file does not match the database')
    at += 1
  }
}
