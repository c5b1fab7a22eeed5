/** The form of the rows that callers send in bulk, as JSON or CSV. One way to read every kind of row. */

import { KnownNames } from '../reference/known-names.ts'

export interface Fault<Column extends string = string> {
  readonly column: Column | null
  readonly message: string
}

/** Includes the id of a faulty row, too, since another row may repeat it. */
export type ReadRow<Value, Column extends string = string> =
  | { readonly ok: true; readonly id: string | null; readonly value: Value }
  | { readonly ok: false; readonly id: string | null; readonly faults: readonly Fault<Column>[] }

/** An unvalidated row: missing members are undefined, and types may be wrong. */
export type RawRow<Column extends string> = Readonly<Partial<Record<Column, unknown>>>

export type Fail<Column extends string> = (column: Column, message: string) => null

interface FormParts<Value, Column extends string> {
  readonly columns: readonly Column[]
  /** A header must have one of these. */
  readonly keys: readonly Column[]
  /** The column that no two rows may share. */
  readonly idColumn: Column
  /** Its cells are numbers, and null is a wrong value, not a missing one. */
  readonly numberColumn?: Column
  /** Reports every fault of a row, not only the first. */
  readonly read: (raw: RawRow<Column>) => ReadRow<Value, Column>
}

/** At most this many unknown names are reported. */
export const unknownNamesMax = 100

export class RowForm<Value, Column extends string> {
  readonly columns: readonly Column[]
  readonly keys: readonly Column[]
  readonly idColumn: Column
  readonly read: (raw: RawRow<Column>) => ReadRow<Value, Column>
  readonly #numberColumn: Column | null
  readonly #known: ReadonlyMap<string, Column>
  readonly #names: KnownNames<Column>

  constructor({ columns, keys, idColumn, numberColumn, read }: FormParts<Value, Column>) {
    this.columns = columns
    this.keys = keys
    this.idColumn = idColumn
    this.read = read
    this.#numberColumn = numberColumn ?? null
    this.#known = new Map(columns.map((column) => [column, column]))
    this.#names = new KnownNames(columns)
  }

  /** The column of a name in a header; null if there is none. */
  columnOf(name: string): Column | null {
    return this.#known.get(name.trim().toLowerCase()) ?? null
  }

  /** Reads a row from JSON: a null member is a missing one, and a likely misspelling is a fault. */
  readJson(row: Readonly<Record<string, unknown>>): ReadRow<Value, Column> {
    const names = Object.keys(row)
    const present = names.filter((name) => row[name] !== null || name === this.#numberColumn)
    const read = this.read(
      (present.length === names.length
        ? row
        : Object.fromEntries(present.map((name) => [name, row[name]]))) as RawRow<Column>,
    )
    const misspelt = names.flatMap((name): Fault<Column>[] => {
      const column = this.#known.has(name) ? null : this.#meantBy(name, row)
      return column === null ? [] : [{ column, message: misnamed(name, column) }]
    })
    if (misspelt.length === 0) return read
    return { ok: false, id: read.id, faults: read.ok ? misspelt : [...misspelt, ...read.faults] }
  }

  /** Reads a row of text cells. */
  readCells(cells: Readonly<Partial<Record<Column, string>>>): ReadRow<Value, Column> {
    return this.read(this.rawOfCells(cells))
  }

  /** An empty cell is a missing member. */
  rawOfCells(cells: Readonly<Partial<Record<Column, string>>>): RawRow<Column> {
    const raw: Partial<Record<Column, unknown>> = {}
    for (const column of this.columns) {
      const text = cells[column]?.trim() ?? ''
      if (text !== '') raw[column] = column === this.#numberColumn ? numberOf(text) : text
    }
    return raw
  }

  /** The value for each column of a row from JSON, also where the member is misspelt. */
  columnValues(row: Readonly<Record<string, unknown>>): RawRow<Column> {
    const raw: Partial<Record<Column, unknown>> = {}
    for (const [name, value] of Object.entries(row)) {
      const known = this.#known.get(name)
      const column = known ?? this.#meantBy(name, row)
      if (column !== null && (known !== undefined || raw[column] === undefined)) raw[column] = value
    }
    return raw
  }

  /** The faults of a header: its likely misspellings. */
  misspeltColumns(header: readonly string[]): string[] {
    const present = new Set(header.map((name) => this.columnOf(name)))
    return header.flatMap((name) => {
      const unknown = name.trim()
      const column =
        this.columnOf(name) === null ? this.#names.meantBy(unknown, (known) => present.has(known)) : null
      return column === null ? [] : [`a column that ${misnamed(unknown, column)}`]
    })
  }

  #meantBy(name: string, row: Readonly<Record<string, unknown>>): Column | null {
    return this.#names.meantBy(name, (column) => (row[column] ?? null) !== null)
  }

  /** Collects the names of ignored members. A likely misspelling is not ignored: its row is refused. */
  collectUnknown(row: Readonly<Record<string, unknown>>, unknown: Set<string>): void {
    for (const name in row) {
      if (this.#known.has(name) || unknown.size >= unknownNamesMax) continue
      if (this.#meantBy(name, row) === null) unknown.add(name)
    }
  }
}

function misnamed(name: string, column: string): string {
  return `must be named ${column}, not ${name.slice(0, 64).toWellFormed()}`
}

/** The result for a row that cannot be parsed. */
export function unreadable(message: string): ReadRow<never, never> {
  return { ok: false, id: null, faults: [{ column: null, message }] }
}

/**
 * A number that cannot be parsed stays text, so that validation reports it. The pattern matches digits in one way only, to
 * avoid backtracking: a cell may have a mebibyte of digits.
 */
function numberOf(text: string): number | string {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(text) ? Number(text) : text
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const control = /[\u0000-\u001f\u007f-\u009f]/

/** Null if missing or invalid. Spaces around it are left out, unless it is `exact`. */
export function textIn<Column extends string>(
  column: Column,
  value: unknown,
  lengthMax: number,
  fail: Fail<Column>,
  exact?: 'exact',
): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') return fail(column, 'must be a string')
  const text = exact === undefined ? value.trim() : value
  if (text === '') return fail(column, 'must not be empty')
  if (text.length > lengthMax) return fail(column, `must have at most ${lengthMax} characters`)
  if (!text.isWellFormed()) return fail(column, 'must be well-formed Unicode')
  return control.test(text) ? fail(column, 'must not contain control characters') : text
}
