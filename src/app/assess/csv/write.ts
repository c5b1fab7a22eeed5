/**
 * Writes CSV that is safe to open in a spreadsheet. Hand-written: for a million rows, csv-stringify took as long as
 * all other work together (docs/decisions/0010).
 */

export type Cell = string | number | boolean | null

/**
 * Spreadsheets run a cell that starts like a formula, and some accept separators other than the comma. A leading
 * apostrophe makes the cell text.
 */
const formulaStart = /(^|[;|\t\r\n])([\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

export function defused(text: string): string {
  return text.replaceAll(formulaStart, "$1$2'$3")
}

/** The exact inverse of `defused`. */
export function restored(text: string): string {
  return text.replaceAll(defusedStart, '$1$2$3')
}

const defusedStart = /(^|[;|\t\r\n])([\s"']*)'([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Cells that need quotes: with a quote, a line break, a separator of any program, or outer whitespace. */
const quotable = /[",;|\t\r\n]|^\s|\s$/

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  return quotable.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Lines end in a line feed. Null is an empty cell. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const cell of row) {
      text += separator + cellText(cell)
      separator = ','
    }
    text += '\n'
  }
  return text
}
