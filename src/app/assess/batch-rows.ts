/** Reads up to 500 rows that a caller sends at once, as JSON or CSV: all of them, or every fault of every row. */

import { unreadable, type Fault, type ReadRow, type RowForm } from '../../core/assess/row-form.ts'
import { isObject } from '../../core/reference/json.ts'
import { batchRowsMax, csvExcess, tooManyRows } from './batch-bounds.ts'
import { ignoredColumns, linesOf, readHeader, readRows } from './csv/read.ts'
import { CsvSplitter } from './csv/scan.ts'
import { ignoredWarnings } from './batch-warnings.ts'
import { InputFault } from './input-fault.ts'

export interface RowFault extends Fault {
  /** Zero-based row index. */
  readonly index: number
  /** One-based line in the CSV; null for JSON. */
  readonly line: number | null
}

/** All rows if every row is valid, otherwise all faults. */
export type ReadRows<Value> =
  | {
      readonly kind: 'rows'
      readonly rows: readonly Value[]
      readonly warnings: readonly string[]
      /** The line of each row of a CSV. */
      readonly lines: readonly number[] | null
    }
  | {
      readonly kind: 'faults'
      readonly faults: readonly RowFault[]
      /** The rows that could be read, for further checks. */
      readonly valid: readonly { readonly index: number; readonly value: Value }[]
      readonly lines: readonly number[] | null
    }
  /** The input cannot be read as rows, or has too few or too many. */
  | { readonly kind: 'unreadable'; readonly message: string; readonly line: number | null }

export function readJsonRows<Value, Column extends string>(
  values: readonly unknown[],
  form: RowForm<Value, Column>,
): ReadRows<Value> {
  const fault = countFault(values.length)
  if (fault !== null) return fault
  const unknown = new Set<string>()
  const rows = values.map((value) => {
    if (!isObject(value)) return unreadable('must be an object')
    form.collectUnknown(value, unknown)
    return form.readJson(value)
  })
  return rowsOf(rows, { form, warnings: ignoredWarnings('members', [...unknown]), lines: null })
}

export function readCsvRows<Value, Column extends string>(
  bytes: Uint8Array,
  form: RowForm<Value, Column>,
): ReadRows<Value> {
  const excess = csvExcess(bytes)
  if (excess !== null) return { kind: 'unreadable', message: excess, line: null }
  try {
    const splitter = new CsvSplitter()
    const chunks = [splitter.push(bytes), splitter.end()].filter((chunk) => chunk !== null)
    if (splitter.header === null) throw new InputFault('is empty: a header row is needed')
    const header = readHeader(splitter.header, form, splitter.headerLine)
    const fault = countFault(splitter.rows)
    if (fault !== null) return fault
    const rows = chunks.flatMap((chunk) => readRows(chunk, header, form)).map(({ read }) => read)
    const warnings = ignoredWarnings('columns', ignoredColumns(header))
    return rowsOf(rows, { form, warnings, lines: chunks.flatMap(linesOf) })
  } catch (error) {
    if (error instanceof InputFault) return { kind: 'unreadable', message: error.message, line: error.line }
    throw error
  }
}

function countFault(count: number): Extract<ReadRows<never>, { kind: 'unreadable' }> | null {
  if (count >= 1 && count <= batchRowsMax) return null
  const message = count === 0 ? `has no rows; 1 to ${batchRowsMax} are needed` : tooManyRows
  return { kind: 'unreadable', message, line: null }
}

interface Given<Value, Column extends string> {
  readonly form: RowForm<Value, Column>
  readonly warnings: readonly string[]
  readonly lines: readonly number[] | null
}

/** The rows, or every fault of every row, including repeated ids. */
function rowsOf<Value, Column extends string>(
  read: readonly ReadRow<Value, Column>[],
  { form, warnings, lines }: Given<Value, Column>,
): ReadRows<Value> {
  const valid: { index: number; value: Value }[] = []
  const faults: RowFault[] = []
  const firstWith = new Map<string, number>()
  for (const [index, row] of read.entries()) {
    const { id } = row
    const line = lines?.[index] ?? null
    const first = id === null ? undefined : firstWith.get(id)
    if (id !== null && first === undefined) firstWith.set(id, index)
    if (first !== undefined) {
      const message = `repeats the ${form.idColumn} of row ${first + 1}`
      faults.push({ index, line, column: form.idColumn, message })
    }
    if (row.ok) valid.push({ index, value: row.value })
    else faults.push(...row.faults.map((fault) => ({ ...fault, index, line })))
  }
  if (faults.length > 0) return { kind: 'faults', faults, valid, lines }
  return { kind: 'rows', rows: valid.map(({ value }) => value), warnings, lines }
}
