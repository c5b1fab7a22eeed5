/** Reviews of the key's owner, over the API: read, page by page, and acted on once. */

import {
  ConflictError,
  FairwayError,
  NotFoundError,
  UnexpectedAnswerError,
  type FairwayClient,
  type Review,
  type ReviewDetail,
  type ReviewsQuery,
} from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { checked } from '../session/answer-checks.ts'
import { faultExitCode } from '../session/exit-codes.ts'
import { lostResult } from '../session/failure.ts'
import type { Session } from '../session/session.ts'

const pageMax = 500
/** Longer than one rate-limit window: a long queue takes several pages. */
const pageRetryBudgetMs = 70_000

const reviewMembers = { review_id: 'text', request_id: 'text', status: 'text', due_at: 'text' } as const

export interface Queue {
  readonly reviews: readonly Review[]
  readonly hasMore: boolean
}

/** Reads page after page until the limit is reached. */
export async function readQueue(
  { call }: Pick<Session, 'call'>,
  client: FairwayClient,
  filter: ReviewsQuery,
  countMax: number,
): Promise<Queue> {
  const reviews: Review[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageMax, countMax - reviews.length)
    const query: ReviewsQuery = { ...filter, limit, ...(cursor === null ? {} : { cursor }) }
    const page = await call(() => client.reviews(query).page(), pageRetryBudgetMs)
    for (const review of page.items) reviews.push(checked(review, reviewMembers))
    if (page.nextCursor !== null && page.nextCursor === cursor)
      throw new UnexpectedAnswerError('Unexpected response: the next page is the current page.')
    cursor = page.nextCursor
  } while (cursor !== null && reviews.length < countMax)
  return { reviews, hasMore: cursor !== null }
}

export async function readReview(session: Session, reviewId: string): Promise<ReviewDetail> {
  const client = session.keyed()
  try {
    const found = await session.call(() => client.review(reviewId))
    return checked(found, { ...reviewMembers, comments: 'list', history: 'list' })
  } catch (error) {
    throw explained(error, reviewId, session)
  }
}

/** Never retried: after a lost response it is unknown whether the act was recorded. */
export async function actOnce(
  session: Session,
  reviewId: string,
  unknown: string,
  send: (client: FairwayClient) => Promise<Review>,
): Promise<Review> {
  try {
    const review = checked(await send(session.keyed()), reviewMembers)
    if (review.review_id === reviewId) return review
    throw new UnexpectedAnswerError('Unexpected response: it names another review.')
  } catch (error) {
    const show = session.hint('reviews', 'show', reviewId)
    throw lostResult(explained(error, reviewId, session), `whether ${unknown}. To check, run: ${show}`)
  }
}

/** Adds to a refusal what the user can do about it. */
function explained(error: unknown, reviewId: string, { connection, hint }: Session): unknown {
  if (!(error instanceof FairwayError) || error.code === null) return error
  const failure = (message: string, details: readonly string[]): CommandFailure =>
    Object.assign(new CommandFailure(message, faultExitCode, details), { cause: error })
  if (error.code === 'FOUR_EYES')
    return failure(
      `the proposal was made by the principal of this key (from ${connection.keySource}), so another must settle it`,
      [
        'A key and its successors are one principal; another key of the same owner is another one.',
        'An operator issues one with: fairway keys issue --type TYPE --for-owner OWNER_ID',
      ],
    )
  if (error instanceof NotFoundError)
    return failure(`your key has no review ${reviewId}: run ${hint('reviews', 'list', '--status', 'all')}`, [
      'A plain GO has no review. A decision that a cooldown repeated shares the review of its source.',
    ])
  if (error instanceof ConflictError)
    return failure(error.message, [`To see it, run: ${hint('reviews', 'show', reviewId)}`])
  return error
}
