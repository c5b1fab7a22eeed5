/**
 * Generates examples/payments.csv: a year of synthetic payments with outcomes. Run with `npm run generate`; a test
 * checks that the file is up to date.
 */

import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { stringify } from 'csv-stringify/sync'
import { hash32 } from '../src/core/shadow/hash.ts'
import { dayMs, minuteMs } from '../src/core/time/durations.ts'

const rowCount = 200
const firstDayMs = Date.UTC(2025, 9, 1)

/** An integer from 0 up to but not including `below`, deterministic for a row and purpose. */
function pick(row: number, purpose: string, below: number): number {
  return hash32(`example|${purpose}|${row}`) % below
}

function choose<Value>(row: number, purpose: string, weighted: readonly (readonly [Value, number])[]): Value {
  let left = pick(
    row,
    purpose,
    weighted.reduce((sum, [, weight]) => sum + weight, 0),
  )
  for (const [value, weight] of weighted) {
    if (left < weight) return value
    left -= weight
  }
  throw new RangeError('no weights')
}

interface Route {
  readonly corridor: string
  readonly currency: string
  readonly rail: string
}

const routes: readonly (readonly [Route, number])[] = [
  [{ corridor: 'GB-NG', currency: 'GBP', rail: 'FPS' }, 104],
  [{ corridor: 'NG-GB', currency: 'GBP', rail: 'SWIFT' }, 52],
  [{ corridor: 'GB-NG', currency: 'EUR', rail: 'SWIFT' }, 6],
  [{ corridor: 'GB-GH', currency: 'GBP', rail: 'SWIFT' }, 10],
  [{ corridor: 'GB-KE', currency: 'GBP', rail: 'SWIFT' }, 8],
  [{ corridor: 'US-NG', currency: 'USD', rail: 'ACH' }, 8],
  [{ corridor: 'NG-AE', currency: 'USD', rail: 'SWIFT' }, 6],
]

/** The range of amounts, and its weight out of 200. */
const amountRanges: readonly (readonly [readonly [number, number], number])[] = [
  [[20, 900], 70],
  [[900, 9_000], 62],
  [[9_000, 48_000], 36],
  [[50_500, 190_000], 22],
  [[200_000, 490_000], 6],
  [[505_000, 820_000], 4],
]

/** Larger payments fail more often; some are pending, some have no reported outcome. */
function outcomeOf(row: number, amount: number): string {
  const trouble = amount > 190_000 ? 55 : amount > 50_000 ? 40 : amount > 9_000 ? 14 : 6
  return choose(row, 'outcome', [
    ['COMPLETED', 100 - trouble],
    ['FAILED', Math.ceil(trouble * 0.4)],
    ['DELAYED', Math.ceil(trouble * 0.35)],
    ['REJECTED', Math.ceil(trouble * 0.25)],
    ['PENDING', 4],
    ['', 4],
  ])
}

function paymentOf(row: number): string[] {
  const { corridor, currency, rail } = choose(row, 'route', routes)
  const [from, to] = choose(row, 'range', amountRanges)
  const amount = from + pick(row, 'amount', to - from)
  const pence = pick(row, 'pence', 4) === 0 ? 10 * pick(row, 'tens', 10) : 0
  const minutes = 7 * 60 + pick(row, 'minute', 12 * 60)
  const at = new Date(firstDayMs + Math.floor((row * 365) / rowCount) * dayMs + minutes * minuteMs)
  return [
    `PAY-${String(row + 1).padStart(5, '0')}`,
    corridor,
    pence === 0 ? String(amount) : `${amount}.${pence}`,
    currency,
    outcomeOf(row, amount),
    at.toISOString().replace('.000', ''),
    rail,
  ]
}

export function examplePayments(): string {
  const head = ['id', 'corridor', 'amount', 'currency', 'actual_outcome', 'timestamp', 'rail']
  return stringify([head, ...Array.from({ length: rowCount }, (_, row) => paymentOf(row))])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('../examples/payments.csv', import.meta.url), examplePayments())
}
