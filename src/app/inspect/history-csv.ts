/** Writes a page of history as CSV, one line per record. */

import { csvText, defused, type Cell } from '../assess/csv/write.ts'
import type { Annotated, ListedVerification } from '../ports/records.ts'
import { shownText } from '../log/personal-text.ts'
import type { Mask } from '../operate/mask.ts'
import { currencyMembers } from '../verify/answer.ts'
import { readAnswer } from './record-wire.ts'
import { iso } from '../../core/time/durations.ts'

export const historyColumns = [
  'request_id',
  'recorded_at',
  'evaluated_at',
  'corridor',
  'decision',
  'score',
  'confidence',
  'amount',
  'currency',
  'mode',
  'correlation_id',
  'override_action',
  'override_reason_code',
  'overridden_at',
  'outcome',
  'cooldown_source_request_id',
  'reason_codes',
  'recommended_action',
  'request_currency',
  'settlement_currency',
] as const

/** Includes the header even for an empty page. */
export const historyCsv = (rows: readonly Cell[][]): string => csvText([historyColumns, ...rows])

/** In the order of the columns. */
export function historyCells(record: Annotated<ListedVerification>, mask: Mask, textOf = defused): Cell[] {
  const { override, outcome } = record
  const answer = readAnswer(record)
  const cells: Record<(typeof historyColumns)[number], Cell> = {
    request_id: record.requestId,
    recorded_at: iso(record.recordedAtMs),
    evaluated_at: iso(record.evaluatedAtMs),
    corridor: record.corridor,
    decision: record.verdict,
    score: record.scoreHundredths / 100,
    confidence: record.confidenceHundredths / 100,
    amount: record.amount,
    currency: record.currency,
    mode: record.mode,
    correlation_id: shownText(record.correlationId, record.personalText),
    override_action: override?.action ?? null,
    override_reason_code: override?.reasonCode ?? null,
    overridden_at: override === null ? null : iso(override.createdAtMs),
    outcome: outcome?.outcome ?? null,
    cooldown_source_request_id: record.cooldownSourceId,
    reason_codes: answer.reason_codes.join(' '),
    recommended_action: answer.recommended_action,
    ...currencyMembers(record, answer),
  }
  // The correlation id is the only text that callers choose freely.
  return historyColumns.map((name) => {
    const cell = mask.value(name, cells[name])
    return name === 'correlation_id' && typeof cell === 'string' ? textOf(cell) : cell
  })
}
