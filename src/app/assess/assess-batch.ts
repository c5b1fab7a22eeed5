/** A batch of up to 500 payments of the past, assessed at once. Nothing is stored. */

import { assess } from '../../core/assess/assessment.ts'
import { decisionModel } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { add, emptyTally } from '../../core/assess/report.ts'
import {
  noteUnknown,
  readTransaction,
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
import { InputFault } from './input-fault.ts'
import type { Clock, Random } from '../ports/system.ts'
import { ignoredWarnings } from './ignored-columns.ts'

export const batchRowsMax = 500

export interface RowFault extends Fault {
  /** From 0. */
  readonly index: number
  /** In the CSV, from 1; null for JSON. */
  readonly line: number | null
}

/** What came in, read: rows that are all good, or everything that is wrong with them. */
export type ReadBatch =
  | { readonly kind: 'rows'; readonly rows: readonly Transaction[]; readonly warnings: readonly string[] }
  | { readonly kind: 'faults'; readonly faults: readonly RowFault[] }
  /** The whole cannot be read, or has too few or too many rows. */
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
  const wrong = countFault(transactions.length)
  if (wrong !== null) return wrong
  const unknown = new Set<string>()
  const found = transactions.map((value, index) => {
    if (!isObject(value)) return { index, read: unreadable('must be an object') }
    noteUnknown(value, unknown)
    return { index, read: readTransaction(value) }
  })
  return settled(found, ignoredWarnings('Members', [...unknown]))
}

export function readCsvBatch(bytes: Uint8Array): ReadBatch {
  try {
    const splitter = new CsvSplitter()
    const chunks = [splitter.push(bytes), splitter.end()].filter((chunk) => chunk !== null)
    if (splitter.header === null) throw new InputFault('is empty: a header row is needed')
    const header = readHeader(splitter.header, splitter.headerLine)
    const wrong = countFault(splitter.rows)
    if (wrong !== null) return wrong
    const rows = chunks.flatMap((chunk) => readRows(chunk, header))
    const read = settled(rows, ignoredWarnings('Columns', ignoredColumns(header)))
    if (read.kind !== 'faults') return read
    const lines = chunks.flatMap(linesOf)
    return { ...read, faults: read.faults.map((fault) => ({ ...fault, line: lines[fault.index] ?? null })) }
  } catch (error) {
    if (error instanceof InputFault) return { kind: 'unreadable', message: error.message, line: error.line }
    throw error
  }
}

function countFault(count: number): ReadBatch | null {
  if (count >= 1 && count <= batchRowsMax) return null
  const message =
    count === 0
      ? `has no rows; 1 to ${batchRowsMax} are needed`
      : `has ${count} rows; at most ${batchRowsMax} are allowed`
  return { kind: 'unreadable', message, line: null }
}

interface Found {
  readonly index: number
  readonly read: ReadTransaction
}

/** Every fault of every row, a repeated id among them; or the rows. */
function settled(found: readonly Found[], warnings: readonly string[]): ReadBatch {
  const rows: Transaction[] = []
  const faults: RowFault[] = []
  const firstWith = new Map<string, number>()
  for (const { index, read } of found) {
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
    const taken = new Set(rows.map((row) => row.id))
    const assessments = rows.map((row, index) => {
      const assessment = assess(row, row.id ?? freeId(index, taken), index, policy)
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

/** The id that a row without one is given. */
export function assignedId(index: number): string {
  return `row-${index + 1}`
}

/** A given id is never given again. */
function freeId(index: number, taken: ReadonlySet<string | null>): string {
  const plain = assignedId(index)
  if (!taken.has(plain)) return plain
  for (let more = 2; ; more += 1) if (!taken.has(`${plain}-${more}`)) return `${plain}-${more}`
}

export function batchCsv({ assessments }: BatchReport): string {
  return csvText([assessmentColumns, ...assessments.map(cellsOf)])
}
