/**
 * Writes CSV that is safe to open in a spreadsheet. By hand: of a million rows, csv-stringify took as long as
 * everything else together (docs/decisions/0010).
 */

export type Cell = string | number | boolean | null

/**
 * A spreadsheet runs a cell that starts like a formula, and some take other marks than the comma for the start of a
 * cell. An apostrophe before such a start makes it text.
 */
const formulaStart = /(^|[;|\t\r\n])([\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

export function defused(text: string): string {
  return text.replaceAll(formulaStart, "$1$2'$3")
}

/** Takes back what `defused` did, to the letter. */
export function restored(text: string): string {
  return text.replaceAll(defusedStart, '$1$2$3')
}

const defusedStart = /(^|[;|\t\r\n])([\s"']*)'([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** What needs quotes: the comma, the quote, line ends, and what other programs part cells by; space at an end too. */
const quotable = /[",;|\t\r\n]|^\s|\s$/

function written(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  return quotable.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Lines end in a line feed. Null is an empty cell. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const cell of row) {
      text += separator + written(cell)
      separator = ','
    }
    text += '\n'
  }
  return text
}
