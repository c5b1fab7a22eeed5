/** Compares the rows of reviews, which queries and four eyes read, with their sealed changes and their decisions. */

import { mayBeOverridden } from '../../core/events/override.ts'
import { isWaiting, stateOf } from '../../core/review/life.ts'
import type { CheckedReview, ReviewChange, ReviewStore } from '../ports/reviews.ts'

type Report = (place: string, message: string) => void
type Pages = Pick<ReviewStore, 'page'>

const pageSize = 500
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
    if (last === undefined) return
    after = last.reviewId
  }
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
  if (opening.dueAtMs !== review.dueAtMs || opening.expiresAtMs !== review.expiresAtMs)
    yield 'is due or expires at another time than it was opened with'
  if (stateOf(changes).status !== review.status) yield 'has another status than its changes give it'
  if (!isLawful(review)) yield 'has a change that cannot come where it is'
  const isAsRecorded =
    record === null ||
    (record.corridor === review.corridor &&
      record.verdict === review.verdict &&
      record.amount === review.amount &&
      record.currency === review.currency)
  if (!isAsRecorded) yield 'is of another payment than its decision'
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
