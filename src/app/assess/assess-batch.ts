/** Assesses a batch of up to 500 past payments. Stores nothing. */

import { assess } from '../../core/assess/assessment.ts'
import { decisionModel } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { add, emptyTally, type Tally } from '../../core/assess/report.ts'
import { transactionForm, type Transaction } from '../../core/assess/transaction.ts'
import {
  assessmentColumns,
  cellsOf,
  wireOf,
  wireSums,
  type WireAssessment,
  type WireSums,
} from './batch-wire.ts'
import { countryWarnings } from './batch-warnings.ts'
import { csvText } from './csv/write.ts'
import { prefixedId } from '../verify/ids.ts'
import { readCsvRows, readJsonRows, type ReadRows } from './batch-rows.ts'
import type { Clock, Random } from '../ports/system.ts'

/** The result of reading a batch. */
export type ReadBatch = ReadRows<Transaction>

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

export const readJsonBatch = (rows: readonly unknown[]): ReadBatch => readJsonRows(rows, transactionForm)
export const readCsvBatch = (bytes: Uint8Array): ReadBatch => readCsvRows(bytes, transactionForm)

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

interface AssessedBatch {
  readonly report: BatchReport
  /** The sums behind it, for the report page. */
  readonly tally: Tally
}

export type AssessBatch = (input: BatchInput) => AssessedBatch

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
    const report = {
      report_id: prefixedId('rep', random),
      report_name: reportName === null || reportName === '' ? defaultReportName(generatedAt) : reportName,
      generated_at: generatedAt,
      model_version: decisionModel,
      mode: 'shadow' as const,
      transaction_count: rows.length,
      ...wireSums(tally),
      _links: { csv: 'POST the same body to /api/v1/batch-assess?format=csv' },
      warnings: [...warnings, ...countryWarnings(tally)],
      assessments,
    }
    return { report, tally }
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
