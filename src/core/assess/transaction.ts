/** Validates a row of a batch, by the same rules for JSON and CSV. */

import { corridorLengthMax, corridorRule, parseCorridor, type Corridor } from '../reference/corridor.ts'
import { currencyRule, defaultCurrency, parseCurrency, type Currency } from '../reference/currency.ts'
import { outcomeRule, outcomesByName, type ActualOutcome } from '../live/outcome.ts'
import { RowForm, textIn, type Fail as FailOf, type Fault, type RawRow, type ReadRow } from './row-form.ts'

export const transactionColumns = [
  'id',
  'corridor',
  'amount',
  'currency',
  'actual_outcome',
  'timestamp',
  'rail',
] as const

export type TransactionColumn = (typeof transactionColumns)[number]

export interface Transaction {
  /** Null if not provided. */
  readonly id: string | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly actualOutcome: ActualOutcome | null
  /** `2026-03`, from the timestamp as written; null if not provided. */
  readonly month: string | null
}

export const textLengthMax = { id: 255, rail: 64, timestamp: 40 } as const
/** The largest accepted amount, in any currency. */
export const amountMax = 1e15

export type ReadTransaction = ReadRow<Transaction, TransactionColumn>

/** Reports every fault of a row, not only the first. */
export function readTransaction(raw: RawRow<TransactionColumn>): ReadTransaction {
  const faults: Fault<TransactionColumn>[] = []
  const fail = (column: TransactionColumn, message: string): null => {
    faults.push({ column, message })
    return null
  }
  const corridor = corridorOf(raw.corridor, fail)
  const transaction = {
    id: textIn('id', raw.id, textLengthMax.id, fail),
    corridor: corridor ?? unknownCorridor,
    amount: amountOf(raw.amount, fail),
    currency: currencyOf(raw.currency, fail) ?? defaultCurrency,
    actualOutcome: outcomeOf(raw.actual_outcome, fail),
    month: monthOf(raw.timestamp, fail),
  }
  textIn('rail', raw.rail, textLengthMax.rail, fail)
  const { id } = transaction
  return faults.length === 0 ? { ok: true, id, value: transaction } : { ok: false, id, faults }
}

type Fail = FailOf<TransactionColumn>

/** Placeholder for an invalid corridor; a row with it is refused. */
const unknownCorridor = '' as Corridor

function corridorOf(value: unknown, fail: Fail): Corridor | null {
  if (value === undefined) return fail('corridor', 'is required')
  if (typeof value !== 'string') return fail('corridor', 'must be a string')
  const corridor = value.length > corridorLengthMax ? null : parseCorridor(value)
  return corridor ?? fail('corridor', corridorRule)
}

function amountOf(value: unknown, fail: Fail): number | null {
  if (value === undefined) return null
  if (typeof value !== 'number') return fail('amount', 'must be a plain number, like 1234.56')
  if (!Number.isFinite(value)) return fail('amount', 'must be a finite number')
  if (value < 0) return fail('amount', 'must not be negative')
  return value > amountMax ? fail('amount', `must be at most ${amountMax}`) : value
}

function currencyOf(value: unknown, fail: Fail): Currency | null {
  if (value === undefined) return null
  return (typeof value === 'string' ? parseCurrency(value) : null) ?? fail('currency', currencyRule)
}

function outcomeOf(value: unknown, fail: Fail): ActualOutcome | null {
  if (value === undefined) return null
  return outcomesByName.get(value) ?? fail('actual_outcome', outcomeRule)
}

const timestampForm =
  /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

export const timestampRule = 'must be an ISO 8601 date or date-time, like 2026-03-01T09:30:00Z'

/** Whether a text is a valid date or date-time. */
function isTimestamp(text: string): boolean {
  if (!timestampForm.test(text)) return false
  const day = Number(text.slice(8, 10))
  return day >= 1 && day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)))
}

function monthOf(value: unknown, fail: Fail): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value.trim() : ''
  return isTimestamp(text) ? text.slice(0, 7) : fail('timestamp', timestampRule)
}

/** The time of a timestamp, in UTC unless it has an offset; null if invalid. */
export function parseTimestamp(text: string): number | null {
  if (!isTimestamp(text)) return null
  const [, date, time = '00:00', seconds = '00', fraction = '', sign, hours, minutes = '00'] =
    /^(\S{10})(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?)?(?:Z|([+-])(\d\d):?(\d\d)?)?$/.exec(text) ?? []
  // A leap second counts as the last second of its minute.
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  const atMs = Date.parse(
    `${date}T${time}:${seconds === '60' ? '59' : seconds}${fraction.slice(0, 4)}${zone}`,
  )
  return Number.isNaN(atMs) ? null : atMs
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Zero for an invalid month. */
function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0)
}

export const transactionForm = new RowForm<Transaction, TransactionColumn>({
  columns: transactionColumns,
  keys: ['corridor'],
  idColumn: 'id',
  numberColumn: 'amount',
  read: readTransaction,
})
