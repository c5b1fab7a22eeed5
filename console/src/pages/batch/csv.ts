/** A CSV file as rows that can be shown and changed, counted as the server counts them; and back again. */

import type { Transaction } from '@fairway/client'

/** What Fairway reads; columns of other names are left alone. */
export const columnsRead = [
  'id',
  'corridor',
  'amount',
  'currency',
  'actual_outcome',
  'timestamp',
  'rail',
] as const satisfies readonly (keyof Transaction)[]

export const rowsMax = 500
export const bytesMax = 1_048_576

interface SheetRow {
  readonly cells: readonly string[]
  /** The line as it came, of a row whose cells do not fit the header. */
  readonly raw: string
}

export interface Sheet {
  readonly names: readonly string[]
  readonly rows: readonly SheetRow[]
}

/** What is wrong with a text that is no CSV, in words; thrown. */
export class NotCsv extends Error {}

const blank = /^[ \t\r\n\f]*$/

/** Quotes at the start of a cell, whatever follows them up to its end. */
const quotedCell = /[ \t\r\f]*"([^"]*(?:""[^"]*)*)"(?!")([^,\n]*)/y
const quoteStart = /[ \t\r\f]*"/y
const plainCell = /[^,\n]*/y

function at(form: RegExp, text: string, place: number): RegExpExecArray | null {
  form.lastIndex = place
  return form.exec(text)
}

/** The cell that starts at the place, less the space around it; with quotes out of place it is left as it is. */
function cellAt(text: string, place: number): { readonly cell: string; readonly end: number } {
  const quoted = at(quotedCell, text, place)
  if (quoted === null && at(quoteStart, text, place) !== null) {
    throw new NotCsv(`has a quote that is never closed, at line ${text.slice(0, place).split('\n').length}`)
  }
  const [whole, inner = '', rest = ''] = quoted ?? at(plainCell, text, place) ?? ['']
  const isWell = quoted !== null && blank.test(rest)
  return { cell: isWell ? inner.replaceAll('""', '"') : whole.trim(), end: place + whole.length }
}

/**
 * The rows as the server counts them, blank ones apart. By hand: what the server reads with is larger than the page,
 * and would not let a row with a quote out of place pass, which the server names and people mend here.
 */
export function sheetOf(text: string): Sheet {
  const rows: SheetRow[] = []
  for (let place = 0; place < text.length;) {
    const start = place
    const cells: string[] = []
    let isBlank = true
    do {
      const { cell, end } = cellAt(text, place)
      isBlank &&= blank.test(cell)
      cells.push(cell)
      place = end + 1
    } while (text[place - 1] === ',')
    if (!isBlank) rows.push({ cells, raw: text.slice(start, place - 1).trimEnd() })
  }
  const [header, ...payments] = rows
  return { names: header?.cells ?? [], rows: payments }
}

const quotable = /[",\r\n]|^\s|\s$/

const lineOf = (cells: readonly string[]): string =>
  cells.map((cell) => (quotable.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')

/** A row that was changed as a line is written as that line; every other by its cells. */
export function textOf({ names, rows }: Sheet, lines: ReadonlyMap<number, string>): string {
  const written = rows.map(({ cells }, row) => lines.get(row) ?? lineOf(cells))
  return `${[lineOf(names), ...written].join('\n')}\n`
}

/** The places of the columns that are read; of a file that has none of them, the first few. */
export function columnsShown(names: readonly string[]): readonly number[] {
  const known = names.flatMap((name, place) => (isRead(name) ? [place] : []))
  return known.length > 0 ? known : names.slice(0, columnsRead.length).map((_name, place) => place)
}

export const plainName = (name: string): string => name.trim().toLowerCase()
const isRead = (name: string): boolean => (columnsRead as readonly string[]).includes(plainName(name))

export const columnsNotRead = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !isRead(name))
