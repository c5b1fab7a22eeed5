/** Assesses one piece of a file: what each thread of `fairway assess` does. */

import { assess } from '../core/assessment.ts'
import type { Policy } from '../core/policy.ts'
import { add, emptyTally, type Tally } from '../core/report.ts'
import {
  readTransaction,
  transactionColumns,
  unreadable,
  type Fault,
  type RawTransaction,
  type ReadTransaction,
} from '../core/transaction.ts'
import { assignedId } from './assess-batch.ts'
import { cellsOf, wireOf } from './batch-wire.ts'
import { linesOf, readRows, type Header } from './csv/read.ts'
import { csvText, defused, type Cell } from './csv/write.ts'
import { InputFault, type Chunk } from './input-fault.ts'
import { readElements } from './json-elements.ts'

/** A header where the file is CSV, null where it is JSON. */
export interface ChunkJob {
  readonly chunk: Chunk
  readonly header: Header | null
}

export type ChunkResult =
  | {
      readonly kind: 'assessed'
      /** CSV, without headers. */
      readonly assessed: Uint8Array
      readonly rejected: Uint8Array
      readonly rejectedRows: number
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
      const rows: readonly Row[] = header === null ? elementRows(chunk) : readRows(chunk, header)
      const tally = emptyTally()
      const assessed: Cell[][] = []
      const rejected: Cell[][] = []
      let lines: readonly number[] | null = null
      for (const [place, { index, cells, read }] of rows.entries()) {
        if (read.ok) {
          const { transaction } = read
          const assessment = assess(transaction, transaction.id ?? assignedId(index), index, policy)
          add(tally, assessment)
          assessed.push(cellsOf(wireOf(assessment)))
        } else {
          lines ??= header === null ? [] : linesOf(chunk)
          rejected.push([index + 1, lines[place] ?? null, reasonOf(read.faults), ...cells.map(defused)])
        }
      }
      return {
        kind: 'assessed',
        assessed: encoder.encode(csvText(assessed)),
        rejected: encoder.encode(csvText(rejected)),
        rejectedRows: rejected.length,
        tally,
      }
    } catch (error) {
      if (error instanceof InputFault) return { kind: 'unreadable', message: error.message, line: error.line }
      throw error
    }
  }
}

/** The columns of `rejected.csv`: once its rows are mended it can be assessed as it is. */
export function rejectedColumns(header: Header | null): string[] {
  return ['row', 'line', 'reason', ...(header === null ? transactionColumns : header.names).map(defused)]
}

function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ column, message }) => `${column ?? 'the row'} ${message}`).join('; ')
}

function elementRows(chunk: Chunk): Row[] {
  return readElements(chunk).map((value, place) => {
    const index = chunk.firstRow + place
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { index, cells: [JSON.stringify(value)], read: unreadable('must be an object') }
    }
    const raw: RawTransaction = value
    const read = readTransaction(raw)
    return { index, cells: read.ok ? [] : transactionColumns.map((column) => cellText(raw[column])), read }
  })
}

function cellText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
