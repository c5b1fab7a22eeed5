/** Validates a row of a batch, by the same rules for JSON and CSV. */

import { corridorLengthMax, corridorRule, parseCorridor, type Corridor } from '../reference/corridor.ts'
import { currencyRule, defaultCurrency, parseCurrency, type Currency } from '../reference/currency.ts'
import { folded } from '../reference/json.ts'
import { actualOutcomes, type ActualOutcome } from '../live/outcome.ts'

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

export interface Fault {
  readonly column: TransactionColumn | null
  readonly message: string
}

/** An unvalidated row: missing members are undefined, and types may be wrong. */
export type RawTransaction = Readonly<Partial<Record<TransactionColumn, unknown>>>

export const textLengthMax = { id: 255, rail: 64, timestamp: 40 } as const
/** The largest accepted amount, in any currency. */
export const amountMax = 1e15

export type ReadTransaction =
  | { readonly ok: true; readonly transaction: Transaction }
  /** Includes the id, since another row may repeat it. */
  | { readonly ok: false; readonly id: string | null; readonly faults: readonly Fault[] }

/** Reports every fault of a row, not only the first. */
export function readTransaction(raw: RawTransaction): ReadTransaction {
  const faults: Fault[] = []
  const fail = (column: TransactionColumn, message: string): null => {
    faults.push({ column, message })
    return null
  }
  const corridor = corridorOf(raw.corridor, fail)
  const transaction = {
    id: textOf('id', raw.id, fail),
    corridor: corridor ?? unknownCorridor,
    amount: amountOf(raw.amount, fail),
    currency: currencyOf(raw.currency, fail) ?? defaultCurrency,
    actualOutcome: outcomeOf(raw.actual_outcome, fail),
    month: monthOf(raw.timestamp, fail),
  }
  textOf('rail', raw.rail, fail)
  return faults.length === 0 ? { ok: true, transaction } : { ok: false, id: transaction.id, faults }
}

type Fail = (column: TransactionColumn, message: string) => null

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

const outcomesByName: ReadonlyMap<unknown, ActualOutcome> = new Map(
  actualOutcomes.map((outcome) => [outcome, outcome]),
)

function outcomeOf(value: unknown, fail: Fail): ActualOutcome | null {
  if (value === undefined) return null
  return outcomesByName.get(value) ?? fail('actual_outcome', `must be one of ${actualOutcomes.join(', ')}`)
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const control = /[\u0000-\u001f\u007f-\u009f]/

function textOf(column: keyof typeof textLengthMax, value: unknown, fail: Fail): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') return fail(column, 'must be a string')
  const text = value.trim()
  if (text === '') return fail(column, 'must not be empty')
  const lengthMax = textLengthMax[column]
  if (text.length > lengthMax) return fail(column, `must have at most ${lengthMax} characters`)
  if (!text.isWellFormed()) return fail(column, 'must be well-formed Unicode')
  return control.test(text) ? fail(column, 'must not contain control characters') : text
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

const knownColumns: ReadonlySet<string> = new Set(transactionColumns)
/** At most this many unknown names are reported. */
export const unknownNamesMax = 100

const columnByFolded = new Map(transactionColumns.map((column) => [folded(column), column]))

/** Reads a row from JSON: a null member is a missing one, but for the amount, and a likely misspelling is a fault. */
export function readJsonTransaction(row: Readonly<Record<string, unknown>>): ReadTransaction {
  const names = Object.keys(row)
  const present = names.filter((name) => row[name] !== null || name === 'amount')
  const read = readTransaction(
    present.length === names.length ? row : Object.fromEntries(present.map((name) => [name, row[name]])),
  )
  const misspelt = names.flatMap((name): Fault[] => {
    const column = knownColumns.has(name) ? undefined : columnByFolded.get(folded(name))
    if (column === undefined) return []
    return [{ column, message: `must be named ${column}, not ${name.slice(0, 64).toWellFormed()}` }]
  })
  if (misspelt.length === 0) return read
  return {
    ok: false,
    id: read.ok ? read.transaction.id : read.id,
    faults: read.ok ? misspelt : [...misspelt, ...read.faults],
  }
}

/** The value for each column of a row from JSON, also where the member is misspelt. */
export function columnValues(row: Readonly<Record<string, unknown>>): RawTransaction {
  const raw: Partial<Record<TransactionColumn, unknown>> = {}
  for (const [name, value] of Object.entries(row)) {
    const column = columnByFolded.get(folded(name))
    if (column !== undefined && (knownColumns.has(name) || raw[column] === undefined)) raw[column] = value
  }
  return raw
}

/** Collects the names of ignored members, so that a misspelt one is reported. */
export function collectUnknown(row: object, unknown: Set<string>): void {
  for (const name in row) {
    if (!knownColumns.has(name) && unknown.size < unknownNamesMax) unknown.add(name)
  }
}

/** The result for a row that cannot be parsed. */
export function unreadable(message: string): ReadTransaction {
  return { ok: false, id: null, faults: [{ column: null, message }] }
}

/**
 * Converts text cells to a row: an empty cell is a missing member, and an amount is a plain number. An amount that
 * cannot be parsed stays text, so that validation reports it.
 */
export function rawOfCells(cells: Readonly<Partial<Record<TransactionColumn, string>>>): RawTransaction {
  const raw: Partial<Record<TransactionColumn, unknown>> = {}
  for (const column of transactionColumns) {
    const text = cells[column]?.trim() ?? ''
    if (text !== '') raw[column] = column === 'amount' ? numberOf(text) : text
  }
  return raw
}

/** The pattern matches digits in one way only, to avoid backtracking: a cell may have a mebibyte of digits. */
function numberOf(text: string): number | string {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(text) ? Number(text) : text
}
