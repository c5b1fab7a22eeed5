/** Published daily rates of one euro, in either of the two CSV forms in which the ECB gives them. */

import { parse } from 'csv-parse/sync'
import type { DailyRate } from '../../core/live/realised-volatility.ts'
import { FeedError } from './source.ts'

export type Series = ReadonlyMap<string, readonly DailyRate[]>

const utf8 = new TextDecoder('utf-8', { fatal: true })
const unreadable = (why: string): FeedError => new FeedError('unreadable', `answered with ${why}`, 'provider')

/** Only these currencies: the whole history has forty of them, and reading all of it would hold everybody up. */
export function ratesOf(body: Uint8Array, currencies: readonly string[]): Series {
  const [head = [], ...lines] = rowsOf(body)
  const series = new Map<string, DailyRate[]>(currencies.map((currency) => [currency, []]))
  const add = (currency: string, dayCell: string, cell: string): void => {
    const rates = series.get(currency.trim())
    const text = cell.trim()
    const day = dayCell.trim()
    // Days without a rate are published as N/A.
    if (rates === undefined || text === '' || text === 'N/A' || text === 'NaN') return
    const rate = Number(text)
    if (!isDay(day) || !(rate > 0 && Number.isFinite(rate))) throw unreadable('a rate that cannot be read')
    rates.push({ day, rate })
  }
  // A rate with a comma in it would be read as another one.
  if (lines.some((cells) => widthOf(cells) !== widthOf(head))) throw unreadable('rows of unequal lengths')
  if (head[0]?.trim() === 'Date') readWide(head, lines, currencies, add)
  else readLong(head, lines, add)
  return series
}

type Add = (currency: string, day: string, text: string) => void
type Rows = readonly (readonly string[])[]

/** A column a currency, a row a day, as in `eurofxref-hist.csv`. */
function readWide(head: readonly string[], lines: Rows, currencies: readonly string[], add: Add): void {
  for (const currency of currencies) {
    const place = head.findIndex((name) => name.trim() === currency)
    if (place > 0) for (const cells of lines) add(currency, cells[0] ?? '', cells[place] ?? '')
  }
}

/** A row for each rate, as the ECB's data service gives them. */
function readLong(head: readonly string[], lines: Rows, add: Add): void {
  const [day = -1, currency = -1, value = -1, denominator = -1] = [
    'TIME_PERIOD',
    'CURRENCY',
    'OBS_VALUE',
    'CURRENCY_DENOM',
  ].map((wanted) => head.findIndex((name) => name.trim() === wanted))
  if (Math.min(day, currency, value) < 0) throw unreadable('columns that no rate series has')
  for (const cells of lines) {
    const isInEuro = denominator < 0 || cells[denominator]?.trim() === 'EUR'
    if (isInEuro) add(cells[currency] ?? '', cells[day] ?? '', cells[value] ?? '')
  }
}

/** Without quotation marks a line is its cells: the long history has none, and is read in a hundredth of the time. */
function rowsOf(body: Uint8Array): string[][] {
  try {
    const text = utf8.decode(body)
    if (text.includes('"'))
      return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
    const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '')
    const kept = head.startsWith('Date') ? newest(lines) : lines
    return [head, ...kept].map((line) => line.split(','))
  } catch {
    throw unreadable('what is no CSV')
  }
}

/** More days than any volatility is made of, holidays and all. */
const linesMax = 400

/** A line begins with its day, so that the order of the texts is that of the days. */
function newest(lines: readonly string[]): readonly string[] {
  return lines.length <= linesMax ? lines : lines.toSorted().slice(-linesMax)
}

/** Some lines end in a comma, and so in a cell that is none. */
function widthOf(cells: readonly string[]): number {
  return cells.at(-1)?.trim() === '' ? cells.length - 1 : cells.length
}

/** Days are many and the same: whether one is in the calendar is worked out only where it could not be. */
function isDay(text: string): boolean {
  const [, month = '', day = ''] = /^\d{4}-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (!(Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31)) return false
  return Number(day) <= 28 || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}
