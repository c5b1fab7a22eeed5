/** Maps records to the columns of `verifications` and back. */

import type { RepeatedRecord, Verification, VerificationSummary } from '../../../app/ports/records.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { Row, SqlValue } from '../engine/script.ts'

export const summaryColumns = [
  'request_id',
  'owner_id',
  'key_id',
  'mode',
  'corridor',
  'decision',
  'score_hundredths',
  'confidence_hundredths',
  'amount',
  'currency',
  'correlation_id',
  'evaluated_at_ms',
  'recorded_at_ms',
  'cooldown_source_id',
] as const
export const recordColumns = [...summaryColumns, 'answer', 'evidence'] as const

/** The columns that a replay or a cooldown needs from the record it repeats. */
export const repeatedColumns =
  'v.request_id, v.mode, v.decision, v.score_hundredths, v.confidence_hundredths, v.evaluated_at_ms, v.answer'

/** In the order of the columns. */
export function valuesOf(record: Verification): SqlValue[] {
  return [
    record.requestId,
    record.ownerId,
    record.keyId,
    record.mode,
    record.corridor,
    record.verdict,
    record.scoreHundredths,
    record.confidenceHundredths,
    record.amount,
    record.currency,
    record.correlationId,
    record.evaluatedAtMs,
    record.recordedAtMs,
    record.cooldownSourceId,
    record.answer,
    record.evidence,
  ]
}

export function summaryOf(row: Row): VerificationSummary {
  return {
    requestId: row['request_id'] as RequestId,
    ownerId: String(row['owner_id']),
    keyId: String(row['key_id']),
    mode: row['mode'] as Mode,
    corridor: row['corridor'] as Corridor,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: row['currency'] as Currency,
    correlationId: row['correlation_id'] as string | null,
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    recordedAtMs: Number(row['recorded_at_ms']),
    cooldownSourceId: row['cooldown_source_id'] as RequestId | null,
  }
}

export function repeatedOf(row: Row): RepeatedRecord {
  return {
    requestId: row['request_id'] as RequestId,
    mode: row['mode'] as Mode,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    answer: String(row['answer']),
  }
}

export function verificationOf(row: Row): Verification {
  return { ...summaryOf(row), answer: String(row['answer']), evidence: String(row['evidence']) }
}
