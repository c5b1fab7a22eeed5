/** Schemas of reviews and holds. */

import { Type } from 'typebox'
import { overrideActions, overrideReasonPattern } from '../../core/events/override.ts'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { reviewStatuses } from '../../core/review/life.ts'
import { limits } from '../limits.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import {
  Mode,
  multilinePattern,
  named,
  nullable,
  paymentCurrencies,
  ReasonCode,
  RecommendedAction,
  Score,
  Timestamp,
  Verdict,
  withWarnings,
} from './common.ts'

const Status = named(
  'ReviewStatus',
  Type.Enum([...reviewStatuses], {
    description:
      '`rejected` is open again for another proposal. `approved`, `expired` and `overridden` are final.',
  }),
)

const Actor = named(
  'ReviewActor',
  Type.Object({
    kind: Type.Enum(['key', 'person']),
    id: Type.String({ description: 'The id of the key or the person.' }),
    name: Type.String({ description: 'For humans: of the person, or of the owner of the key.' }),
  }),
)

const byService = nullable(Actor)

const Action = Type.Enum([...overrideActions], { description: 'The action to take instead.' })

const Proposal = named(
  'ReviewProposal',
  Type.Object({
    proposal_id: Type.String({ description: 'Send it with an approval to approve exactly this proposal.' }),
    action: Action,
    reason_code: Type.String(),
    justification: Type.String(),
    proposed_by: byService,
    proposed_at: Timestamp,
  }),
)

const Resolution = named(
  'ReviewResolution',
  Type.Object({
    status: Status,
    action: nullable(Action),
    reason: nullable(Type.String()),
    by: nullable(Actor),
    at: Timestamp,
    override_id: nullable(
      Type.String({ description: 'The override that the approval wrote, or that closed the review.' }),
    ),
  }),
)

const Comment = named('ReviewComment', Type.Object({ by: byService, text: Type.String(), at: Timestamp }))

/** The members that never change, as they are in events, too. */
const subject = {
  review_id: Type.String({ description: '`rev_` and the digits of the `request_id`.' }),
  request_id: Type.String(),
  decision: Verdict,
  score: Score,
  recommended_action: RecommendedAction,
  amount: nullable(Type.Number({ description: 'The amount of the request.' })),
  ...paymentCurrencies,
  corridor: Type.String(),
  mode: Mode,
  reason_codes: Type.Array(ReasonCode),
  opened_at: Type.String({ format: 'date-time', description: 'When the decision was recorded.' }),
  due_at: Timestamp,
  expires_at: Type.String({
    format: 'date-time',
    description: 'From then on it is `expired`, which never means `EXECUTE`.',
  }),
  status: Status,
}

const resolution = Type.Union([Resolution, Type.Null()], {
  description: 'How it ended, or why the last proposal was rejected. Null until then.',
})

const members = {
  ...subject,
  overdue: Type.Boolean({ description: 'Whether it waits for longer than it should.' }),
  needs_four_eyes: Type.Boolean({
    description: 'Whether another principal than the proposer must approve or reject.',
  }),
  claimed_by: Type.Union([Actor, Type.Null()], { description: 'Null if nobody has claimed it.' }),
  proposal: Type.Union([Proposal, Type.Null()], { description: 'The latest one, also after a rejection.' }),
  resolution,
  comments: Type.Array(Comment),
  repeats: Type.Integer({
    minimum: 0,
    description: 'Decisions that a cooldown repeated. They have no review of their own.',
  }),
}

const ReviewBody = named('Review', Type.Object(members))
export const ReviewAnswer = named('ReviewResponse', withWarnings(Type.Object(members)))

export const ReviewDetail = named(
  'ReviewDetail',
  Type.Object({
    ...members,
    history: Type.Array(
      named(
        'ReviewChange',
        Type.Object({
          kind: Type.Enum([
            'opened',
            'claimed',
            'released',
            'commented',
            'proposed',
            'approved',
            'rejected',
            'expired',
            'overridden',
          ]),
          by: nullable(Actor),
          at: Timestamp,
          action: nullable(Action),
          reason_code: nullable(Type.String()),
          text: nullable(Type.String()),
        }),
      ),
      { description: 'Every change, oldest first. Each is sealed in the log.' },
    ),
  }),
)

export const ReviewList = named(
  'ReviewList',
  Type.Object({
    reviews: Type.Array(ReviewBody, { description: 'Oldest due first.' }),
    next_cursor: nullable(Type.String({ description: 'Null on the last page.' })),
  }),
)

export const ReviewEventData = named('ReviewEventData', Type.Object({ ...subject, resolution }))

export const ReviewQuery = listQuery({
  ...pageMembers('Reviews'),
  status: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `One of ${reviewStatuses.join(', ')}, or several with commas. Without it, all.`,
    }),
  ),
  corridor: Type.Optional(Type.String({ minLength: 1, maxLength: corridorLengthMax })),
  decision: Type.Optional(Verdict),
  mode: Type.Optional(Mode),
  claimed_by: Type.Optional(
    Type.Enum(['me', 'nobody'], { description: 'Only those that you have claimed, or that nobody has.' }),
  ),
  overdue: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true`: only those that wait for too long.' }),
  ),
})

const modeQuery = { mode: Type.Optional(Mode) }

export const ReviewSummaryQuery = listQuery(modeQuery)

export const ReviewSummary = named(
  'ReviewSummary',
  Type.Object({
    waiting: Type.Integer({ description: 'Reviews that need a person.' }),
    unclaimed: Type.Integer({ description: 'Those that nobody has claimed.' }),
    proposed: Type.Integer({ description: 'Those that wait for an approval.' }),
    overdue: Type.Integer(),
    oldest_due_at: nullable(Timestamp),
    money: Type.Array(
      Type.Object({
        currency: Type.String({ description: 'The currency of the requests.' }),
        amount: Type.Number({ description: 'The sum of the amounts that were sent.' }),
        reviews: Type.Integer(),
      }),
      { description: 'The money that waits, by currency.' },
    ),
  }),
)

export const HoldsQuery = listQuery({
  ...modeQuery,
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 168, default: 24, description: 'How far back. Kept for a week.' }),
  ),
})

export const Holds = named(
  'Holds',
  Type.Object({
    from: Timestamp,
    requests: Type.Integer({ description: 'Requests to verify that were answered with 503 since then.' }),
    held_now: Type.Integer({ description: 'Those of the last five minutes.' }),
    holds: Type.Array(
      Type.Object({
        corridor: nullable(Type.String({ description: 'Null if the request was not read.' })),
        mode: Mode,
        reason: Type.String({ description: 'The code of the error.' }),
        unavailable_signals: Type.Array(Type.String()),
        requests: Type.Integer(),
        first_at: Type.String({ format: 'date-time', description: 'To the minute.' }),
        last_at: Timestamp,
        held_now: Type.Boolean({ description: 'Whether one of them was in the last five minutes.' }),
      }),
      { description: 'By corridor and reason, the latest first.' },
    ),
  }),
)

const text = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.justificationLengthMax,
    pattern: multilinePattern,
    description,
  })

const proposalId = Type.Optional(
  Type.String({ maxLength: 64, description: 'Refused if the current proposal is another.' }),
)

export const ProposeBody = named(
  'ReviewProposeRequest',
  Type.Object({
    action: Action,
    reason_code: Type.String({
      minLength: 1,
      maxLength: limits.overrideReasonLengthMax,
      pattern: overrideReasonPattern,
      description: 'Your own code, in upper snake case.',
    }),
    justification: text('The reason for the proposal. Stored permanently.'),
  }),
)

export const CommentBody = named('ReviewCommentRequest', Type.Object({ text: text('Stored permanently.') }))

export const ApproveBody = named(
  'ReviewApproveRequest',
  Type.Object({ reason: Type.Optional(text('Stored permanently.')), proposal_id: proposalId }),
)

export const RejectBody = named(
  'ReviewRejectRequest',
  Type.Object({
    reason: text('What the next proposal should do better. Stored permanently.'),
    proposal_id: proposalId,
  }),
)
