/** Text tables: columns as wide as their widest cell, truncated to the width of the terminal. */

import type { styleText } from 'node:util'
import { clean } from './redact.ts'
import { truncated, widthOf } from './width.ts'

export type Format = Parameters<typeof styleText>[0]

/** Untrusted text, with an optional format. */
export type Cell = string | { readonly text: string; readonly format: Format }

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** Longer text is truncated at any terminal width. */
  readonly widthMax?: number
  /** Never truncated: part of an id is useless. */
  readonly fixed?: true
  /** Left out if the table is too wide. */
  readonly optional?: true
}

interface TableStyle {
  readonly widthMax: number
  /** Applies the cell's format to its text, which may be truncated. */
  readonly paint: (cell: Cell, text: string) => string
}

const plainStyle: TableStyle = { widthMax: Number.POSITIVE_INFINITY, paint: (_cell, text) => text }

export const gap = '  '
const columnWidthMin = 6

/** A string is a column with that title and no options. */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  { widthMax, paint }: TableStyle = plainStyle,
): string[] {
  const shown = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const laid = layOut(shown, rows, widthMax)
  const line = (cells: readonly Cell[]): string =>
    laid
      .map(({ at, width, align }) => {
        const cell = cells[at] ?? ''
        const text = truncated(textOf(cell), width)
        const space = ' '.repeat(width - widthOf(text))
        return align === 'right' ? space + paint(cell, text) : paint(cell, text) + space
      })
      .join(gap)
      .trimEnd()
  return [line(shown.map(({ title }) => ({ text: title, format: 'bold' }))), ...rows.map(line)]
}

export const textOf = (cell: Cell): string => clean(typeof cell === 'string' ? cell : cell.text)

interface LaidOut extends Column {
  /** Index of the cell in a row. */
  readonly at: number
  readonly width: number
}

/** Drops optional columns until the minimum widths fit, then narrows the widest columns until the table fits. */
function layOut(columns: readonly Column[], rows: readonly (readonly Cell[])[], widthMax: number): LaidOut[] {
  let laid = columns.map((column, at): LaidOut => {
    const widths = rows.map((row) => widthOf(textOf(row[at] ?? '')))
    const width = Math.min(
      Math.max(widthOf(column.title), ...widths),
      column.widthMax ?? Number.POSITIVE_INFINITY,
    )
    return { ...column, at, width }
  })
  const minWidthOf = ({ fixed, width }: LaidOut): number => (fixed ? width : Math.min(width, columnWidthMin))
  const sumOf = (widths: readonly number[]): number =>
    widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
  while (sumOf(laid.map(minWidthOf)) > widthMax) {
    const last = laid.findLast(({ optional }) => optional)
    if (last === undefined) break
    laid = laid.filter((column) => column !== last)
  }
  while (sumOf(laid.map(({ width }) => width)) > widthMax) {
    const widest = laid
      .filter((column) => column.width > minWidthOf(column))
      .reduce<LaidOut | null>((most, one) => (most === null || one.width > most.width ? one : most), null)
    if (widest === null) break
    laid = laid.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column))
  }
  return laid
}
