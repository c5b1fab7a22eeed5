/** /api/v1/reviews: payments that need a person, and what people do about them. */

import { Type, type Static } from 'typebox'
import type { FastifyRequest } from 'fastify'
import type { ActResult, Reviews } from '../../app/review/reviews.ts'
import { actorView, reviewDetail, reviewView } from '../../app/review/view.ts'
import type { WaitingSums } from '../../app/ports/reviews.ts'
import type { Clock } from '../../app/ports/system.ts'
import {
  isWaiting,
  reviewLimits,
  reviewStatuses,
  stateOf,
  type ReviewAct,
  type ReviewStatus,
} from '../../core/review/life.ts'
import { decimalsOf, type Currency } from '../../core/reference/currency.ts'
import { isReviewId, type ReviewTerms } from '../../core/review/terms.ts'
import { iso } from '../../core/time/durations.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { cursorRule, linkToNext, readCursor } from '../input/paging.ts'
import { readCorridor } from '../input/payment.ts'
import { limits } from '../limits.ts'
import { errorResponses, isBlank, keyed, response } from '../schemas/common.ts'
import {
  ApproveBody,
  CommentBody,
  ProposeBody,
  RejectBody,
  ReviewAnswer,
  ReviewDetail,
  ReviewList,
  ReviewQuery,
  ReviewSummary,
  ReviewSummaryQuery,
} from '../schemas/reviews.ts'

const reviewsPath = '/api/v1/reviews'

interface ReviewRouteDeps {
  readonly reviews: Reviews
  readonly reviewTerms: ReviewTerms
  readonly clock: Clock
}

const common = { tags: ['Reviews'], security: keyed }
const errorsOfRead = errorResponses('limited', 400, 401, 403, 429, 500, 503)
const errorsOfOne = { ...errorsOfRead, ...errorResponses('limited', 404) }
const errorsOfAct = { ...errorsOfOne, ...errorResponses('limited', 409, 413, 415) }
const reviewParams = Type.Object({ review_id: Type.String() })

export function registerReviews(app: App, deps: ReviewRouteDeps): void {
  registerList(app, deps)
  registerSummary(app, deps)
  registerOne(app, deps)
  const act = createAct(deps)
  registerHandling(app, act)
  registerWords(app, act)
  registerSettling(app, act)
}

function registerList(app: App, { reviews, reviewTerms: terms, clock }: ReviewRouteDeps): void {
  app.route({
    method: 'GET',
    url: reviewsPath,
    config: { access: { scope: 'review:read', limit: 'keyed' }, isLong: true },
    schema: {
      ...common,
      operationId: 'reviews',
      summary: 'List reviews, oldest due first',
      description:
        'A review is opened for every `DEGRADED` or `NO-GO` decision, and for every `GO` that asks for something first. Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none.',
      querystring: ReviewQuery,
      response: {
        200: response(ReviewList, 'limited', {
          Link: { type: 'string', description: 'The next page, if any.' },
        }),
        ...errorsOfRead,
      },
    },
    async handler(request, reply) {
      const { query } = request
      const { ownerId, by } = callerOf(request)
      const errors: FieldError[] = []
      const nowMs = clock.nowMs()
      const limit = query.limit ?? limits.historyPageDefault
      const isOverdue = query.overdue === 'true'
      const claimed = { me: by.principalId, nobody: '' }
      const wanted = {
        statuses: readStatuses(query.status, errors).filter((status) => !isOverdue || isWaiting(status)),
        corridor: query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors),
        verdict: query.decision ?? null,
        mode: query.mode ?? null,
        claimedBy: query.claimed_by === undefined ? null : claimed[query.claimed_by],
        dueBeforeMs: isOverdue ? nowMs : null,
        nowMs,
        after: readAfter(query.cursor, errors),
        limit: limit + 1,
      }
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const found = await reviews.list(ownerId, wanted)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      const place = last === undefined ? null : `${last.dueAtMs} ${last.reviewId}`
      if (place !== null) reply.header('link', linkToNext(reviewsPath, query, place))
      return reply.send({
        reviews: page.map((review) => reviewView(review, { nowMs, terms })),
        next_cursor: place === null ? null : Buffer.from(place).toString('base64url'),
      })
    },
  })
}

function readStatuses(text: string | undefined, errors: FieldError[]): readonly ReviewStatus[] {
  if (text === undefined) return reviewStatuses
  const names = text.split(',')
  const known = reviewStatuses.filter((status) => names.includes(status))
  if (known.length !== new Set(names).size)
    errors.push({ path: '/status', message: `must be one of ${reviewStatuses.join(', ')}, or several` })
  return known
}

function readAfter(cursor: string | undefined, errors: FieldError[]) {
  if (cursor === undefined) return null
  const [, due = '', reviewId = ''] = /^(\d{1,15}) (\S+)$/.exec(readCursor(cursor)) ?? []
  if (isReviewId(reviewId)) return { dueAtMs: Number(due), reviewId }
  errors.push({ path: '/cursor', message: cursorRule })
  return null
}

function registerSummary(app: App, { reviews }: ReviewRouteDeps): void {
  app.route({
    method: 'GET',
    url: `${reviewsPath}/summary`,
    config: { access: { scope: 'review:read', limit: 'keyed' }, isLong: true },
    schema: {
      ...common,
      operationId: 'reviewSummary',
      summary: 'Count the reviews and the money that wait',
      querystring: ReviewSummaryQuery,
      response: { 200: response(ReviewSummary, 'limited'), ...errorsOfRead },
    },
    async handler(request) {
      const { ownerId } = callerOf(request)
      return summaryOf(await reviews.waiting(ownerId, request.query.mode ?? null))
    },
  })
}

function summaryOf(sums: readonly WaitingSums[]): Static<typeof ReviewSummary> {
  const count = (of: readonly WaitingSums[]): number => of.reduce((sum, { reviews }) => sum + reviews, 0)
  const withStatus = (...statuses: readonly ReviewStatus[]): number =>
    count(sums.filter(({ status }) => statuses.includes(status)))
  const oldest = Math.min(...sums.map(({ oldestDueAtMs }) => oldestDueAtMs))
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency)
  return {
    waiting: count(sums),
    unclaimed: withStatus('open', 'rejected'),
    proposed: withStatus('proposed'),
    overdue: sums.reduce((sum, { overdue }) => sum + overdue, 0),
    oldest_due_at: Number.isFinite(oldest) ? iso(oldest) : null,
    money: [...byCurrency].map(([currency, own]) => ({
      currency,
      amount: rounded(
        own.reduce((sum, { amount }) => sum + amount, 0),
        currency,
      ),
      reviews: count(own),
    })),
  }
}

/** A sum of amounts with decimals has more digits than they had. */
const rounded = (amount: number, currency: Currency): number => Number(amount.toFixed(decimalsOf(currency)))

function registerOne(app: App, { reviews, reviewTerms: terms, clock }: ReviewRouteDeps): void {
  app.route({
    method: 'GET',
    url: `${reviewsPath}/:review_id`,
    config: { access: { scope: 'review:read', limit: 'keyed' } },
    schema: {
      ...common,
      operationId: 'review',
      summary: 'Show a review and its history',
      params: reviewParams,
      response: { 200: response(ReviewDetail, 'limited'), ...errorsOfOne },
    },
    async handler(request, reply) {
      const review = await reviews.find(callerOf(request).ownerId, request.params.review_id)
      if (review === null) return sendProblem(reply, notFound)
      return reply.send(reviewDetail(review, { nowMs: clock.nowMs(), terms }))
    },
  })
}

type Acted =
  { readonly view: ReturnType<typeof reviewView> } | { readonly view: null; readonly problem: Problem }

type Act = (
  request: FastifyRequest<{ Params: Static<typeof reviewParams> }>,
  act: ReviewAct,
) => Promise<Acted>

function createAct({ reviews, reviewTerms: terms, clock }: ReviewRouteDeps): Act {
  const refused = (problem: Problem): Acted => ({ view: null, problem })
  return async (request, act) => {
    const text = 'text' in act ? act.text : null
    if (text !== null && isBlank(text))
      return refused(invalid([{ path: `/${textMember[act.kind]}`, message: 'must not be blank' }]))
    const result = await reviews.act(callerOf(request), request.params.review_id, act)
    if (result.kind === 'unknown') return refused(notFound)
    if (result.kind === 'refused') return refused(problemOf(result))
    return { view: reviewView(result.review, { nowMs: clock.nowMs(), terms }) }
  }
}

const textMember: Readonly<Record<ReviewAct['kind'], string>> = {
  claim: '',
  release: '',
  comment: 'text',
  propose: 'justification',
  approve: 'reason',
  reject: 'reason',
}

const shared = {
  ...common,
  params: reviewParams,
  response: { 200: response(ReviewAnswer, 'limited'), ...errorsOfAct },
}
const writing = { access: { scope: 'review:write', limit: 'keyed' } } as const
const approving = { access: { scope: 'review:approve', limit: 'keyed' } } as const

function registerHandling(app: App, act: Act): void {
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/claim`,
    config: { ...writing, emptyBody: true },
    schema: {
      ...shared,
      operationId: 'claimReview',
      summary: 'Claim a review',
      description: 'One claim wins. Your own again gets the same answer; that of another is 409.',
    },
    async handler(request, reply) {
      const acted = await act(request, { kind: 'claim' })
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/release`,
    config: { ...writing, emptyBody: true },
    schema: {
      ...shared,
      operationId: 'releaseReview',
      summary: 'Give a review back to the queue',
      description:
        'Your own; a proposal of yours is withdrawn. An approver may also release what another has claimed.',
    },
    async handler(request, reply) {
      const acted = await act(request, { kind: 'release' })
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
}

function registerWords(app: App, act: Act): void {
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/comment`,
    config: writing,
    schema: {
      ...shared,
      operationId: 'commentReview',
      summary: 'Comment on a review',
      description: `At most ${reviewLimits.commentsMax} comments; each is recorded permanently.`,
      body: CommentBody,
    },
    async handler(request, reply) {
      const acted = await act(request, { kind: 'comment', text: request.body.text })
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/propose`,
    config: writing,
    schema: {
      ...shared,
      operationId: 'proposeReview',
      summary: 'Propose what to do instead',
      description:
        'Also claims a review that nobody has. Nothing happens to the decision until another principal approves.',
      body: ProposeBody,
    },
    async handler(request, reply) {
      const { action, reason_code: reasonCode, justification: text } = request.body
      const acted = await act(request, { kind: 'propose', action, reasonCode, text })
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
}

function registerSettling(app: App, act: Act): void {
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/approve`,
    config: { ...approving, emptyBody: true },
    schema: {
      ...shared,
      operationId: 'approveReview',
      summary: 'Approve a proposal',
      description:
        'By another principal than the one who proposed. Records the override with both names; for a `GO`, which cannot be overridden, the resolution alone.',
      body: ApproveBody,
    },
    // A missing body counts as an empty object.
    preValidation: (request, _reply, done) => {
      if (request.body === undefined) request.body = {}
      done()
    },
    async handler(request, reply) {
      const acted = await act(request, settling('approve', request.body))
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
  app.route({
    method: 'POST',
    url: `${reviewsPath}/:review_id/reject`,
    config: approving,
    schema: {
      ...shared,
      operationId: 'rejectReview',
      summary: 'Reject a proposal',
      description:
        'By another principal than the one who proposed. The review is open again for another proposal.',
      body: RejectBody,
    },
    async handler(request, reply) {
      const acted = await act(request, settling('reject', request.body))
      return acted.view === null ? sendProblem(reply, acted.problem) : reply.send(acted.view)
    },
  })
}

function settling(
  kind: 'approve' | 'reject',
  { reason = null, proposal_id: proposalId = null }: { reason?: string | null; proposal_id?: string | null },
): ReviewAct {
  return { kind, text: reason, proposalId }
}

type Refused = Extract<ActResult, { kind: 'refused' }>

const conflict = (message: string): Problem => ({ code: 'REVIEW_CONFLICT', message })

const refusals: Readonly<Record<Exclude<Refused['refusal'], 'closed' | 'claimed_by_another'>, Problem>> = {
  expired: conflict('This review has expired. Verify the payment again.'),
  not_claimed: conflict('Nobody has claimed this review.'),
  already_proposed: conflict(
    'This review has a proposal. It must be approved, rejected, or withdrawn with release.',
  ),
  no_proposal: conflict('This review has no proposal to approve or reject.'),
  another_proposal: conflict('The proposal was replaced by another. Read the review again.'),
  four_eyes: {
    code: 'FOUR_EYES',
    message:
      'You made this proposal. Another principal with the scope review:approve must approve or reject it.',
  },
  too_many_comments: conflict(`A review has at most ${reviewLimits.commentsMax} comments.`),
  too_many_changes: conflict(`A review has at most ${reviewLimits.changesMax} changes.`),
}

function problemOf({ refusal, review }: Refused): Problem {
  const { status, claim } = stateOf(review.changes)
  if (refusal === 'closed')
    return conflict(
      status === 'approved' || status === 'expired' || status === 'overridden'
        ? `This review is ${status}, which is final.`
        : 'This decision was overridden meanwhile, which closes its review.',
    )
  if (refusal !== 'claimed_by_another') return refusals[refusal]
  const claimant = actorView(claim?.by ?? null)
  const name = claimant === null ? 'another principal' : `${claimant.name} (${claimant.id})`
  return conflict(`This review is claimed by ${name}.`)
}
