/** Assesses one chunk of a file: the job of each `fairway assess` worker thread. */

import { assess } from '../../core/assess/assessment.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { add, emptyTally, type Tally } from '../../core/assess/report.ts'
import { unreadable, type Fault } from '../../core/assess/row-form.ts'
import {
  transactionColumns,
  transactionForm,
  type ReadTransaction,
  type TransactionColumn,
} from '../../core/assess/transaction.ts'
import { isObject } from '../../core/reference/json.ts'
import { assignedId } from './assess-batch.ts'
import { cellsOf, wireOf } from './batch-wire.ts'
import { linesOf, readRows, rejectedLead, type Header } from './csv/read.ts'
import { csvText, defused, type Cell } from './csv/write.ts'
import { InputFault, type Chunk } from './input-fault.ts'
import { readElements } from './json-elements.ts'

/** The header is null for JSON files. */
export interface ChunkJob {
  readonly chunk: Chunk
  readonly header: Header<TransactionColumn> | null
}

export type ChunkResult =
  | {
      readonly kind: 'assessed'
      /** CSV rows without a header. */
      readonly assessed: Uint8Array
      readonly rejected: Uint8Array
      readonly rejectedRows: number
      /** Ignored members of JSON rows. */
      readonly unknown: readonly string[]
      readonly tally: Tally
    }
  | { readonly kind: 'unreadable'; readonly message: string; readonly line: number | null }

export type AssessChunk = (job: ChunkJob) => ChunkResult

interface Row {
  readonly index: number
  readonly cells: readonly string[]
  readonly read: ReadTransaction
}

export function createAssessChunk(policy: Policy): AssessChunk {
  const encoder = new TextEncoder()
  return ({ chunk, header }) => {
    try {
      const unknown = new Set<string>()
      const rows: readonly Row[] =
        header === null ? elementRows(chunk, unknown) : readRows(chunk, header, transactionForm)
      const tally = emptyTally()
      const assessed: Cell[][] = []
      const rejected: Cell[][] = []
      let lines: readonly number[] | null = null
      for (const [place, { index, cells, read }] of rows.entries()) {
        if (read.ok) {
          const { value: transaction } = read
          const assessment = assess(transaction, transaction.id ?? assignedId(index), index, policy)
          add(tally, assessment)
          assessed.push(cellsOf(wireOf(assessment)))
        } else {
          lines ??= header === null ? [] : linesOf(chunk)
          const own = ownCells(cells, header).map(defused)
          rejected.push([index + 1, lines[place] ?? null, reasonOf(read.faults), ...own])
        }
      }
      return {
        kind: 'assessed',
        assessed: encoder.encode(csvText(assessed)),
        rejected: encoder.encode(csvText(rejected)),
        rejectedRows: rejected.length,
        unknown: [...unknown],
        tally,
      }
    } catch (error) {
      if (error instanceof InputFault) return { kind: 'unreadable', message: error.message, line: error.line }
      throw error
    }
  }
}

/** The columns of `rejected.csv`. Once its rows are corrected, the file can be assessed directly. */
export function rejectedColumns(header: Header | null): string[] {
  const own = header === null ? transactionColumns : header.names
  // If the input is itself a `rejected.csv`, the new row, line and reason replace the old ones.
  return [...rejectedLead, ...own.slice(header?.defused === true ? rejectedLead.length : 0).map(defused)]
}

/** The input's own cells, without the row, line and reason of an earlier `rejected.csv`. */
function ownCells(cells: readonly string[], header: Header | null): readonly string[] {
  const hasLead = header?.defused === true && cells.length === header.names.length
  return hasLead ? cells.slice(rejectedLead.length) : cells
}

function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ column, message }) => `${column ?? 'the row'} ${message}`).join('; ')
}

function elementRows(chunk: Chunk, unknown: Set<string>): Row[] {
  return readElements(chunk).map((value, place) => {
    const index = chunk.firstRow + place
    if (!isObject(value)) {
      return { index, cells: [cellText(value)], read: unreadable('must be an object') }
    }
    transactionForm.collectUnknown(value, unknown)
    const read = transactionForm.readJson(value)
    const raw = read.ok ? {} : transactionForm.columnValues(value)
    return { index, cells: read.ok ? [] : transactionColumns.map((column) => cellText(raw[column])), read }
  })
}

function cellText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    // Writing deeply nested JSON can exceed the call stack.
    return '(nested too deeply to show)'
  }
}
