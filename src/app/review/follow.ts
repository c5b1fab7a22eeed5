/** The follower `reviews`: opens reviews, counts repeats, and closes the reviews of decisions that were overridden. */

import type { ReviewChangeKind } from '../../core/review/life.ts'
import { needsReview, reviewIdOf, type ReviewTerms } from '../../core/review/terms.ts'
import { readAnswerExcerpt } from '../verify/answer.ts'
import type { Ids } from '../verify/ids.ts'
import type {
  Closing,
  FollowedDecision,
  FollowedForReviews,
  ReviewChange,
  ReviewEffects,
  ReviewStore,
  ReviewSubject,
} from '../ports/reviews.ts'

export interface FollowReviewsDeps {
  readonly store: Pick<ReviewStore, 'entries' | 'followed'>
  readonly ids: Ids
  readonly terms: Pick<ReviewTerms, 'dueMs' | 'expiresMs'>
}

/** Follows up to the target, a batch at a time, until `isEnough` returns true. */
export type FollowReviews = (target: number, isEnough: () => boolean) => Promise<void>

export function createFollowReviews(deps: FollowReviewsDeps): FollowReviews {
  return async (target, isEnough) => {
    for (;;) {
      const followed = await deps.store.entries()
      const { from, to } = followed
      if (to === from && to < target)
        throw new Error(`followers: reviews cannot pass entry ${to}: it is missing`)
      // If another instance was first, the next turn starts from its position.
      const isFollowed = to === from || (await deps.store.followed(from, to, effectsOf(followed, deps)))
      if ((isFollowed && to >= target) || isEnough()) return
    }
  }
}

function effectsOf(
  { decisions, overrides }: FollowedForReviews,
  { ids, terms }: FollowReviewsDeps,
): ReviewEffects {
  const opened: { subject: ReviewSubject; change: ReviewChange }[] = []
  const openedIds = new Set<string>()
  const repeated: string[] = []
  for (const decision of decisions) {
    const subject = subjectOf(decision, terms)
    if (subject === null) continue
    const { cooldownSourceId, isSourceReviewed } = decision
    const sourceId = cooldownSourceId === null ? null : reviewIdOf(cooldownSourceId)
    // A source from before reviews has none: its repeat then gets one of its own.
    if (sourceId !== null && (isSourceReviewed || openedIds.has(sourceId))) repeated.push(sourceId)
    else {
      openedIds.add(subject.reviewId)
      opened.push({ subject, change: openingOf(subject, ids) })
    }
  }
  const closed = overrides.map(({ overrideId, requestId, ownerId, ...by }) => ({
    ...serviceChange('overridden', { reviewId: reviewIdOf(requestId), requestId, ownerId }, ids),
    by,
    overrideId,
  }))
  return { opened, repeated, closed }
}

/** Null if the decision needs no review. */
function subjectOf(decision: FollowedDecision, terms: FollowReviewsDeps['terms']): ReviewSubject | null {
  const { answer, cooldownSourceId: _source, isSourceReviewed: _reviewed, recordedAtMs, ...facts } = decision
  const { recommended_action: recommendedAction, reason_codes: reasonCodes } = readAnswerExcerpt(answer)
  if (!needsReview(decision.verdict, recommendedAction)) return null
  return {
    ...facts,
    reviewId: reviewIdOf(decision.requestId),
    recommendedAction,
    reasonCodes,
    openedAtMs: recordedAtMs,
    dueAtMs: recordedAtMs + terms.dueMs,
    expiresAtMs: recordedAtMs + terms.expiresMs,
  }
}

function openingOf(subject: ReviewSubject, ids: Ids): ReviewChange {
  const { dueAtMs, expiresAtMs } = subject
  return { ...serviceChange('opened', subject, ids), number: 1, dueAtMs, expiresAtMs }
}

/** A change that the service makes by itself. */
export function serviceChange(
  kind: ReviewChangeKind,
  { reviewId, requestId, ownerId }: Pick<ReviewSubject, 'reviewId' | 'requestId' | 'ownerId'>,
  ids: Ids,
): Closing {
  return changeBy(kind, { reviewId, requestId, ownerId }, ids.next('rvc'))
}

/** Without a principal or a text. */
export function changeBy(
  kind: ReviewChangeKind,
  { reviewId, requestId, ownerId }: Pick<ReviewSubject, 'reviewId' | 'requestId' | 'ownerId'>,
  { id, atMs }: ReturnType<Ids['next']>,
): Closing {
  return {
    changeId: id,
    reviewId,
    requestId,
    ownerId,
    kind,
    by: null,
    action: null,
    reasonCode: null,
    text: null,
    personalText: null,
    proposalId: null,
    overrideId: null,
    dueAtMs: null,
    expiresAtMs: null,
    atMs,
  }
}
