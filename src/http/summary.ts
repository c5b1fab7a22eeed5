/** The members that audit and history share. */

import { overrideData } from '../app/delivery/event-body.ts'
import type { Overridden, VerificationSummary } from '../app/ports.ts'

export function summaryMembers(record: Overridden<VerificationSummary>) {
  return {
    request_id: record.requestId,
    corridor: record.corridor,
    decision: record.verdict,
    score: record.scoreHundredths / 100,
    confidence: record.confidenceHundredths / 100,
    amount: record.amount,
    currency: record.currency,
    mode: record.mode,
    evaluated_at: new Date(record.evaluatedAtMs).toISOString(),
    correlation_id: record.correlationId,
    human_override: record.override === null ? null : overrideData(record.override),
  }
}
