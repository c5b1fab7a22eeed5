/** Bounds what a batch may cost before it is parsed: its rows, and the values in it. */

import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  lineFeed,
  openBrace,
  openBracket,
  quote,
} from './json-elements.ts'

export const batchRowsMax = 500

/** Values of all rows: 100 for each row as JSON, 200 as CSV, which costs less to read. */
const valuesMax = { json: 100 * batchRowsMax, csv: 200 * batchRowsMax }
/** Five for each row: reading an object or a list costs far more than reading a number. */
const containersMax = 5 * batchRowsMax
/** Members beside the rows. */
const membersMax = 100

export const tooManyRows = `has more than ${batchRowsMax} rows; at most ${batchRowsMax} are allowed`
const tooManyValues = `has too many values for ${batchRowsMax} rows`

/** Why this JSON is too much for a batch whose rows are in `member`, or null. Stops reading at the first row too many. */
export function jsonExcess(json: Uint8Array, member: string): string | null {
  let depth = 0
  let rowsDepth = 0
  let rowEnds = 0
  let values = 0
  let members = 0
  let containers = 0
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place]
    if (byte === quote) place = endOfText(json, place)
    else if (byte === comma) {
      values += 1
      if (depth === 1) members += 1
      if (depth === rowsDepth) rowEnds += 1
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      containers += 1
      if (depth === 2 && byte === openBracket && followsName(json, place, member)) rowsDepth = 2
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === rowsDepth) rowsDepth = 0
      depth -= 1
    }
    if (rowEnds >= batchRowsMax) return tooManyRows
    if (values > valuesMax.json || members > membersMax || containers > containersMax) return tooManyValues
  }
  return null
}

/** The place of the quote that ends the text starting here. */
function endOfText(json: Uint8Array, start: number): number {
  let place = start + 1
  while (place < json.length && json[place] !== quote) place += json[place] === backslash ? 2 : 1
  return place
}

/** A name in another spelling is not found here; its rows are counted after they are read. */
function followsName(json: Uint8Array, place: number, member: string): boolean {
  const lead = Buffer.from(json.subarray(Math.max(0, place - 100), place)).toString('latin1')
  return lead.trimEnd().replace(/\s*:$/, '').endsWith(`"${member}"`)
}

/** Why this CSV is too much for a batch, or null. */
export function csvExcess(csv: Uint8Array): string | null {
  let cells = 0
  for (const byte of csv) {
    if (byte === comma || byte === lineFeed) cells += 1
    if (cells > valuesMax.csv) return tooManyValues
  }
  return null
}
