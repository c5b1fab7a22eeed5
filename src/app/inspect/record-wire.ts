/** Maps a record to the API members that audit, history and export share. */

import { signalNames } from '../../core/decision/signals.ts'
import { iso } from '../../core/time/durations.ts'
import { currencyMembers, type StoredAnswer } from '../verify/answer.ts'
import { overrideData } from '../events/delivery/event-body.ts'
import { shownText } from '../log/personal-text.ts'
import { principalView } from '../people/caller.ts'
import type {
  Annotated,
  Override,
  ReportedOutcome,
  Verification,
  VerificationSummary,
} from '../ports/records.ts'

export function summaryMembers(record: VerificationSummary) {
  return {
    request_id: record.requestId,
    corridor: record.corridor,
    decision: record.verdict,
    score: record.scoreHundredths / 100,
    confidence: record.confidenceHundredths / 100,
    amount: record.amount,
    currency: record.currency,
    mode: record.mode,
    evaluated_at: iso(record.evaluatedAtMs),
    correlation_id: shownText(record.correlationId, record.personalText),
  }
}

/** The decision that a cooldown repeated; null if this one was computed. */
export function repeatMember({ cooldownSourceId }: VerificationSummary) {
  return { cooldown_source_request_id: cooldownSourceId }
}

export function overrideMember({ override }: { readonly override: Override | null }) {
  return { human_override: override === null ? null : overrideData(override) }
}

export function outcomeMember({ outcome }: { readonly outcome: ReportedOutcome | null }) {
  return { outcome: outcome === null ? null : outcomeData(outcome) }
}

export function outcomeData(reported: ReportedOutcome) {
  const { requestId, outcome, partner, occurredAtMs, reportedAtMs } = reported
  return {
    request_id: requestId,
    outcome,
    ...(partner === null ? {} : { partner }),
    occurred_at: iso(occurredAtMs),
    reported_at: iso(reportedAtMs),
    reported_by: principalView(reported),
  }
}

/** The members that the audit endpoint adds to the summary. */
export function auditMembers(answer: StoredAnswer) {
  return {
    reason_codes: [...answer.reason_codes],
    signal_contributions: signalNames.map((signal) => ({
      signal,
      status: answer.probe_details[signal].signal,
      risk_value: answer.probe_details[signal].risk_value,
    })),
  }
}

/** The record as the audit endpoint shows it. */
export function auditRecord(record: Annotated<Verification>) {
  const answer = readAnswer(record)
  return {
    ...summaryMembers(record),
    ...currencyMembers(record, answer),
    ...auditMembers(answer),
    ...overrideMember(record),
    ...outcomeMember(record),
    ...repeatMember(record),
  }
}

export function readAnswer({ answer }: Pick<Verification, 'answer'>): StoredAnswer {
  return JSON.parse(answer) as StoredAnswer
}
