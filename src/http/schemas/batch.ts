/** Schemas of the batch assessment (contract 2.7). */

import { Type, type Static } from 'typebox'
import type { BatchReport } from '../../app/assess/assess-batch.ts'
import { batchRowsMax } from '../../app/assess/batch-bounds.ts'
import { uncertaintyBands } from '../../core/assess/report.ts'
import { textLengthMax, transactionColumns } from '../../core/assess/transaction.ts'
import { limits } from '../limits.ts'
import { CalibrationCurve } from './calibration.ts'
import {
  named,
  PaymentOutcome,
  nullable,
  ReasonCode,
  Score,
  Timestamp,
  Verdict,
  type Frozen,
} from './common.ts'
import { Principal } from './people.ts'
import { plainText, VerifyBody } from './verify.ts'

const { corridor, amount, currency } = VerifyBody.properties

const ReportName = Type.String({
  minLength: 1,
  maxLength: limits.reportNameLengthMax,
  pattern: plainText,
  description: 'A display name for the report.',
})

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: plainText, description }))

const Transaction = named(
  'Transaction',
  Type.Object({
    corridor,
    id: text(textLengthMax.id, 'Unique in the batch. Rows without an id receive one.'),
    amount,
    currency,
    actual_outcome: Type.Optional({ ...PaymentOutcome, description: 'How the payment ended.' }),
    timestamp: text(textLengthMax.timestamp, 'When the payment was made: an ISO 8601 date or date-time.'),
    rail: text(textLengthMax.rail, 'The payment rail. Does not affect the assessment.'),
  }),
)

/** For the API reference only. The application parses the rows and reports every error of every row. */
export const BatchBody = named(
  'BatchRequest',
  Type.Object({
    report_name: Type.Optional(ReportName),
    transactions: Type.Array(Transaction, { minItems: 1, maxItems: batchRowsMax }),
  }),
)

/** The part of a JSON body that is validated before its rows are parsed. */
export const BatchFrame = Type.Object({
  report_name: Type.Optional(ReportName),
  transactions: Type.Array(Type.Unknown()),
})

export const BatchCsv = Type.String({
  description: `A header row with \`corridor\` and any of ${transactionColumns.filter((column) => column !== 'corridor').join(', ')}, in any order; 1 to ${batchRowsMax} rows.`,
})

export const BatchQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'The response format. Defaults to the `Accept` header, then JSON.',
    }),
  ),
  report_name: Type.Optional({
    ...ReportName,
    description: 'The report name for a CSV body, which cannot contain one.',
  }),
})

const Percent = Type.Number({ minimum: 0, maximum: 100, description: 'Rounded half up to one decimal.' })
const Count = Type.Integer({ minimum: 0 })

const BatchSummary = named(
  'BatchSummary',
  Type.Object({
    total_assessed: Count,
    go: Count,
    degraded: Count,
    no_go: Count,
    go_pct: Percent,
    degraded_pct: Percent,
    no_go_pct: Percent,
    avg_score: Type.Number({ minimum: 0, maximum: 1, description: 'Rounded half up to four decimals.' }),
    avg_confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Rounded half up to four decimals.' }),
    alignment_pct: nullable(Percent),
    flagged_pre_failure: Count,
    improvement_opportunities: Count,
    transactions_with_outcome: Type.Integer({
      minimum: 0,
      description: '`PENDING` does not count as an outcome.',
    }),
  }),
)

const Assessment = named(
  'Assessment',
  Type.Object({
    index: Type.Integer({ minimum: 0, description: 'Position in the request, from 0.' }),
    transaction_id: Type.String(),
    corridor: Type.String(),
    corridor_supported: Type.Boolean(),
    amount: nullable(Type.Number()),
    currency: Type.String({ description: 'The currency of the request.' }),
    actual_outcome: nullable(PaymentOutcome),
    svc_decision: Verdict,
    svc_score: Score,
    svc_confidence: Score,
    svc_volatility: Type.Number({ minimum: 0 }),
    policy_capped: Type.Boolean(),
    alignment: nullable(Type.Boolean()),
    improvement_opportunity: Type.Boolean(),
    improvement_note: nullable(Type.String()),
    flags: Type.Array(ReasonCode),
  }),
)

export const BatchAnswer = named(
  'BatchResponse',
  Type.Object(
    {
      report_id: Type.String(),
      report_name: Type.String(),
      generated_at: Timestamp,
      model_version: Type.String(),
      mode: Type.Enum(['shadow']),
      transaction_count: Count,
      summary: BatchSummary,
      execution_uncertainty_score: Type.Integer({ minimum: 0, maximum: 100 }),
      execution_uncertainty_band: Type.Enum(uncertaintyBands.map(([band]) => band)),
      calibration: CalibrationCurve,
      _links: Type.Object({ csv: Type.String() }),
      warnings: Type.Array(Type.String(), {
        description: 'Ignored columns and members, and country codes that ISO 3166 has not assigned.',
      }),
      assessments: Type.Array(Assessment),
    },
    { description: 'The assessment of every row, and a summary.' },
  ),
)

export const KeepReportQuery = Type.Pick(BatchQuery, ['report_name'])

const keptMembers = {
  report_id: Type.String(),
  report_name: Type.String(),
  kept_at: Timestamp,
  kept_by: Principal,
  transaction_count: Count,
  go: Count,
  degraded: Count,
  no_go: Count,
  execution_uncertainty_score: Type.Integer({ minimum: 0, maximum: 100 }),
  may_delete: Type.Boolean({ description: 'Whether you may delete it: you kept it, or you are an admin.' }),
}

export const KeptReportView = named(
  'KeptReport',
  Type.Object(keptMembers, { description: 'A report that the owner keeps.' }),
)

export const KeptReportList = named(
  'KeptReportList',
  Type.Object({ reports: Type.Array(KeptReportView, { description: 'Newest first.' }) }),
)

export const KeptReportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'html'], { description: 'The response format. Defaults to JSON.' }),
  ),
})

export const KeptReportDetails = named(
  'KeptReportDetails',
  Type.Object({
    ...keptMembers,
    months: Type.Array(nullable(Type.String()), {
      description: 'The month of each row, `2026-03`, in the order of the rows; null without a timestamp.',
    }),
    report: BatchAnswer,
  }),
)

export const KeptReportRemoved = named(
  'RemovedReport',
  Type.Object({ report_id: Type.String(), status: Type.Enum(['deleted']) }),
)

/** The report is sent as text, so the compiler checks here that it matches its schema. @compileCheck */
export const reportFitsSchema: BatchReport extends Frozen<Static<typeof BatchAnswer>> ? true : false = true
