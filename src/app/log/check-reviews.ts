/** Compares the rows of reviews, which queries and four eyes read, with their sealed changes and their decisions. */

import { stateOf } from '../../core/review/life.ts'
import type { CheckedReview, ReviewStore } from '../ports/reviews.ts'

type Report = (place: string, message: string) => void

const pageSize = 500

export async function checkReviews(store: Pick<ReviewStore, 'page'>, report: Report): Promise<void> {
  for (let after = ''; ;) {
    const page = await store.page(after, pageSize)
    for (const [place, review] of page.entries()) {
      if (faultsOf(review).next().done === true) continue
      // A change may have come between the reads of a row and of its changes.
      const [again = review] = await store.page(page[place - 1]?.reviewId ?? after, 1)
      for (const message of faultsOf(again)) report(`review ${again.reviewId}`, message)
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.reviewId
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
  const isAsRecorded =
    record === null ||
    (record.corridor === review.corridor &&
      record.verdict === review.verdict &&
      record.amount === review.amount &&
      record.currency === review.currency)
  if (!isAsRecorded) yield 'is of another payment than its decision'
}
