/** How reviews are shown in the API and in events. */

import { isWaiting, stateOf, type ReviewStatus } from '../../core/review/life.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import { needsFourEyes, type ReviewTerms } from '../../core/review/terms.ts'
import { iso } from '../../core/time/durations.ts'
import { shownText } from '../log/personal-text.ts'
import { principalView } from '../people/caller.ts'
import { currencyMembers, readAnswerExcerpt } from '../verify/answer.ts'
import type { Attributed } from '../ports/records.ts'
import type { RecordedSubject, Review, ReviewChange } from '../ports/reviews.ts'
import type { ReviewEvent } from '../ports/webhooks.ts'

/** Without the session, which is not needed to know who it is. Null for what the service did by itself. */
export function actorView(by: Attributed | null) {
  if (by === null) return null
  const { kind, id, name } = principalView(by)
  return { kind, id, name }
}

const textOf = ({ text, personalText }: ReviewChange): string | null => shownText(text, personalText)

function proposalView(change: ReviewChange) {
  return {
    proposal_id: change.changeId,
    action: change.action ?? 'HOLD',
    reason_code: change.reasonCode ?? '',
    justification: textOf(change) ?? '',
    proposed_by: actorView(change.by),
    proposed_at: iso(change.atMs),
  }
}

/** `by` is null if the service did it by itself. */
function resolutionView(change: ReviewChange, approvedAction: OverrideAction | null) {
  const { kind, by, atMs, overrideId } = change
  return {
    status: kind as ReviewStatus,
    action: kind === 'approved' ? approvedAction : null,
    reason: textOf(change),
    by: actorView(by),
    at: iso(atMs),
    override_id: overrideId,
  }
}

function commentView(change: ReviewChange) {
  return {
    by: actorView(change.by),
    text: textOf(change) ?? '',
    at: iso(change.atMs),
  }
}

export interface ViewContext {
  readonly nowMs: number
  readonly terms: Pick<ReviewTerms, 'fourEyesAbove'>
}

/** The members that never change. */
function subjectView(review: RecordedSubject) {
  return {
    review_id: review.reviewId,
    request_id: review.requestId,
    decision: review.verdict,
    score: review.scoreHundredths / 100,
    recommended_action: review.recommendedAction,
    amount: review.amount,
    currency: review.currency,
    ...currencyMembers(review, review.answer === null ? null : readAnswerExcerpt(review.answer)),
    corridor: review.corridor,
    mode: review.mode,
    reason_codes: [...review.reasonCodes],
    opened_at: iso(review.openedAtMs),
    due_at: iso(review.dueAtMs),
    expires_at: iso(review.expiresAtMs),
  }
}

export function reviewView(review: Review, { nowMs, terms }: ViewContext) {
  const { status, claim, proposal, resolution, comments } = stateOf(review.changes)
  return {
    ...subjectView(review),
    status,
    overdue: isWaiting(status) && nowMs > review.dueAtMs,
    needs_four_eyes: needsFourEyes(terms, review.amount, review.currency),
    claimed_by: actorView(claim?.by ?? null),
    proposal: proposal === null ? null : proposalView(proposal),
    resolution: resolution === null ? null : resolutionView(resolution, proposal?.action ?? null),
    comments: comments.map(commentView),
    repeats: review.repeats,
  }
}

/** Every change in its order, for the page of one review. */
function historyView({ changes }: Review) {
  return changes.map((change) => ({
    kind: change.kind,
    by: actorView(change.by),
    at: iso(change.atMs),
    action: change.action,
    reason_code: change.reasonCode,
    text: textOf(change),
  }))
}

/** A review with its history. */
export const reviewDetail = (review: Review, context: ViewContext) => ({
  ...reviewView(review, context),
  history: historyView(review),
})

/** The data of an event: the review at that moment. */
export function reviewEventData({ review, change, approvedAction }: ReviewEvent) {
  const isOpening = change.kind === 'opened'
  return {
    ...subjectView(review),
    status: isOpening ? ('open' as const) : (change.kind as ReviewStatus),
    resolution: isOpening ? null : resolutionView(change, approvedAction),
  }
}
