/** Keeps reports of batch assessments, with figures that the service has computed itself. */

import type { Transaction } from '../../core/assess/transaction.ts'
import type { Caller } from '../people/caller.ts'
import type { Attributed } from '../ports/records.ts'
import type { KeptReport } from '../ports/assess.ts'
import type { Clock } from '../ports/system.ts'
import type { Store } from '../ports/store.ts'
import type { AssessBatch, BatchReport } from './assess-batch.ts'
import { reportPage } from './report/page.ts'

/** A sandbox is anybody's, so it may keep less. */
export const keptReportsMax = { sandbox: 20, others: 200 } as const

interface KeepCommand {
  readonly ownerId: string
  readonly isSandbox: boolean
  readonly by: Attributed
  readonly reportName: string | null
  readonly rows: readonly Transaction[]
  readonly warnings: readonly string[]
}

/** The figures of a kept report, and the month of each row, which they do not have. */
export interface KeptContent {
  readonly months: readonly (string | null)[]
  readonly report: BatchReport
}

/** Everybody of the owner reads a report. It is deleted by the principal who kept it, or by an admin. */
export const mayDelete = ({ by, roles }: Caller, { keptBy }: KeptReport): boolean =>
  by.principalId === keptBy.principalId || roles.includes('admin')

type KeepOutcome =
  | { readonly kind: 'kept'; readonly report: KeptReport }
  | { readonly kind: 'too_many'; readonly countMax: number }

export type KeepReport = (command: KeepCommand) => Promise<KeepOutcome>

interface KeepDeps {
  readonly store: Store
  readonly clock: Clock
  readonly assessBatch: AssessBatch
}

export function createKeepReport({ store, clock, assessBatch }: KeepDeps): KeepReport {
  return async ({ ownerId, isSandbox, by, reportName, rows, warnings }) => {
    const { report, tally } = assessBatch({ reportName, rows, warnings })
    const { report_id: reportId, report_name: name, model_version: modelVersion, summary } = report
    const keptAtMs = clock.nowMs()
    const links = { csv: `/api/v1/batch-reports/${reportId}?format=csv` }
    const content: KeptContent = {
      months: rows.map(({ month }) => month),
      report: { ...report, _links: links },
    }
    const kept = {
      reportId,
      name,
      keptAtMs,
      keptBy: by,
      transactions: rows.length,
      go: summary.go,
      degraded: summary.degraded,
      noGo: summary.no_go,
      uncertainty: report.execution_uncertainty_score,
    }
    const page = reportPage({
      reportId,
      reportName: name,
      source: 'batch assessment',
      generatedAtMs: keptAtMs,
      modelVersion,
      tally,
      rejectedRows: 0,
      ignoredColumns: [],
    })
    const countMax = isSandbox ? keptReportsMax.sandbox : keptReportsMax.others
    const isKept = await store
      .forOwner(ownerId)
      .reports.insert({ ...kept, ownerId, content: JSON.stringify(content), page }, countMax)
    return isKept ? { kind: 'kept', report: kept } : { kind: 'too_many', countMax }
  }
}
