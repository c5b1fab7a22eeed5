/** Reads a file of outcomes, CSV or JSON: its rows with their places, and every fault that shows without a server. */

import { ignoredColumns, linesOf, readHeader, readRows, type Header } from '../../../app/assess/csv/read.ts'
import { CsvSplitter } from '../../../app/assess/csv/scan.ts'
import { ignoredWarnings } from '../../../app/assess/batch-warnings.ts'
import { decoded, InputFault, joined, type Chunk } from '../../../app/assess/input-fault.ts'
import type { InputFile } from '../../../app/ports/assess.ts'
import { unreadable, type ReadRow } from '../../../core/assess/row-form.ts'
import { withThousands } from '../../../core/explain/wording.ts'
import { outcomeForm, type OutcomeColumn, type OutcomeRow } from '../../../core/live/outcome-row.ts'
import { isObject } from '../../../core/reference/json.ts'
import { firstRepeated, membersIn, membersOf } from '../../../core/reference/repeated-members.ts'
import { CommandFailure, type CliDeps } from '../../deps.ts'
import { inputFaultText } from '../../failure-line.ts'

const rowsMax = 200_000
/** JSON is parsed whole. CSV is read in pieces and has no limit of its own. */
const jsonBytesMax = 128 * 1024 * 1024

/** The place of a row in the file. */
interface Place {
  /** One-based, without header and blank rows. */
  readonly row: number
  /** One-based; null for JSON. */
  readonly line: number | null
}

export interface PlacedRow extends Place {
  readonly value: OutcomeRow
}

export interface PlacedFault extends Place {
  readonly column: string | null
  readonly message: string
}

export interface OutcomesFile {
  readonly name: string
  /** With those that have faults. */
  readonly rowCount: number
  readonly valid: readonly PlacedRow[]
  readonly faults: readonly PlacedFault[]
  readonly warnings: readonly string[]
}

/** Fails if the file as a whole cannot be read. */
export async function readOutcomes(deps: CliDeps, path: string): Promise<OutcomesFile> {
  const file = await deps.openInput(path, new AbortController().signal)
  try {
    const rows = new Rows()
    const warnings = await readInto(rows, file)
    if (rows.count === 0) throw new InputFault('has no rows')
    return { name: file.name, rowCount: rows.count, valid: rows.valid, faults: rows.faults, warnings }
  } catch (error) {
    throw error instanceof InputFault ? new CommandFailure(inputFaultText(file.name, error)) : error
  }
}

class Rows {
  count = 0
  readonly valid: PlacedRow[] = []
  readonly faults: PlacedFault[] = []
  readonly #rowOf = new Map<string, number>()

  add(read: ReadRow<OutcomeRow, OutcomeColumn>, line: number | null): void {
    this.count += 1
    if (this.count > rowsMax)
      throw new InputFault(`has more than ${withThousands(rowsMax)} rows: split it into several files`)
    const row = this.count
    const faults = read.ok ? this.#repeated(read) : read.faults
    if (read.ok && faults.length === 0) this.valid.push({ row, line, value: read.value })
    for (const { column, message } of faults) this.faults.push({ row, line, column, message })
  }

  /** The server sees only the rows of one request. */
  #repeated({ id }: ReadRow<OutcomeRow, OutcomeColumn>): { column: OutcomeColumn; message: string }[] {
    const first = id === null ? undefined : this.#rowOf.get(id)
    if (id !== null && first === undefined) this.#rowOf.set(id, this.count)
    return first === undefined
      ? []
      : [{ column: outcomeForm.idColumn, message: `repeats the ${outcomeForm.idColumn} of row ${first}` }]
  }
}

interface Reader {
  take(bytes: Uint8Array): void
  /** Returns the warnings. */
  end(): string[]
}

async function readInto(rows: Rows, { pieces }: InputFile): Promise<string[]> {
  let reader: Reader | null = null
  let lead: Uint8Array = new Uint8Array(0)
  for await (const piece of pieces) {
    if (reader !== null) reader.take(piece)
    else {
      lead = joined(lead, piece)
      reader = readerOf(lead, rows)
      reader?.take(lead)
    }
  }
  if (reader === null) {
    reader = csvReader(rows)
    reader.take(lead)
  }
  return reader.end()
}

const byteOrderMark = /^\ufeff/
const [openBrace, openBracket] = [0x7b, 0x5b]
const skipped: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** By the first byte that is neither space nor byte order mark; null if there is none yet. */
function readerOf(lead: Uint8Array, rows: Rows): Reader | null {
  const first = lead.find((byte) => !skipped.has(byte))
  if (first === undefined) return null
  return first === openBrace || first === openBracket ? jsonReader(rows) : csvReader(rows)
}

function csvReader(rows: Rows): Reader {
  const splitter = new CsvSplitter()
  let header: Header<OutcomeColumn> | null = null
  const headerOf = (): Header<OutcomeColumn> => {
    if (splitter.header === null) throw new InputFault('is empty: a header row is needed')
    header ??= readHeader(splitter.header, outcomeForm, splitter.headerLine)
    return header
  }
  const readChunk = (chunk: Chunk | null): void => {
    if (chunk === null) return
    const lines = linesOf(chunk)
    for (const [place, { read }] of readRows(chunk, headerOf(), outcomeForm).entries())
      rows.add(read, lines[place] ?? null)
  }
  return {
    take: (bytes) => readChunk(splitter.push(bytes)),
    end() {
      readChunk(splitter.end())
      return ignoredWarnings('columns', ignoredColumns(headerOf()))
    },
  }
}

function jsonReader(rows: Rows): Reader {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    take(bytes) {
      size += bytes.length
      if (size > jsonBytesMax) throw new InputFault('has more than 128 MiB: split it into several files')
      pieces.push(bytes)
    },
    end() {
      const { elements, ignored } = elementsIn(Buffer.concat(pieces))
      const unknown = new Set(ignored)
      for (const element of elements) {
        if (isObject(element)) outcomeForm.collectUnknown(element, unknown)
        rows.add(isObject(element) ? outcomeForm.readJson(element) : unreadable('must be an object'), null)
      }
      return ignoredWarnings('members', [...unknown])
    },
  }
}

/** The elements of the list, and the names of members beside it. */
function elementsIn(bytes: Uint8Array): { elements: readonly unknown[]; ignored: readonly string[] } {
  const text = decoded(bytes, 1).replace(byteOrderMark, '')
  const value = parsed(text)
  // A parser keeps the last of two members with one name.
  if (membersIn(bytes) !== membersOf(value))
    throw new InputFault(`has the member ${firstRepeated(text)} more than once`)
  if (Array.isArray(value)) return { elements: value, ignored: [] }
  const { outcomes, ...others } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(outcomes))
    throw new InputFault('has no list of outcomes: expected [...] or {"outcomes": [...]}')
  return { elements: outcomes, ignored: Object.keys(others) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputFault(`is not valid JSON: ${(error as Error).message}`)
  }
}
