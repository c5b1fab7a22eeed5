/** Compares the rows of reviews, which queries and four eyes read, with their sealed changes and their decisions. */

import { mayBeOverridden } from '../../core/events/override.ts'
import { isWaiting, stateOf } from '../../core/review/life.ts'
import type { CheckedReview, ReviewChange, ReviewStore } from '../ports/reviews.ts'

type Report = (place: string, message: string) => void
type Pages = Pick<ReviewStore, 'page' | 'missing'>

const pageSize = 500
/** Limits the output for a table that was emptied. */
const missingMax = 1_000
/** Reviews that may have been opened meanwhile between two that were read before. */
const nearbyMax = 10

export async function checkReviews(store: Pages, report: Report): Promise<void> {
  for (let after = ''; ;) {
    const page = await store.page(after, pageSize)
    for (const [place, review] of page.entries()) {
      if (faultsOf(review).next().done === true) continue
      const settled = await readSettled(store, page[place - 1]?.reviewId ?? after, review)
      for (const message of faultsOf(settled)) report(`review ${settled.reviewId}`, message)
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.reviewId
  }
  for (const reviewId of await store.missing(missingMax))
    report(`review ${reviewId}`, 'is missing, but the log has changes of it')
}

/** A change may come between the reads of a row and of its changes: only what two reads agree on is reported. */
async function readSettled(store: Pages, afterId: string, review: CheckedReview): Promise<CheckedReview> {
  for (let seen = review; ;) {
    const nearby = await store.page(afterId, nearbyMax)
    const again = nearby.find(({ reviewId }) => reviewId === review.reviewId) ?? seen
    if (again.status === seen.status && again.changes.length === seen.changes.length) return again
    seen = again
  }
}

function* faultsOf(review: CheckedReview): Generator<string> {
  const { changes, record, requestId, ownerId } = review
  const [opening] = changes
  const isWhole = changes.every(
    ({ number, ...change }, place) =>
      number === place + 1 && change.requestId === requestId && change.ownerId === ownerId,
  )
  if (opening?.kind !== 'opened' || !isWhole) {
    yield 'lacks a change, or has one of another review'
    return
  }
  if (!isLawful(review)) {
    yield 'has a change that cannot come where it is'
    return
  }
  if (review.status !== stateOf(changes).status) yield 'has another status than its changes give it'
  else if (!isFolded(review)) yield 'has another claim or number of changes than its changes give it'
  if (opening.dueAtMs !== review.dueAtMs || opening.expiresAtMs !== review.expiresAtMs)
    yield 'is due or expires at another time than it was opened with'
  const isAsRecorded =
    record === null ||
    (record.mode === review.mode &&
      record.corridor === review.corridor &&
      record.verdict === review.verdict &&
      record.amount === review.amount &&
      record.currency === review.currency)
  if (!isAsRecorded) yield 'is of another payment than its decision'
  if (!isOverrideApproved(review)) yield 'has another end than the override of its decision'
}

/** The columns that queries and the background work read. */
function isFolded({ changes, row }: CheckedReview): boolean {
  const { status, claim } = stateOf(changes)
  return (
    row.version === changes.length &&
    row.claimedBy === (claim?.by?.principalId ?? '') &&
    row.isClosed === !isWaiting(status)
  )
}

/** The override names the review that approved it, and that review names the override, with the same two principals. */
function isOverrideApproved({ changes, reviewId, override }: CheckedReview): boolean {
  const { status, proposal, resolution } = stateOf(changes)
  const named = resolution?.overrideId ?? null
  if (named !== null && override?.overrideId !== named) return false
  if (override === null || override.reviewId === null) return status !== 'approved' || named === null
  return (
    status === 'approved' &&
    named === override.overrideId &&
    override.reviewId === reviewId &&
    override.action === proposal?.action &&
    override.principalId === proposal.by?.principalId &&
    override.approverId === resolution?.by?.principalId
  )
}

/** A change that somebody put into the queue is sealed like any other, but must still fit those before it. */
function isLawful({ changes, verdict }: CheckedReview): boolean {
  return changes.every((change, place) => {
    const { status, proposal } = stateOf(changes.slice(0, place))
    const settles = change.kind === 'approved' || change.kind === 'rejected'
    const isAfterProposal = status === 'proposed' && change.proposalId === proposal?.changeId
    return isWaiting(status) && (settles ? isAfterProposal : true) && isOverrideNamed(change, verdict)
  })
}

/** An approval names the override that it wrote, unless it is of a `GO`, which cannot be overridden. */
function isOverrideNamed({ kind, overrideId }: ReviewChange, verdict: CheckedReview['verdict']): boolean {
  const isNeeded = kind === 'overridden' || (kind === 'approved' && mayBeOverridden(verdict))
  return isNeeded === (overrideId !== null)
}
