/** The methods of reviews and holds. The client inherits them. */

import type { Calls } from './calls.ts'
import type { Listing } from './listing.ts'
import { PolicyMethods } from './policies.ts'
import { pathPart, queryText, type CallOptions } from './request.ts'
import { jsonOf, type Answer } from './transport.ts'
import type * as wire from './types.ts'

const root = '/api/v1/reviews'
const pathOf = (reviewId: string): string => `${root}/${pathPart(reviewId)}`
const reviewsOf = (answer: Answer): readonly wire.Review[] => jsonOf<wire.ReviewList>(answer).reviews

export class ReviewMethods extends PolicyMethods {
  readonly #calls: Calls

  constructor(calls: Calls) {
    super(calls)
    this.#calls = calls
  }

  /** Reviews, oldest due first: `for await (const review of client.reviews({ status: 'open' }))`. */
  reviews(query: wire.ReviewsQuery = {}, options: CallOptions = {}): Listing<wire.Review> {
    return this.#calls.list(root, query, options, reviewsOf)
  }

  /** One review with its history. */
  async review(reviewId: string, options: CallOptions = {}): Promise<wire.ReviewDetail> {
    return this.#calls.get(pathOf(reviewId), options)
  }

  /** The reviews and the money that wait. */
  async reviewSummary(
    query: wire.ReviewSummaryQuery = {},
    options: CallOptions = {},
  ): Promise<wire.ReviewSummary> {
    return this.#calls.get(`${root}/summary${queryText(query)}`, options)
  }

  /** Claims a review. A `ConflictError` says who was first. */
  async claimReview(reviewId: string, options: CallOptions = {}): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/claim`, null, options)
  }

  /** Gives a review back to the queue, and withdraws your proposal. */
  async releaseReview(reviewId: string, options: CallOptions = {}): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/release`, null, options)
  }

  async commentReview(
    reviewId: string,
    body: wire.ReviewCommentRequest,
    options: CallOptions = {},
  ): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/comment`, body, options)
  }

  /** Proposes what to do instead. Nothing happens until another principal approves. */
  async proposeReview(
    reviewId: string,
    body: wire.ReviewProposeRequest,
    options: CallOptions = {},
  ): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/propose`, body, options)
  }

  /** Approves a proposal. Refused with `FOUR_EYES` to the principal who made it. */
  async approveReview(
    reviewId: string,
    body: wire.ReviewApproveRequest = {},
    options: CallOptions = {},
  ): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/approve`, body, options)
  }

  /** Rejects a proposal. The review is open again for another. */
  async rejectReview(
    reviewId: string,
    body: wire.ReviewRejectRequest,
    options: CallOptions = {},
  ): Promise<wire.Review> {
    return this.#calls.act(`${pathOf(reviewId)}/reject`, body, options)
  }

  /** Requests to verify that got no decision, by reason. */
  async holds(query: wire.HoldsQuery = {}, options: CallOptions = {}): Promise<wire.Holds> {
    return this.#calls.get(`/api/v1/holds${queryText(query)}`, options)
  }
}
