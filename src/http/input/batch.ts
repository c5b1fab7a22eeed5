/** Reads the payments of a batch from a JSON or CSV body. */

import type { Static } from 'typebox'
import { readCsvBatch, readJsonBatch } from '../../app/assess/assess-batch.ts'
import { ignoredWarnings } from '../../app/assess/batch-warnings.ts'
import type { Transaction } from '../../core/assess/transaction.ts'
import { invalid, type Problem } from '../errors.ts'
import type { BatchFrame } from '../schemas/batch.ts'
import { CsvBody } from './body.ts'
import { errorsOf, noRows } from './rows.ts'
import { warningsOf } from './validator.ts'

/** The member of a JSON body that holds the rows. */
export const rowsMember = 'transactions'

type BatchInput = CsvBody | Static<typeof BatchFrame>

type ReadBatchRequest =
  | {
      readonly kind: 'rows'
      readonly rows: readonly Transaction[]
      readonly warnings: readonly string[]
      readonly reportName: string | null
    }
  | { readonly kind: 'refused'; readonly problem: Problem }

/** The name in the query is for a CSV body, which cannot contain one. */
export function readBatch(input: unknown, nameInQuery: string | undefined): ReadBatchRequest {
  const body = input as BatchInput | undefined
  // A body without a content type was refused earlier, so here there is no body at all.
  if (body === undefined) return { kind: 'refused', problem: invalid([{ path: '', message: noRows }]) }
  const isCsv = body instanceof CsvBody
  const read = isCsv ? readCsvBatch(body.bytes) : readJsonBatch(body.transactions)
  if (read.kind !== 'rows')
    return { kind: 'refused', problem: invalid(errorsOf(read, { member: rowsMember, isCsv })) }
  const reportName = (isCsv ? undefined : body.report_name) ?? nameInQuery
  const warnings = [...ignoredIn(body), ...read.warnings]
  return { kind: 'rows', rows: read.rows, warnings, reportName: reportName?.trim() ?? null }
}

/** Unknown members of the body itself; those of its rows are found with the rows. */
function ignoredIn(body: BatchInput): string[] {
  return ignoredWarnings(
    'members',
    warningsOf(body).map(({ path }) => path.slice(1)),
  )
}
