/** Records how the payment of a decision ended, as reported by its owner. A final outcome is permanent. */

import type { ActualOutcome } from '../../core/live/outcome.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { Ids } from '../verify/ids.ts'
import type { ComputedEvidence } from '../verify/evidence.ts'
import type { ReportedOutcome, Verification } from '../ports/records.ts'
import type { OwnerRecords, Store } from '../ports/store.ts'
import { minuteMs } from '../../core/time/durations.ts'

interface OutcomeCommand {
  readonly caller: { readonly ownerId: string; readonly keyId: string }
  readonly requestId: string
  readonly outcome: ActualOutcome
  /** The partner that the payment went through. */
  readonly partner: string | null
  readonly occurredAtMs: number | null
}

export type OutcomeResult =
  /** Now, or earlier with the same content. */
  | { readonly kind: 'recorded'; readonly outcome: ReportedOutcome }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'before_decision' }
  /** Not one of the partners that the decision ranked. */
  | { readonly kind: 'unknown_partner'; readonly known: readonly string[] }

export type ReportOutcome = (command: OutcomeCommand) => Promise<OutcomeResult>

/** The reporter's clock may be behind ours. */
const reportedSkewMsMax = 5 * minuteMs

export function createReportOutcome({ store, ids }: { store: Store; ids: Ids }): ReportOutcome {
  return async ({ caller, requestId, outcome, partner, occurredAtMs }) => {
    const parsed = parseRequestId(requestId)
    const records = store.forOwner(caller.ownerId)
    const record = parsed === null ? null : await records.find(parsed.id)
    if (record === null) return { kind: 'unknown' }
    const isBefore = occurredAtMs !== null && occurredAtMs < record.evaluatedAtMs - reportedSkewMsMax
    if (isBefore) return { kind: 'before_decision' }
    const known = partner === null ? [] : await partnersOf(records, record)
    if (partner !== null && known.length > 0 && !known.includes(partner))
      return { kind: 'unknown_partner', known }
    const { id, atMs } = ids.next('out')
    const reported: ReportedOutcome = {
      outcomeId: id,
      requestId: record.requestId,
      ownerId: caller.ownerId,
      keyId: caller.keyId,
      mode: record.mode,
      corridor: record.corridor,
      outcome,
      partner,
      occurredAtMs,
      reportedAtMs: atMs,
    }
    if (await records.report(reported)) return { kind: 'recorded', outcome: reported }
    const first = (await records.find(record.requestId))?.outcome ?? null
    // The same report again gets the first answer.
    const isSame =
      first?.outcome === outcome && first.occurredAtMs === occurredAtMs && first.partner === partner
    return isSame ? { kind: 'recorded', outcome: first } : { kind: 'exists' }
  }
}

/** All partners of the corridor at the decision, ranked or left out; empty if none were declared. */
async function partnersOf(records: OwnerRecords, record: Verification): Promise<string[]> {
  const computed = record.cooldownSourceId === null ? record : await records.find(record.cooldownSourceId)
  if (computed === null) return []
  const { partners } = JSON.parse(computed.evidence) as ComputedEvidence
  return partners === undefined
    ? []
    : [...partners.ranked, ...partners.left_out].map(({ partner }) => partner)
}
