/** Port of the reviews' store. A review is the sum of its changes, which are only appended. */

import type { RecommendedAction, ReasonCode } from '../../core/decision/reasons.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { Mode } from '../../core/identity/api-key.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { OverrideAction } from '../../core/events/override.ts'
import type { ReviewStatus, ReviewStep } from '../../core/review/life.ts'
import type { Attributed, Override, PersonalText, Verification } from './records.ts'

/** One change of a review; recorded permanently. */
export interface ReviewChange extends ReviewStep {
  readonly reviewId: string
  /** The place among the changes of the review, from 1. */
  readonly number: number
  readonly ownerId: string
  readonly requestId: RequestId
  /** Null for what the service did by itself. */
  readonly by: Attributed | null
  /** The justification, comment or reason; null without one, or if it was erased. */
  readonly text: string | null
  readonly personalText: PersonalText | null
  /** The proposal that was approved or rejected. */
  readonly proposalId: string | null
  /** The override that an approval wrote, or that closed the review. */
  readonly overrideId: string | null
  /** Of an opening. */
  readonly dueAtMs: number | null
  readonly expiresAtMs: number | null
  readonly atMs: number
}

/** The facts of the decision, and when somebody must have looked at it. */
export interface ReviewSubject {
  readonly reviewId: string
  readonly ownerId: string
  readonly requestId: RequestId
  readonly mode: Mode
  readonly corridor: Corridor
  readonly verdict: Verdict
  readonly recommendedAction: RecommendedAction
  readonly reasonCodes: readonly ReasonCode[]
  readonly scoreHundredths: number
  readonly amount: number | null
  readonly currency: Currency
  /** The time of the decision. */
  readonly openedAtMs: number
  readonly dueAtMs: number
  readonly expiresAtMs: number
}

/** A review as it is read, beside the answer that was recorded. */
export interface RecordedSubject extends ReviewSubject {
  /** Null while its month is away. */
  readonly answer: string | null
}

export interface Review extends RecordedSubject {
  /** Decisions that a cooldown repeated. */
  readonly repeats: number
  /** As the row has it, for filters; the changes say the same. */
  readonly status: ReviewStatus
  readonly changes: readonly ReviewChange[]
}

export interface ReviewQuery {
  readonly statuses: readonly ReviewStatus[]
  readonly corridor: Corridor | null
  readonly verdict: Verdict | null
  readonly mode: Mode | null
  /** A principal, or the empty text for nobody; null: anybody. */
  readonly claimedBy: string | null
  /** Only those that were due before this time. */
  readonly dueBeforeMs: number | null
  /** A waiting review that should have expired by then counts as expired. */
  readonly nowMs: number
  /** Only those after this one. */
  readonly after: { readonly dueAtMs: number; readonly reviewId: string } | null
  readonly limit: number
}

/** Sums of the reviews that wait, by currency. */
export interface WaitingSums {
  readonly currency: Currency
  readonly status: ReviewStatus
  readonly reviews: number
  readonly overdue: number
  /** Of the reviews with an amount. */
  readonly amount: number
  readonly oldestDueAtMs: number
}

export interface OwnerReviews {
  find(reviewId: string): Promise<Review | null>
  /** Oldest due first. */
  list(query: ReviewQuery): Promise<Review[]>
  waiting(mode: Mode | null, nowMs: number): Promise<WaitingSums[]>
  /**
   * Appends a change, with the override of an approval. `moved`, without a change, if the review has another number of
   * changes by now; `overridden` if the decision has an override already.
   */
  append(
    change: ReviewChange,
    row: ReviewRow,
    override: Override | null,
  ): Promise<'appended' | 'moved' | 'overridden'>
}

/** The columns that follow from the changes. */
export interface ReviewRow {
  readonly status: ReviewStatus
  /** The principal; empty for nobody. */
  readonly claimedBy: string
}

/** A decision that the follower passes. */
export interface FollowedDecision extends Pick<
  Verification,
  | 'requestId'
  | 'ownerId'
  | 'mode'
  | 'corridor'
  | 'verdict'
  | 'scoreHundredths'
  | 'amount'
  | 'currency'
  | 'recordedAtMs'
  | 'cooldownSourceId'
  | 'answer'
> {
  /** Whether the source has a review already. */
  readonly isSourceReviewed: boolean
}

export interface FollowedForReviews {
  /** The follower's position, and where it is after these entries. */
  readonly from: number
  readonly to: number
  /** Those that may need a review, in the order of the journal. */
  readonly decisions: readonly FollowedDecision[]
  /** Direct ones. */
  readonly overrides: readonly (Pick<Override, 'overrideId' | 'requestId' | 'ownerId'> & Attributed)[]
}

/** A change that closes a review, unless it is closed. */
export type Closing = Omit<ReviewChange, 'number'>

export interface ReviewEffects {
  readonly opened: readonly { readonly subject: ReviewSubject; readonly change: ReviewChange }[]
  /** The reviews that repeats join, once for each repeat. */
  readonly repeated: readonly string[]
  readonly closed: readonly Closing[]
}

/** A review that should have expired. */
export type DueReview = Pick<ReviewSubject, 'reviewId' | 'ownerId' | 'requestId' | 'expiresAtMs'>

/** A review with its row, its decision and its override as they are stored, for the check of the log. */
export interface CheckedReview extends Review {
  readonly row: ReviewRow & { readonly version: number; readonly isClosed: boolean }
  /** Null while its month is away. */
  readonly record: Pick<ReviewSubject, 'mode' | 'corridor' | 'verdict' | 'amount' | 'currency'> | null
  readonly override: StoredApproval | null
}

/** The override of a decision, direct or approved. */
export interface StoredApproval {
  readonly overrideId: string
  readonly action: OverrideAction
  readonly principalId: string | null
  /** Null for a direct one. */
  readonly reviewId: string | null
  readonly approverId: string | null
}

export interface ReviewStore {
  /** The next entries, a bounded number. */
  entries(): Promise<FollowedForReviews>
  /** Writes the effects together with the new position. False, without a change, if another instance was first. */
  followed(from: number, to: number, effects: ReviewEffects): Promise<boolean>
  /** Waiting reviews that should have expired, oldest first. */
  due(nowMs: number, limit: number): Promise<DueReview[]>
  close(closings: readonly Closing[]): Promise<void>
  /** Of all owners, by id. */
  page(afterId: string, limit: number): Promise<CheckedReview[]>
  /** The ids of reviews that have changes, but no row. */
  missing(limit: number): Promise<string[]>
}
