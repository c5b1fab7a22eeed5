/** Parses a CSV file into editable rows, numbered as on the server, and writes them back. */

import type { Transaction } from '@fairway/client'

/** The columns that Fairway reads. Others are ignored, unless they are likely misspellings of these. */
export const knownColumns = [
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
  /** The original line, to edit a row whose cells do not fit the header. */
  readonly raw: string
}

export interface Sheet {
  readonly names: readonly string[]
  readonly rows: readonly SheetRow[]
}

/** Thrown for invalid CSV. The message continues a sentence that starts with “It”. */
export class NotCsv extends Error {}

const blank = /^[ \t\r\n\f]*$/

/** A quoted cell, and anything between its closing quote and the end of the cell. */
const quotedCell = /[ \t\r\f]*"([^"]*(?:""[^"]*)*)"(?!")([^,\n]*)/y
const quoteStart = /[ \t\r\f]*"/y
const plainCell = /[^,\n]*/y

function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place
  return pattern.exec(text)
}

/** The cell that starts at a place, trimmed. A cell with misplaced quotes keeps them. */
function cellAt(text: string, place: number): { readonly cell: string; readonly end: number } {
  const quoted = matchAt(quotedCell, text, place)
  if (quoted === null && matchAt(quoteStart, text, place) !== null) {
    throw new NotCsv(`has an unclosed quote at line ${text.slice(0, place).split('\n').length}`)
  }
  const [full, inner = '', rest = ''] = quoted ?? matchAt(plainCell, text, place) ?? ['']
  const isWellFormed = quoted !== null && blank.test(rest)
  return { cell: isWellFormed ? inner.replaceAll('""', '"') : full.trim(), end: place + full.length }
}

/**
 * The rows as the server counts them, without blank ones. This parser is written by hand: the server's is larger than
 * the page and rejects rows with misplaced quotes, which users correct here.
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

/** Rows edited as a line are written as that line, all others from their cells. */
export function textOf({ names, rows }: Sheet, lines: ReadonlyMap<number, string>): string {
  const output = rows.map(({ cells }, row) => lines.get(row) ?? lineOf(cells))
  return `${[lineOf(names), ...output].join('\n')}\n`
}

/** The places of the known columns, or of the first few columns if none is known. */
export function visibleColumns(names: readonly string[]): readonly number[] {
  const places = names.flatMap((name, place) => (isKnown(name) ? [place] : []))
  return places.length > 0 ? places : names.slice(0, knownColumns.length).map((_name, place) => place)
}

export const normalName = (name: string): string => name.trim().toLowerCase()
const isKnown = (name: string): boolean => (knownColumns as readonly string[]).includes(normalName(name))

export const unknownColumns = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !isKnown(name))
