/** A row of reported outcomes, by the same rules for JSON and CSV. */

import { RowForm, textIn, type Fault, type RawRow, type ReadRow } from '../assess/row-form.ts'
import { parseTimestamp, textLengthMax, timestampRule } from '../assess/transaction.ts'
import { outcomeRule, outcomesByName, type ActualOutcome } from './outcome.ts'

export const outcomeRowColumns = [
  'request_id',
  'correlation_id',
  'outcome',
  'partner',
  'occurred_at',
] as const

export type OutcomeColumn = (typeof outcomeRowColumns)[number]

/** Names its decision by one id or both. */
export interface OutcomeRow {
  readonly requestId: string | null
  readonly correlationId: string | null
  readonly outcome: ActualOutcome
  readonly partner: string | null
  readonly occurredAtMs: number | null
}

export const outcomeTextLengthMax = { requestId: 64, correlationId: 255, partner: 100 } as const

function read(raw: RawRow<OutcomeColumn>): ReadRow<OutcomeRow, OutcomeColumn> {
  const faults: Fault<OutcomeColumn>[] = []
  const fail = (column: OutcomeColumn, message: string): null => {
    faults.push({ column, message })
    return null
  }
  const requestId = textIn('request_id', raw.request_id, outcomeTextLengthMax.requestId, fail)
  const { correlationId: lengthMax } = outcomeTextLengthMax
  // Verify keeps it as it is given, with its spaces.
  const correlationId = textIn('correlation_id', raw.correlation_id, lengthMax, fail, 'exact')
  if (raw.request_id === undefined && raw.correlation_id === undefined)
    fail('request_id', 'is required, or a correlation_id instead')
  const outcome = outcomesByName.get(raw.outcome)
  if (outcome === undefined) fail('outcome', raw.outcome === undefined ? 'is required' : outcomeRule)
  const partner = textIn('partner', raw.partner, outcomeTextLengthMax.partner, fail)
  const occurredAt = textIn('occurred_at', raw.occurred_at, textLengthMax.timestamp, fail)
  const occurredAtMs = occurredAt === null ? null : parseTimestamp(occurredAt)
  if (occurredAt !== null && occurredAtMs === null) fail('occurred_at', timestampRule)
  if (outcome === undefined || faults.length > 0) return { ok: false, id: requestId, faults }
  const value = { requestId, correlationId, outcome, partner, occurredAtMs }
  return { ok: true, id: requestId, value }
}

export const outcomeForm = new RowForm<OutcomeRow, OutcomeColumn>({
  columns: outcomeRowColumns,
  keys: ['request_id', 'correlation_id'],
  idColumn: 'request_id',
  read,
})
