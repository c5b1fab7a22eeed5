/** Generates plausible historical payments, identical in every run. */

import type { ActualOutcome } from '../../src/core/live/outcome.ts'
import { transactionColumns, type TransactionColumn } from '../../src/core/assess/transaction.ts'
import { dayMs } from '../../src/core/time/durations.ts'

/** As CSV cells; empty if absent. */
export type Payment = Readonly<Record<TransactionColumn, string>>

type Weighted<Value> = readonly (readonly [value: Value, weight: number])[]

const routes: Weighted<readonly [corridor: string, currency: string]> = [
  [['GB-NG', 'GBP'], 62],
  [['NG-GB', 'NGN'], 24],
  [['GB-NG', 'NGN'], 4],
  [['GB-KE', 'GBP'], 4],
  [['United Kingdom-Nigeria', 'GBP'], 2],
  [['GB-GH', 'GBP'], 2],
  [['FR-NG', 'EUR'], 1],
  [['GB-NG', 'USD'], 1],
]
const outcomes: Weighted<ActualOutcome | ''> = [
  ['COMPLETED', 88],
  ['FAILED', 4],
  ['DELAYED', 4],
  ['REJECTED', 2],
  ['PENDING', 1],
  ['', 1],
]
const rails: Weighted<string> = [
  ['faster_payments', 55],
  ['nip', 25],
  ['swift', 12],
  ['mobile_money', 5],
  ['card', 1],
  ['SWIFT, via correspondent', 1],
  ['', 1],
]

const seed = 20_260_301
const firstMs = Date.UTC(2025, 0, 1)
const yearMs = 365 * dayMs
const unknownAmountShare = 0.005
/** Half of all amounts are below the median; one in six is above median times spread. */
const amountMedian = 900
const amountSpread = 4
const amountHighest = 900_000

export function* payments(count: number): Generator<Payment> {
  const random = createRandom(seed)
  for (let place = 0; place < count; place += 1) {
    const [corridor, currency] = pick(routes, random)
    // In chronological order, as in an export.
    const createdMs = firstMs + Math.floor((place / count) * yearMs)
    yield {
      id: `pay_${String(place + 1).padStart(8, '0')}`,
      corridor,
      amount: random() < unknownAmountShare ? '' : amountOf(random).toFixed(2),
      currency,
      actual_outcome: pick(outcomes, random),
      timestamp: `${new Date(createdMs).toISOString().slice(0, 19)}Z`,
      rail: pick(rails, random),
    }
  }
}

/** Log-normal: most are small, a few are large. */
function amountOf(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(amountMedian * amountSpread ** normal, amountHighest)
}

function pick<Value>(choices: Weighted<Value>, random: () => number): Value {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of choices) {
    left -= weight
    if (left < 0) return value
  }
  throw new Error('there is nothing to choose from')
}

/** Mulberry32: a small, reproducible generator. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const csvHeader = `${transactionColumns.join(',')}\n`

export function csvLine(payment: Payment): string {
  const cells = transactionColumns.map((column) => payment[column])
  return `${cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\n`
}

/** The payment as a transaction of the JSON body. */
export function jsonTransaction(payment: Payment): Readonly<Record<string, string | number>> {
  const present = transactionColumns.filter((column) => payment[column] !== '')
  return Object.fromEntries(
    present.map((column) => [column, column === 'amount' ? Number(payment.amount) : payment[column]]),
  )
}
