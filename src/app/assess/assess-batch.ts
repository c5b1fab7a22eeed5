/** Assesses a batch of up to 500 past payments. Stores nothing. */

import { assess } from '../../core/assess/assessment.ts'
import { decisionModel } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { add, emptyTally } from '../../core/assess/report.ts'
import {
  collectUnknown,
  readJsonTransaction,
  unreadable,
  type Fault,
  type ReadTransaction,
  type Transaction,
} from '../../core/assess/transaction.ts'
import { isObject } from '../../core/reference/json.ts'
import {
  assessmentColumns,
  cellsOf,
  wireOf,
  wireSums,
  type WireAssessment,
  type WireSums,
} from './batch-wire.ts'
import { ignoredColumns, linesOf, readHeader, readRows } from './csv/read.ts'
import { CsvSplitter } from './csv/scan.ts'
import { csvText } from './csv/write.ts'
import { prefixedId } from '../verify/ids.ts'
import { batchRowsMax, csvExcess, tooManyRows } from './batch-bounds.ts'
import { InputFault } from './input-fault.ts'
import type { Clock, Random } from '../ports/system.ts'
import { ignoredWarnings } from './ignored-columns.ts'

export interface RowFault extends Fault {
  /** Zero-based row index. */
  readonly index: number
  /** One-based line in the CSV; null for JSON. */
  readonly line: number | null
}

/** The result of reading a batch: all rows if every row is valid, otherwise all faults. */
export type ReadBatch =
  | { readonly kind: 'rows'; readonly rows: readonly Transaction[]; readonly warnings: readonly string[] }
  | { readonly kind: 'faults'; readonly faults: readonly RowFault[] }
  /** The input cannot be read as a batch, or has too few or too many rows. */
  | { readonly kind: 'unreadable'; readonly message: string; readonly line: number | null }

export interface BatchReport extends WireSums {
  readonly report_id: string
  readonly report_name: string
  readonly generated_at: string
  readonly model_version: string
  readonly mode: 'shadow'
  readonly transaction_count: number
  readonly _links: { readonly csv: string }
  readonly warnings: readonly string[]
  readonly assessments: readonly WireAssessment[]
}

export function readJsonBatch(transactions: readonly unknown[]): ReadBatch {
  const fault = countFault(transactions.length)
  if (fault !== null) return fault
  const unknown = new Set<string>()
  const rows = transactions.map((value, index) => {
    if (!isObject(value)) return { index, read: unreadable('must be an object') }
    collectUnknown(value, unknown)
    return { index, read: readJsonTransaction(value) }
  })
  return batchOf(rows, ignoredWarnings('members', [...unknown]))
}

export function readCsvBatch(bytes: Uint8Array): ReadBatch {
  const excess = csvExcess(bytes)
  if (excess !== null) return { kind: 'unreadable', message: excess, line: null }
  try {
    const splitter = new CsvSplitter()
    const chunks = [splitter.push(bytes), splitter.end()].filter((chunk) => chunk !== null)
    if (splitter.header === null) throw new InputFault('is empty: a header row is needed')
    const header = readHeader(splitter.header, splitter.headerLine)
    const fault = countFault(splitter.rows)
    if (fault !== null) return fault
    const rows = chunks.flatMap((chunk) => readRows(chunk, header))
    const batch = batchOf(rows, ignoredWarnings('columns', ignoredColumns(header)))
    if (batch.kind !== 'faults') return batch
    const lines = chunks.flatMap(linesOf)
    const faults = batch.faults.map((each) => ({ ...each, line: lines[each.index] ?? null }))
    return { ...batch, faults }
  } catch (error) {
    if (error instanceof InputFault) return { kind: 'unreadable', message: error.message, line: error.line }
    throw error
  }
}

function countFault(count: number): ReadBatch | null {
  if (count >= 1 && count <= batchRowsMax) return null
  const message = count === 0 ? `has no rows; 1 to ${batchRowsMax} are needed` : tooManyRows
  return { kind: 'unreadable', message, line: null }
}

interface IndexedRow {
  readonly index: number
  readonly read: ReadTransaction
}

/** The rows, or every fault of every row, including repeated ids. */
function batchOf(input: readonly IndexedRow[], warnings: readonly string[]): ReadBatch {
  const rows: Transaction[] = []
  const faults: RowFault[] = []
  const firstWith = new Map<string, number>()
  for (const { index, read } of input) {
    const id = read.ok ? read.transaction.id : read.id
    const first = id === null ? undefined : firstWith.get(id)
    if (id !== null && first === undefined) firstWith.set(id, index)
    if (first !== undefined) {
      faults.push({ index, line: null, column: 'id', message: `repeats the id of row ${first + 1}` })
    }
    if (read.ok) rows.push(read.transaction)
    else faults.push(...read.faults.map((fault) => ({ ...fault, index, line: null })))
  }
  return faults.length === 0 ? { kind: 'rows', rows, warnings } : { kind: 'faults', faults }
}

export interface AssessBatchDeps {
  readonly clock: Clock
  readonly random: Random
  readonly policy: Policy
}

interface BatchInput {
  readonly reportName: string | null
  readonly rows: readonly Transaction[]
  readonly warnings: readonly string[]
}

export type AssessBatch = (input: BatchInput) => BatchReport

export function createAssessBatch({ clock, random, policy }: AssessBatchDeps): AssessBatch {
  return ({ reportName, rows, warnings }) => {
    const generatedAt = new Date(clock.nowMs()).toISOString()
    const tally = emptyTally()
    const usedIds = new Set(rows.map((row) => row.id))
    const assessments = rows.map((row, index) => {
      const assessment = assess(row, row.id ?? freeId(index, usedIds), index, policy)
      add(tally, assessment)
      return wireOf(assessment)
    })
    return {
      report_id: prefixedId('rep', random),
      report_name: reportName === null || reportName === '' ? defaultReportName(generatedAt) : reportName,
      generated_at: generatedAt,
      model_version: decisionModel,
      mode: 'shadow',
      transaction_count: rows.length,
      ...wireSums(tally),
      _links: { csv: 'POST the same body to /api/v1/batch-assess?format=csv' },
      warnings,
      assessments,
    }
  }
}

export function defaultReportName(generatedAt: string): string {
  return `Batch assessment of ${generatedAt.slice(0, 10)}`
}

/** The id assigned to a row without one. */
export function assignedId(index: number): string {
  return `row-${index + 1}`
}

/** An assigned id that no row uses. */
function freeId(index: number, usedIds: ReadonlySet<string | null>): string {
  const plain = assignedId(index)
  if (!usedIds.has(plain)) return plain
  for (let suffix = 2; ; suffix += 1) if (!usedIds.has(`${plain}-${suffix}`)) return `${plain}-${suffix}`
}

export function batchCsv({ assessments }: BatchReport): string {
  return csvText([assessmentColumns, ...assessments.map(cellsOf)])
}
