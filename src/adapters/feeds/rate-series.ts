/** Parses published daily euro rates in either of the ECB's two CSV formats. */

import { parse } from 'csv-parse/sync'
import type { DailyRate } from '../../core/live/realised-volatility.ts'
import { FeedError } from './source.ts'

export type Series = ReadonlyMap<string, readonly DailyRate[]>

const utf8 = new TextDecoder('utf-8', { fatal: true })
const unreadable = (why: string): FeedError => new FeedError('unreadable', `sent ${why}`, 'provider')

/** Reads only these currencies: the complete history has forty, and parsing them all would block the event loop. */
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
    if (!isDay(day) || !(rate > 0 && Number.isFinite(rate))) throw unreadable('an invalid rate or date')
    rates.push({ day, rate })
  }
  // A rate with a decimal comma would be split into two cells.
  if (lines.some((cells) => widthOf(cells) !== widthOf(head))) throw unreadable('rows of unequal length')
  if (head[0]?.trim() === 'Date') readWide(head, lines, currencies, add)
  else readLong(head, lines, add)
  return series
}

type Add = (currency: string, day: string, text: string) => void
type Rows = readonly (readonly string[])[]

/** One column per currency, one row per day, as in `eurofxref-hist.csv`. */
function readWide(head: readonly string[], lines: Rows, currencies: readonly string[], add: Add): void {
  for (const currency of currencies) {
    const place = head.findIndex((name) => name.trim() === currency)
    if (place > 0) for (const cells of lines) add(currency, cells[0] ?? '', cells[place] ?? '')
  }
}

/** One row per rate, as in the ECB's data service. */
function readLong(head: readonly string[], lines: Rows, add: Add): void {
  const [day = -1, currency = -1, value = -1, denominator = -1] = [
    'TIME_PERIOD',
    'CURRENCY',
    'OBS_VALUE',
    'CURRENCY_DENOM',
  ].map((wanted) => head.findIndex((name) => name.trim() === wanted))
  if (Math.min(day, currency, value) < 0) throw unreadable('a CSV without the columns of a rate series')
  for (const cells of lines) {
    const isInEuro = denominator < 0 || cells[denominator]?.trim() === 'EUR'
    if (isInEuro) add(cells[currency] ?? '', cells[day] ?? '', cells[value] ?? '')
  }
}

/** A text without quotes, like the long history, is split directly, which takes a hundredth of the time. */
function rowsOf(body: Uint8Array): string[][] {
  try {
    const text = utf8.decode(body)
    if (text.includes('"'))
      return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
    const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '')
    const used = head.startsWith('Date') ? newest(lines) : lines
    return [head, ...used].map((line) => line.split(','))
  } catch {
    throw unreadable('an invalid CSV')
  }
}

/** More days than any volatility window, holidays included. */
const linesMax = 400

/** Each line starts with its ISO date, so sorting the lines sorts by day. */
function newest(lines: readonly string[]): readonly string[] {
  return lines.length <= linesMax ? lines : lines.toSorted().slice(-linesMax)
}

/** Ignores the empty cell after a trailing comma. */
function widthOf(cells: readonly string[]): number {
  return cells.at(-1)?.trim() === '' ? cells.length - 1 : cells.length
}

/** There are many dates, so the calendar is consulted only for days after the 28th. */
function isDay(text: string): boolean {
  const [, month = '', day = ''] = /^\d{4}-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (!(Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31)) return false
  return Number(day) <= 28 || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}
