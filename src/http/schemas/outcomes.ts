/** Schemas of outcomes that are reported in bulk. */

import { Type } from 'typebox'
import { batchRowsMax } from '../../app/assess/batch-bounds.ts'
import { textLengthMax } from '../../core/assess/transaction.ts'
import { outcomeRowColumns, outcomeTextLengthMax } from '../../core/live/outcome-row.ts'
import { listQuery } from '../input/paging.ts'
import { named, PaymentOutcome } from './common.ts'
import { plainText } from './verify.ts'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: plainText, description }))

const OutcomeRow = named(
  'OutcomeRow',
  Type.Object({
    request_id: text(outcomeTextLengthMax.requestId, 'The `request_id` of a verify response.'),
    correlation_id: text(
      outcomeTextLengthMax.correlationId,
      'In place of `request_id`, if exactly one of your decisions has it.',
    ),
    outcome: {
      ...PaymentOutcome,
      description: 'How the payment ended. After `PENDING`, one more report is accepted.',
    },
    partner: text(outcomeTextLengthMax.partner, 'The partner that the payment went through, by its id.'),
    occurred_at: text(
      textLengthMax.timestamp,
      'When the payment ended: an ISO 8601 date-time after the decision, not in the future.',
    ),
  }),
)

/** For the API reference only. The application parses the rows and reports every error of every row. */
export const OutcomesBody = named(
  'OutcomesRequest',
  Type.Object({ outcomes: Type.Array(OutcomeRow, { minItems: 1, maxItems: batchRowsMax }) }),
)

/** The part of a JSON body that is validated before its rows are parsed. */
export const OutcomesFrame = Type.Object({ outcomes: Type.Array(Type.Unknown()) })

export const OutcomesCsv = Type.String({
  description: `A header row with \`outcome\`, one of \`request_id\` and \`correlation_id\`, and any others of ${outcomeRowColumns.join(', ')}, in any order; 1 to ${batchRowsMax} rows.`,
})

export const OutcomesQuery = listQuery({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true` checks every row and records nothing.' }),
  ),
})

const Count = Type.Integer({ minimum: 0 })

export const OutcomesAnswer = named(
  'OutcomesResponse',
  Type.Object({
    dry_run: Type.Boolean({ description: 'Whether the rows were only checked.' }),
    recorded: { ...Count, description: 'Rows that were recorded, or would be.' },
    unchanged: { ...Count, description: 'Rows that were reported before with the same content.' },
    request_ids: Type.Array(Type.String(), { description: 'The decision of each row, in their order.' }),
    warnings: Type.Array(Type.String(), { description: 'Warnings about ignored columns or members.' }),
  }),
)
