/**
 * The backup format: gzipped JSON lines. A head, then for each table its columns, its rows as lists and its checksum,
 * then an end line. A file without an end line, or with rows that do not match a checksum, is invalid.
 */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileFault } from '../../app/ports/assess.ts'
import type { TableSum } from '../../app/ports/operate/backup.ts'
import type { SqlValue } from '../store/engine/script.ts'

export const formName = 'fairway/backup/1'

export interface Head {
  readonly form: typeof formName
  readonly schema: number
  readonly engine: 'sqlite' | 'postgres'
  readonly made_at: string
}

export interface TableHead {
  readonly table: string
  readonly columns: readonly string[]
}

/** The running checksum of a table's rows. */
export class Sum {
  readonly #hash = createHash('sha256')
  #rows = 0

  /** Adds a row and returns its line in the file. */
  add(row: readonly SqlValue[]): string {
    const line = `${JSON.stringify(row)}\n`
    this.#hash.update(line)
    this.#rows += 1
    return line
  }

  of(name: string): TableSum {
    return { name, rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

export const endLine = (sum: TableSum): string => `${JSON.stringify({ sum })}\n`
export const lastLine = (tables: number): string => `${JSON.stringify({ whole: true, tables })}\n`

export type Part =
  | { readonly kind: 'head'; readonly head: Head }
  | { readonly kind: 'table'; readonly table: TableHead }
  | { readonly kind: 'row'; readonly row: readonly SqlValue[] }
  | { readonly kind: 'sum'; readonly sum: TableSum }

/** Yields the parts of the file, each checked. Throws if the file is incomplete or damaged, perhaps only at its end. */
export async function* readParts(path: string, onProgress: (done: number, all: number) => void) {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new FileFault(`cannot read ${path}: ${(error as Error).message}`)
  })
  const file = createReadStream(path)
  const bytes = createGunzip()
  // Errors reach the reader below.
  pipeline(file, bytes, () => undefined)
  try {
    for await (const part of partsOf(linesOf(bytes))) {
      if (part.kind === 'sum') onProgress(file.bytesRead, size)
      yield part
    }
  } catch (error) {
    if (error instanceof DamagedBackup)
      throw new FileFault(`${path} is not a complete backup: ${error.message}`)
    throw error
  } finally {
    file.destroy()
  }
}

/** The file is damaged or incomplete. */
class DamagedBackup extends Error {}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const chunk of bytes) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    if (error instanceof DamagedBackup || error instanceof FileFault) throw error
    throw new DamagedBackup((error as Error).message)
  }
  if (rest !== '') throw new DamagedBackup('it ends in the middle of a line')
}

async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<Part> {
  let table: { readonly head: TableHead; readonly sum: Sum } | null = null
  let tables = 0
  let place: 'start' | 'inside' | 'end' = 'start'
  for await (const line of lines) {
    if (place === 'end') throw new DamagedBackup('it has data after its end line')
    const value = parsed(line)
    if (place === 'start') {
      yield { kind: 'head', head: headOf(value) }
      place = 'inside'
    } else if (Array.isArray(value)) {
      if (table === null || value.length !== table.head.columns.length)
        throw new DamagedBackup('a row does not belong to a table')
      table.sum.add(value)
      yield { kind: 'row', row: value }
    } else if (table === null && value.whole === true) {
      if (value.tables !== tables) throw new DamagedBackup('a table is missing')
      place = 'end'
    } else if (table === null) {
      const head = tableOf(value)
      table = { head, sum: new Sum() }
      yield { kind: 'table', table: head }
    } else {
      const sum = table.sum.of(table.head.table)
      if (JSON.stringify(value.sum) !== JSON.stringify(sum)) {
        throw new DamagedBackup(`the rows of ${table.head.table} do not match their checksum`)
      }
      tables += 1
      table = null
      yield { kind: 'sum', sum }
    }
  }
  if (place !== 'end') throw new DamagedBackup('its end line is missing')
}

interface Members {
  readonly form?: unknown
  readonly schema?: unknown
  readonly table?: unknown
  readonly columns?: unknown
  readonly sum?: unknown
  readonly whole?: unknown
  readonly tables?: unknown
}

function parsed(line: string): Members | SqlValue[] {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below.
  }
  throw new DamagedBackup('a line is not a JSON object or list')
}

function headOf(value: Members | SqlValue[]): Head {
  if (!Array.isArray(value) && value.form === formName && Number.isSafeInteger(value.schema)) {
    return value as Head
  }
  throw new DamagedBackup('it does not start with a backup header')
}

function tableOf(value: Members): TableHead {
  const { table, columns } = value
  if (
    typeof table === 'string' &&
    Array.isArray(columns) &&
    columns.every((one) => typeof one === 'string')
  ) {
    return { table, columns }
  }
  throw new DamagedBackup('a table has no name or no columns')
}
