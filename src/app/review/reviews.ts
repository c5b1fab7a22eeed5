/** The use cases of reviews: the queue, and each act of a principal on a review. */

import {
  changeKindOf,
  isWaiting,
  judge,
  stateOf,
  type ReviewAct,
  type ReviewRefusal,
} from '../../core/review/life.ts'
import { mayBeOverridden } from '../../core/events/override.ts'
import { isReviewId, needsFourEyes, type ReviewTerms } from '../../core/review/terms.ts'
import type { Mode, Scope } from '../../core/identity/api-key.ts'
import { keepApart } from '../log/personal-text.ts'
import { attributedTo } from '../people/caller.ts'
import type { Ids } from '../verify/ids.ts'
import type { Actor, Override } from '../ports/records.ts'
import type { OwnerReviews, Review, ReviewChange, ReviewQuery, WaitingSums } from '../ports/reviews.ts'
import { StoreUnavailable, type Store } from '../ports/store.ts'
import type { Clock, Random } from '../ports/system.ts'
import { changeBy, serviceChange } from './follow.ts'

interface Caller {
  readonly ownerId: string
  readonly by: Actor
  may(scope: Scope): boolean
}

export type ActResult =
  /** Now, or earlier by the same act. */
  | { readonly kind: 'done'; readonly review: Review }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly refusal: ReviewRefusal; readonly review: Review }

export interface Reviews {
  find(ownerId: string, reviewId: string): Promise<Review | null>
  list(ownerId: string, query: ReviewQuery): Promise<Review[]>
  waiting(ownerId: string, mode: Mode | null): Promise<WaitingSums[]>
  act(caller: Caller, reviewId: string, act: ReviewAct): Promise<ActResult>
}

export interface ReviewDeps {
  readonly store: Store
  readonly ids: Ids
  readonly clock: Clock
  readonly random: Random
  readonly terms: ReviewTerms
}

/** Others may act on the same review at the same time; the next try sees what they did. */
const triesMax = 100

export function createReviews(deps: ReviewDeps): Reviews {
  const { store, clock } = deps
  return {
    async find(ownerId, reviewId) {
      if (!isReviewId(reviewId)) return null
      const review = await store.forOwner(ownerId).reviews.find(reviewId)
      return review === null ? null : asOf(review, clock.nowMs())
    },
    async list(ownerId, query) {
      const found = await store.forOwner(ownerId).reviews.list(query)
      return found.map((review) => asOf(review, query.nowMs))
    },
    waiting: (ownerId, mode) => store.forOwner(ownerId).reviews.waiting(mode, clock.nowMs()),
    async act(caller, reviewId, act) {
      if (!isReviewId(reviewId)) return { kind: 'unknown' }
      const { reviews } = store.forOwner(caller.ownerId)
      let wanted = act
      for (let tries = 1; tries <= triesMax; tries += 1) {
        const result = await attempt(reviews, { caller, reviewId, act: wanted }, deps)
        if (result.kind !== 'moved') return result
        // An approval is of the proposal that it was made on, also after another try.
        wanted = result.act
      }
      throw new StoreUnavailable('reviews: other changes of the same review keep coming first')
    },
  }
}

/** A review whose time is over counts as expired, although the change that says so is recorded a moment later. */
function asOf(review: Review, nowMs: number): Review {
  if (!isWaiting(review.status) || nowMs < review.expiresAtMs) return review
  const number = review.changes.length + 1
  const change = { ...changeBy('expired', review, { id: '', atMs: review.expiresAtMs }), number }
  return { ...review, status: 'expired', changes: [...review.changes, change] }
}

interface Wanted {
  readonly caller: Caller
  readonly reviewId: string
  readonly act: ReviewAct
}

/** The review has changed since it was read. */
interface Moved {
  readonly kind: 'moved'
  /** To be tried again. */
  readonly act: ReviewAct
}

async function attempt(
  reviews: OwnerReviews,
  { caller, reviewId, act }: Wanted,
  deps: ReviewDeps,
): Promise<ActResult | Moved> {
  const review = await reviews.find(reviewId)
  if (review === null) return { kind: 'unknown' }
  const state = stateOf(review.changes)
  const verdict = judge(state, act, {
    principalId: caller.by.principalId,
    mayApprove: caller.may('review:approve'),
    needsFourEyes: needsFourEyes(deps.terms, review.amount, review.currency),
    isExpired: deps.clock.nowMs() >= review.expiresAtMs,
  })
  if (verdict === 'unchanged') return { kind: 'done', review }
  if (verdict !== null) return { kind: 'refused', refusal: verdict, review }
  const { proposal } = state
  const change = changeOf(review, { caller, act, proposal }, deps)
  const override =
    act.kind === 'approve' && proposal !== null ? overrideOf(review, proposal, change, deps) : null
  const made = { ...change, overrideId: override?.overrideId ?? null }
  const changes = [...review.changes, made]
  const { status, claim } = stateOf(changes)
  const result = await reviews.append(made, { status, claimedBy: claim?.by?.principalId ?? '' }, override)
  if (result === 'moved') return { kind: 'moved', act: onProposal(act, proposal) }
  // A direct override was first; the follower closes the review.
  if (result === 'overridden') return { kind: 'refused', refusal: 'closed', review }
  return { kind: 'done', review: { ...review, status, changes } }
}

function onProposal(act: ReviewAct, proposal: ReviewChange | null): ReviewAct {
  return act.kind === 'approve' || act.kind === 'reject'
    ? { ...act, proposalId: proposal?.changeId ?? null }
    : act
}

function changeOf(
  { reviewId, ownerId, requestId, changes }: Review,
  { caller, act, proposal }: Pick<Wanted, 'caller' | 'act'> & { readonly proposal: ReviewChange | null },
  { ids, random }: ReviewDeps,
): ReviewChange {
  const kind = changeKindOf[act.kind]
  const text = 'text' in act ? act.text : null
  const settles = act.kind === 'approve' || act.kind === 'reject'
  return {
    ...serviceChange(kind, { reviewId, ownerId, requestId }, ids),
    number: changes.length + 1,
    by: attributedTo(caller.by),
    action: act.kind === 'propose' ? act.action : null,
    reasonCode: act.kind === 'propose' ? act.reasonCode : null,
    text,
    personalText: text === null ? null : keepApart(text, random),
    proposalId: settles ? (proposal?.changeId ?? null) : null,
  }
}

/** A `GO` cannot be overridden: its approval is the resolution alone. */
function overrideOf(
  { requestId, ownerId, verdict, reviewId }: Review,
  proposal: ReviewChange,
  { by: approver, atMs }: ReviewChange,
  { ids, random }: ReviewDeps,
): Override | null {
  if (!mayBeOverridden(verdict)) return null
  const { by: proposer, action, reasonCode, text } = proposal
  if (proposer === null || approver === null || action === null || reasonCode === null)
    throw new Error('reviews: a proposal or its approval lacks its principal')
  return {
    form: 2,
    overrideId: ids.next('ovr').id,
    requestId,
    ownerId,
    ...proposer,
    action,
    reasonCode,
    justification: text,
    // An erased justification stays erased.
    personalText: text === null ? proposal.personalText : keepApart(text, random),
    originalVerdict: verdict,
    createdAtMs: atMs,
    approval: { ...approver, reviewId },
  }
}
