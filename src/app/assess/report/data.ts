/** What a report page tells of: the sums of a file of payments, and where they came from. */

import type { Tally } from '../../../core/assess/report.ts'

export interface ReportData {
  readonly reportId: string
  readonly reportName: string
  /** The file's name as it was given; `standard input` where there was none. */
  readonly source: string
  readonly generatedAtMs: number
  readonly modelVersion: string
  readonly tally: Tally
  /** Rows that could not be read; they are in `rejected.csv`. */
  readonly rejectedRows: number
  readonly ignoredColumns: readonly string[]
}
