/** Writes a page of history as CSV, one line per record. */

import { csvText, defused, type Cell } from '../assess/csv/write.ts'
import type { Annotated, VerificationSummary } from '../ports/records.ts'
import { iso } from '../../core/time/durations.ts'

const columns = [
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
] as const

/** Includes the header even for an empty page. */
export function historyCsv(page: readonly Annotated<VerificationSummary>[]): string {
  return csvText([columns, ...page.map(cellsOf)])
}

function cellsOf(record: Annotated<VerificationSummary>): Cell[] {
  const { override, outcome, correlationId } = record
  const cells: Record<(typeof columns)[number], Cell> = {
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
    // The only text that callers choose freely.
    correlation_id: correlationId === null ? null : defused(correlationId),
    override_action: override?.action ?? null,
    override_reason_code: override?.reasonCode ?? null,
    overridden_at: override === null ? null : iso(override.createdAtMs),
    outcome: outcome?.outcome ?? null,
    cooldown_source_request_id: record.cooldownSourceId,
  }
  return columns.map((name) => cells[name])
}
