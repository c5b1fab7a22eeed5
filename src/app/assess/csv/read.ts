/** Reads CSV rows of a form. A malformed row does not affect other rows. */

import { CsvError, parse } from 'csv-parse/sync'
import { unreadable, type ReadRow, type RowForm } from '../../../core/assess/row-form.ts'
import { decoded, InputFault, type Chunk } from '../input-fault.ts'
import { RecordScanner } from './scan.ts'
import { restored } from './write.ts'

export interface Header<Column extends string = string> {
  /** Column names as written in the file. */
  readonly names: readonly string[]
  /** The known column at each position; null for an unknown one. */
  readonly columns: readonly (Column | null)[]
  /** Whether the file is a `rejected.csv` of Fairway, whose cells are escaped for spreadsheets. */
  readonly defused: boolean
}

export interface Row<Value, Column extends string> {
  /** Zero-based row index, not counting blank rows. */
  readonly index: number
  /** The cells as read. */
  readonly cells: readonly string[]
  readonly read: ReadRow<Value, Column>
}

const columnsMax = 1_000
/** More are not named. */
const misspeltMax = 20

export function readHeader<Value, Column extends string>(
  bytes: Uint8Array,
  form: RowForm<Value, Column>,
  line = 1,
): Header<Column> {
  decoded(bytes, line)
  const [names] = recordsIn(bytes) ?? []
  if (names === undefined)
    throw new InputFault('has a header row that is not valid CSV: check its quotes', line)
  // Tabs are allowed here: many files use them as separators, which gets its own hint below.
  if (names.some((name) => /[^\P{Cc}\t]/u.test(name))) {
    throw new InputFault('has control characters in its header row: it does not look like CSV')
  }
  if (names.length > columnsMax) throw new InputFault(`has more than ${columnsMax} columns`)
  const misspelt = form.misspeltColumns(names)
  if (misspelt.length > 0) throw new InputFault(`has ${misspelt.slice(0, misspeltMax).join(', ')}`, line)
  const columns = names.map((name) => form.columnOf(name))
  const present = new Set<Column>()
  for (const column of columns) {
    if (column !== null && present.has(column))
      throw new InputFault(`has the column ${column} more than once`)
    if (column !== null) present.add(column)
  }
  if (!form.keys.some((column) => present.has(column))) {
    const [only = ''] = names
    const hint = names.length === 1 && /[;\t|]/.test(only) ? '; separate the columns with commas' : ''
    throw new InputFault(`has no column named ${form.keys.join(' or ')} in its header row${hint}`)
  }
  return { names, columns, defused: rejectedLead.every((name, place) => names[place] === name) }
}

/** The first columns of `rejected.csv`, before those of the input file. */
export const rejectedLead = ['row', 'line', 'reason'] as const

/** Ignored columns, by name or, without a name, by position. */
export function ignoredColumns({ names, columns, defused }: Header): string[] {
  const own = defused ? rejectedLead.length : 0
  return names
    .map((name, place) => (name.trim() === '' ? `(column ${place + 1}, without a name)` : name.trim()))
    .filter((_name, place) => columns[place] === null && place >= own)
}

/** The rows of a chunk, in order. */
export function readRows<Value, Column extends string>(
  chunk: Chunk,
  header: Header<Column>,
  form: RowForm<Value, Column>,
): Row<Value, Column>[] {
  decoded(chunk.bytes, chunk.firstLine)
  const records = recordsIn(chunk.bytes)
  if (records?.length === chunk.rows) {
    return records.map((cells, place) => rowOf(chunk.firstRow + place, cells, header, form))
  }
  return spansOf(chunk).map(({ bytes }, place) => {
    const parsed = recordsIn(bytes)
    const index = chunk.firstRow + place
    if (parsed?.length === 1 && parsed[0] !== undefined) return rowOf(index, parsed[0], header, form)
    const message =
      parsed === null
        ? 'has a misplaced quote: enclose the cell in quotes and double the quotes inside it'
        : 'contains only unusual whitespace'
    return { index, cells: [decoded(bytes, 1).trimEnd()], read: unreadable(message) }
  })
}

/** The line on which each row of a chunk starts. */
export function linesOf(chunk: Chunk): number[] {
  return spansOf(chunk).map(({ line }) => line)
}

function spansOf({ bytes, firstLine }: Chunk): { bytes: Uint8Array; line: number }[] {
  const spans: { bytes: Uint8Array; line: number }[] = []
  const scanner = new RecordScanner()
  let start = 0
  const onRecord = (end: number, blank: boolean, line: number): void => {
    if (!blank) spans.push({ bytes: bytes.subarray(start, end), line: firstLine + line - 1 })
    start = end
  }
  scanner.scan(bytes, onRecord)
  if (start < bytes.length) scanner.finish(bytes.length, onRecord)
  return spans
}

/** The records without blank ones; null if the bytes are not valid CSV. */
function recordsIn(bytes: Uint8Array): string[][] | null {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    })
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

function rowOf<Value, Column extends string>(
  index: number,
  record: readonly string[],
  { columns, defused }: Header<Column>,
  form: RowForm<Value, Column>,
): Row<Value, Column> {
  const cells = defused ? record.map(restored) : record
  if (cells.length !== columns.length) {
    const message = `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${columns.length}`
    return { index, cells, read: unreadable(message) }
  }
  const named: Partial<Record<Column, string>> = {}
  for (const [place, column] of columns.entries()) if (column !== null) named[column] = cells[place] ?? ''
  return { index, cells, read: form.readCells(named) }
}
