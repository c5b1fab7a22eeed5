/** Records how the payment of a decision ended, as reported by its owner. A final outcome is permanent. */

import type { ActualOutcome } from '../../core/live/outcome.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { Ids } from '../verify/ids.ts'
import type { ReportedOutcome } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import { minuteMs } from '../../core/time/durations.ts'

interface OutcomeCommand {
  readonly caller: { readonly ownerId: string; readonly keyId: string }
  readonly requestId: string
  readonly outcome: ActualOutcome
  readonly occurredAtMs: number | null
}

export type OutcomeResult =
  /** Now, or earlier with the same content. */
  | { readonly kind: 'recorded'; readonly outcome: ReportedOutcome }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'before_decision' }

export type ReportOutcome = (command: OutcomeCommand) => Promise<OutcomeResult>

/** The reporter's clock may be behind ours. */
const reportedSkewMsMax = 5 * minuteMs

export function createReportOutcome({ store, ids }: { store: Store; ids: Ids }): ReportOutcome {
  return async ({ caller, requestId, outcome, occurredAtMs }) => {
    const parsed = parseRequestId(requestId)
    const records = store.forOwner(caller.ownerId)
    const record = parsed === null ? null : await records.find(parsed.id)
    if (record === null) return { kind: 'unknown' }
    const isBefore = occurredAtMs !== null && occurredAtMs < record.evaluatedAtMs - reportedSkewMsMax
    if (isBefore) return { kind: 'before_decision' }
    const { id, atMs } = ids.next('out')
    const reported: ReportedOutcome = {
      outcomeId: id,
      requestId: record.requestId,
      ownerId: caller.ownerId,
      keyId: caller.keyId,
      mode: record.mode,
      corridor: record.corridor,
      outcome,
      occurredAtMs,
      reportedAtMs: atMs,
    }
    if (await records.report(reported)) return { kind: 'recorded', outcome: reported }
    const first = (await records.find(record.requestId))?.outcome ?? null
    // The same report again gets the first answer.
    const isSame = first?.outcome === outcome && first.occurredAtMs === occurredAtMs
    return isSame ? { kind: 'recorded', outcome: first } : { kind: 'exists' }
  }
}
