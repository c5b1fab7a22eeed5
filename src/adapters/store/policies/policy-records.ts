/** The columns of a record that it takes to decide it again. */

import type { PolicyRecord } from '../../../app/ports/policies.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { Row } from '../engine/script.ts'

/** To be read from `verifications v`. Personal texts are not among them: no rule can ask for them. */
export const policyColumns = [
  'request_id',
  'owner_id',
  'mode',
  'corridor',
  'decision',
  'amount',
  'currency',
  'evaluated_at_ms',
  'recorded_at_ms',
  'cooldown_source_id',
  'answer',
  'evidence',
]
  .map((name) => `v.${name}`)
  .join(', ')

export function policyRecordOf(row: Row): PolicyRecord {
  return {
    requestId: row['request_id'] as RequestId,
    ownerId: String(row['owner_id']),
    mode: row['mode'] as Mode,
    corridor: row['corridor'] as Corridor,
    verdict: row['decision'] as Verdict,
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: row['currency'] as Currency,
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    recordedAtMs: Number(row['recorded_at_ms']),
    cooldownSourceId: row['cooldown_source_id'] as RequestId | null,
    answer: String(row['answer']),
    evidence: String(row['evidence']),
  }
}
