/** Builds the body of an event: the contract's envelope with the decision or override. */

import { erased, shownText } from '../../log/personal-text.ts'
import { principalView } from '../../people/caller.ts'
import { reviewEventData } from '../../review/view.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { EventId, EventKind } from '../../../core/events/event.ts'
import type { OverrideAction } from '../../../core/events/override.ts'
import type { ReasonCode, RecommendedAction } from '../../../core/decision/reasons.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import { currencyMembers, environmentOf, readAnswerExcerpt, type Environment } from '../../verify/answer.ts'
import { iso } from '../../../core/time/durations.ts'
import type { Delivery, EntrySubject, EventSubject } from '../../ports/webhooks.ts'
import type { LiveStatus } from '../../../core/live/corridor-status.ts'
import type { Act, Override, Verification } from '../../ports/records.ts'

export interface DecisionData {
  readonly request_id: RequestId
  readonly decision: Verdict
  readonly score: number
  readonly confidence: number
  readonly corridor: Corridor
  /** The amount and currency of the request. */
  readonly amount: number | null
  readonly currency: Currency
  readonly request_currency: Currency
  /** Null if the corridor has none. */
  readonly settlement_currency: Currency | null
  readonly reason_codes: readonly ReasonCode[]
  readonly recommended_action: RecommendedAction
  readonly evaluated_at: string
  readonly mode: Mode
  readonly environment: Environment
  readonly correlation_id?: string
  /** Set if a cooldown repeated an earlier decision. */
  readonly cooldown_source_request_id?: RequestId
}

export interface OverrideData {
  readonly override_id: string
  readonly request_id: RequestId
  readonly original_decision: Verdict
  readonly action: OverrideAction
  readonly reason_code: string
  readonly justification: string
  readonly created_at: string
  readonly created_by: ReturnType<typeof principalView>
  /** Null without a review. */
  readonly approval: {
    readonly review_id: string
    readonly approved_by: ReturnType<typeof principalView>
  } | null
}

export interface StatusData {
  readonly corridor: string
  /** Null for the corridor itself. */
  readonly partner: string | null
  readonly status: LiveStatus
  readonly previous_status: LiveStatus
  readonly changed_at: string
}

export interface SuspensionData {
  readonly webhook_id: string
  /** The first of the failures without a delivery between them. */
  readonly failing_since: string
  readonly suspended_at: string
}

export type ReviewData = ReturnType<typeof reviewEventData>

export interface TestData {
  readonly webhook_id: string
  readonly message: string
}

export interface EventEnvelope {
  readonly event: EventKind
  readonly event_id: EventId
  readonly created_at: string
  readonly attempt: number
  readonly data: DecisionData | OverrideData | StatusData | ReviewData | SuspensionData | TestData
}

/**
 * The same for every attempt except for `attempt`, the name of a person who was renamed meanwhile and, of a review, the
 * settlement currency while the month of its decision is away.
 */
export function envelopeOf(delivery: Delivery & { readonly subject: EventSubject }): EventEnvelope {
  const { subject } = delivery
  return {
    event: delivery.kind,
    event_id: delivery.eventId,
    created_at: new Date(delivery.createdAtMs).toISOString(),
    attempt: delivery.attemptNumber,
    data: sentData(delivery.webhookId, subject),
  }
}

function sentData(webhookId: string, subject: EventSubject): EventEnvelope['data'] {
  if (subject.kind === 'test')
    return { webhook_id: webhookId, message: 'This is a test. No payment was verified.' }
  return subject.kind === 'suspension' ? suspensionData(subject.act) : dataOf(subject)
}

export type EventData = Exclude<EventEnvelope['data'], SuspensionData | TestData>

export function dataOf(subject: EntrySubject): EventData {
  switch (subject.kind) {
    case 'decision':
      return decisionData(subject.record)
    case 'override':
      return overrideData(subject.override)
    case 'status':
      return statusData(subject.act)
    case 'review':
      return reviewEventData(subject)
  }
}

function decisionData(record: Omit<Verification, 'evidence'>): DecisionData {
  const answer = readAnswerExcerpt(record.answer)
  const correlationId = shownText(record.correlationId, record.personalText)
  return {
    request_id: record.requestId,
    decision: record.verdict,
    score: record.scoreHundredths / 100,
    confidence: record.confidenceHundredths / 100,
    corridor: record.corridor,
    amount: record.amount,
    currency: record.currency,
    ...currencyMembers(record, answer),
    reason_codes: answer.reason_codes,
    recommended_action: answer.recommended_action,
    evaluated_at: new Date(record.evaluatedAtMs).toISOString(),
    mode: record.mode,
    environment: environmentOf[record.mode],
    ...(correlationId === null ? {} : { correlation_id: correlationId }),
    ...(record.cooldownSourceId === null ? {} : { cooldown_source_request_id: record.cooldownSourceId }),
  }
}

function statusData({ subject, detail, atMs }: Act): StatusData {
  const { partner = null, status, previous_status: previous } = detail
  return {
    corridor: subject,
    partner: partner === null ? null : String(partner),
    status: status as LiveStatus,
    previous_status: previous as LiveStatus,
    changed_at: new Date(atMs).toISOString(),
  }
}

function suspensionData({ subject, detail, atMs }: Act): SuspensionData {
  return {
    webhook_id: subject,
    failing_since: String(detail['failing_since']),
    suspended_at: iso(atMs),
  }
}

/** The form of an override in the API and in events. */
export function overrideData(override: Override): OverrideData {
  const { approval } = override
  return {
    override_id: override.overrideId,
    request_id: override.requestId,
    original_decision: override.originalVerdict,
    action: override.action,
    reason_code: override.reasonCode,
    justification: override.justification ?? erased,
    created_at: new Date(override.createdAtMs).toISOString(),
    created_by: principalView(override),
    approval:
      approval === null ? null : { review_id: approval.reviewId, approved_by: principalView(approval) },
  }
}
