/** Maps records to the columns of `verifications` and back. */

import type {
  AmountRecord,
  ListedVerification,
  RepeatedRecord,
  Verification,
  VerificationSummary,
} from '../../../app/ports/records.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { Row, SqlValue } from '../engine/script.ts'
import { formOf, personalSql, personalTextOf, textOf, type NewText } from './personal-texts.ts'

const summaryNames = [
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
  'form',
  'personal_hash',
] as const
/** The columns of a record that are written. */
export const writtenColumns = [...summaryNames, 'answer', 'evidence'] as const

const personal = `${personalSql('v.request_id')} AS personal`
const columnsOf = (names: readonly string[]): string =>
  [...names.map((name) => `v.${name}`), personal].join(', ')

/** To be read from `verifications v`. */
export const summaryColumns = columnsOf(summaryNames)
/** In a list: without the evidence, which is the larger half. */
export const listedColumns = columnsOf([...summaryNames, 'answer'])
/** Enough to sum amounts. */
export const amountColumns = 'v.request_id, v.decision, v.amount, v.currency'
export const recordColumns = columnsOf(writtenColumns)

/** The columns that a replay or a cooldown needs from the record it repeats. Most have no text to look for. */
export const repeatedColumns = `v.request_id, v.correlation_id, v.mode, v.decision, v.score_hundredths,
  v.confidence_hundredths, v.evaluated_at_ms, v.form, v.answer,
  CASE WHEN v.personal_hash IS NOT NULL THEN ${personalSql('v.request_id')} END AS personal`

/** In the order of the columns. */
export function valuesOf(record: Verification): SqlValue[] {
  const { form, personalText } = record
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
    form === 1 ? record.correlationId : null,
    record.evaluatedAtMs,
    record.recordedAtMs,
    record.cooldownSourceId,
    form,
    personalText?.hash ?? null,
    record.answer,
    record.evidence,
  ]
}

/** The correlation ids of form 2. */
export function correlationTexts(records: readonly Verification[]): NewText[] {
  return records.flatMap(({ form, requestId, ownerId, correlationId, personalText, verdict, corridor }) =>
    form === 1 || correlationId === null || personalText === null || personalText.salt === null
      ? []
      : [
          {
            subjectId: requestId,
            ownerId,
            salt: personalText.salt,
            text: correlationId,
            decision: verdict,
            corridor,
          },
        ],
  )
}

/** The column is empty in form 2. If somebody fills it, the check of the log finds a text that does not match. */
const correlationOf = (row: Row): string | null =>
  (row['correlation_id'] as string | null) ?? textOf(row['personal'])?.text ?? null

export function summaryOf(row: Row): VerificationSummary {
  return {
    form: formOf(row['form']),
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
    correlationId: correlationOf(row),
    personalText: personalTextOf(row['personal_hash'], textOf(row['personal'])),
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    recordedAtMs: Number(row['recorded_at_ms']),
    cooldownSourceId: row['cooldown_source_id'] as RequestId | null,
  }
}

export function amountRecordOf(row: Row): AmountRecord {
  return {
    requestId: row['request_id'] as RequestId,
    verdict: row['decision'] as Verdict,
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: row['currency'] as Currency,
  }
}

export function listedOf(row: Row): ListedVerification {
  return { ...summaryOf(row), answer: String(row['answer']) }
}

export function repeatedOf(row: Row): RepeatedRecord {
  return {
    form: formOf(row['form']),
    requestId: row['request_id'] as RequestId,
    correlationId: correlationOf(row),
    mode: row['mode'] as Mode,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    answer: String(row['answer']),
  }
}

export function verificationOf(row: Row): Verification {
  return { ...listedOf(row), evidence: String(row['evidence']) }
}
