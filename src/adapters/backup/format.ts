/**
 * The file: gzip of JSON lines. A head, then each table with its columns, its rows as lists and its sum, then an end. What has no end,
 * or a row that does not fit the sum of its table, is not whole.
 */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileFault } from '../../app/ports/assess.ts'
import type { TableSum } from '../../app/ports/backup.ts'
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

/** The sum of rows as they come. */
export class Sum {
  readonly #hash = createHash('sha256')
  #rows = 0

  /** The text of a row in the file. */
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

/** Part by part, each checked; throws where the file is not whole, at the latest at its end. */
export async function* readParts(path: string, onProgress: (done: number, all: number) => void) {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new FileFault(`cannot read ${path}: ${(error as Error).message}`)
  })
  const file = createReadStream(path)
  const bytes = createGunzip()
  // The reader below is told of what goes wrong.
  pipeline(file, bytes, () => undefined)
  try {
    for await (const part of partsOf(linesOf(bytes))) {
      if (part.kind === 'sum') onProgress(file.bytesRead, size)
      yield part
    }
  } catch (error) {
    if (error instanceof Torn) throw new FileFault(`${path} is not a whole backup: ${error.message}`)
    throw error
  } finally {
    file.destroy()
  }
}

/** What is wrong with the file, in a few words. */
class Torn extends Error {}

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
    if (error instanceof Torn || error instanceof FileFault) throw error
    throw new Torn((error as Error).message)
  }
  if (rest !== '') throw new Torn('it ends in the middle of a line')
}

async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<Part> {
  let table: { readonly head: TableHead; readonly sum: Sum } | null = null
  let tables = 0
  let place: 'start' | 'inside' | 'end' = 'start'
  for await (const line of lines) {
    if (place === 'end') throw new Torn('something comes after its end')
    const value = parsed(line)
    if (place === 'start') {
      yield { kind: 'head', head: headOf(value) }
      place = 'inside'
    } else if (Array.isArray(value)) {
      if (table === null || value.length !== table.head.columns.length)
        throw new Torn('a row is out of place')
      table.sum.add(value)
      yield { kind: 'row', row: value }
    } else if (table === null && value.whole === true) {
      if (value.tables !== tables) throw new Torn('a table is missing')
      place = 'end'
    } else if (table === null) {
      const head = tableOf(value)
      table = { head, sum: new Sum() }
      yield { kind: 'table', table: head }
    } else {
      const sum = table.sum.of(table.head.table)
      if (JSON.stringify(value.sum) !== JSON.stringify(sum)) {
        throw new Torn(`the rows of ${table.head.table} are not those that were written`)
      }
      tables += 1
      table = null
      yield { kind: 'sum', sum }
    }
  }
  if (place !== 'end') throw new Torn('its end is missing')
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
    // Said below.
  }
  throw new Torn('a line is not what it should be')
}

function headOf(value: Members | SqlValue[]): Head {
  if (!Array.isArray(value) && value.form === formName && Number.isSafeInteger(value.schema)) {
    return value as Head
  }
  throw new Torn('it does not begin as one')
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
  throw new Torn('a table has no name')
}
