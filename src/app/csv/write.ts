/** Writes CSV that is safe to open in a spreadsheet. */

import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | boolean | null

/**
 * A spreadsheet runs a cell that starts like a formula, and some take other marks than the comma for the start of a
 * cell. An apostrophe before such a start makes it text.
 */
const formulaStart = /(^|[;|\t\r\n])([\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

export function defused(text: string): string {
  return text.replaceAll(formulaStart, "$1$2'$3")
}

export function csvText(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    record_delimiter: '\n',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
    // A cell with another program's separator stays one cell there too.
    quoted_match: /[;|\t]/,
  })
}
