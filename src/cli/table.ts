/** Text tables: columns as wide as their widest cell, cut where a terminal is narrower. */

import type { styleText } from 'node:util'
import { clean } from './redact.ts'
import { fitted, widthOf } from './width.ts'

export type Format = Parameters<typeof styleText>[0]

/** A text that came from anywhere, and how it is painted. */
export type Cell = string | { readonly text: string; readonly format: Format }

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** Longer texts are cut, however wide the terminal is. */
  readonly widthMax?: number
  /** Is of no use when it is cut, as an id is. */
  readonly whole?: true
  /** Is left out where there is no room for all. */
  readonly optional?: true
}

interface Look {
  readonly widthMax: number
  /** The text of a cell, which may have been cut, in the cell's format. */
  readonly paint: (cell: Cell, text: string) => string
}

const plainLook: Look = { widthMax: Number.POSITIVE_INFINITY, paint: (_cell, text) => text }

export const gap = '  '
const columnWidthMin = 6

/** A column may be its title alone. */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  { widthMax, paint }: Look = plainLook,
): string[] {
  const shown = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const laid = layOut(shown, rows, widthMax)
  const line = (cells: readonly Cell[]): string =>
    laid
      .map(({ at, width, align }) => {
        const cell = cells[at] ?? ''
        const text = fitted(textOf(cell), width)
        const space = ' '.repeat(width - widthOf(text))
        return align === 'right' ? space + paint(cell, text) : paint(cell, text) + space
      })
      .join(gap)
      .trimEnd()
  return [line(shown.map(({ title }) => ({ text: title, format: 'bold' }))), ...rows.map(line)]
}

export const textOf = (cell: Cell): string => clean(typeof cell === 'string' ? cell : cell.text)

interface LaidOut extends Column {
  /** Its place among the cells of a row. */
  readonly at: number
  readonly width: number
}

/** As wide as they are where that fits; else the widest are cut, and at last what is optional is left out. */
function layOut(columns: readonly Column[], rows: readonly (readonly Cell[])[], widthMax: number): LaidOut[] {
  let laid = columns.map((column, at): LaidOut => {
    const widths = rows.map((row) => widthOf(textOf(row[at] ?? '')))
    const width = Math.min(
      Math.max(widthOf(column.title), ...widths),
      column.widthMax ?? Number.POSITIVE_INFINITY,
    )
    return { ...column, at, width }
  })
  const leastOf = ({ whole, width }: LaidOut): number => (whole ? width : Math.min(width, columnWidthMin))
  const sumOf = (widths: readonly number[]): number =>
    widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
  while (sumOf(laid.map(leastOf)) > widthMax) {
    const last = laid.findLast(({ optional }) => optional)
    if (last === undefined) break
    laid = laid.filter((column) => column !== last)
  }
  while (sumOf(laid.map(({ width }) => width)) > widthMax) {
    const widest = laid
      .filter((column) => column.width > leastOf(column))
      .reduce<LaidOut | null>((most, one) => (most === null || one.width > most.width ? one : most), null)
    if (widest === null) break
    laid = laid.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column))
  }
  return laid
}
