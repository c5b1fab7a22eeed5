/** The methods of kept reports of batch assessments. The client inherits them. */

import type { Calls } from './calls.ts'
import type { BatchOptions } from './options.ts'
import { PeopleMethods } from './people.ts'
import { pathPart, queryText, type CallOptions } from './request.ts'
import { csvOf, jsonOf } from './transport.ts'
import type * as wire from './types.ts'

const base = '/api/v1/batch-reports'

/** The media type of each format. */
const types = { json: 'application/json', csv: 'text/csv', html: 'text/html' } as const

export class BatchReportMethods extends PeopleMethods {
  readonly #calls: Calls

  constructor(calls: Calls) {
    super(calls)
    this.#calls = calls
  }

  /** Assesses up to 500 past payments, as JSON or as CSV text, and keeps the report for everybody of the owner. */
  async keepBatchReport(
    payments: wire.BatchRequest | string,
    options: BatchOptions = {},
  ): Promise<wire.KeptReport> {
    const path = base + queryText({ report_name: options.reportName })
    const isCsv = typeof payments === 'string'
    const sent = isCsv ? { body: payments, type: 'text/csv' } : { body: JSON.stringify(payments) }
    return jsonOf(await this.#calls.keyed('POST', path, options, { ...sent, repeatable: 'when_refused' }))
  }

  /** The kept reports of the owner, newest first. */
  async batchReports(options: CallOptions = {}): Promise<wire.KeptReportList> {
    return this.#calls.get(base, options)
  }

  /** A kept report with its figures and rows. */
  batchReport(reportId: string, options?: CallOptions & { format?: 'json' }): Promise<wire.KeptReportDetails>
  /** Its rows as CSV text, or the report as a self-contained HTML page. */
  batchReport(reportId: string, options: CallOptions & { format: 'csv' | 'html' }): Promise<string>
  async batchReport(
    reportId: string,
    options: CallOptions & { format?: 'json' | 'csv' | 'html' } = {},
  ): Promise<wire.KeptReportDetails | string> {
    const { format = 'json' } = options
    const path = `${base}/${pathPart(reportId)}${queryText({ format })}`
    const answer = await this.#calls.keyed('GET', path, options, { accept: types[format] })
    if (format === 'json') return jsonOf<wire.KeptReportDetails>(answer)
    return format === 'csv' ? csvOf(answer) : answer.text
  }

  /** Deletes a kept report. */
  async removeBatchReport(reportId: string, options: CallOptions = {}): Promise<wire.RemovedReport> {
    const path = `${base}/${pathPart(reportId)}`
    return jsonOf(await this.#calls.keyed('DELETE', path, options, { repeatable: 'when_refused' }))
  }
}
