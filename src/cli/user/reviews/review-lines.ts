/** Shows reviews as text: the queue, one with its comments and its history, and how one was settled. */

import type { Review, ReviewActor, ReviewDetail, ReviewStatus } from '../../../../client/src/index.ts'
import { isWaiting } from '../../../core/review/life.ts'
import { dayMs, hourMs, minuteMs } from '../../../core/time/durations.ts'
import type { Cell, Format } from '../../table.ts'
import { amountText, decisionCell, timeText, type Screen } from '../session/screen.ts'
import type { Queue } from './server-reviews.ts'

type Facts = readonly (readonly [name: string, cell: Cell])[]
type Proposal = NonNullable<Review['proposal']>

const units = [
  [2 * dayMs, dayMs, 'd'],
  [hourMs, hourMs, 'h'],
  [minuteMs, minuteMs, 'min'],
  [0, 1000, 's'],
] as const

/** `45 s`, `59 min`, `47 h`, `2 d`. */
function durationText(ms: number): string {
  const [, unitMs, unit] = units.find(([fromMs]) => ms >= fromMs) ?? units[3]
  return `${Math.floor(ms / unitMs)} ${unit}`
}

/** `in 25 min`, `overdue by 2 h`. The server says whether it is overdue: the clock of this machine may be wrong. */
export function dueText({ due_at: dueAt, overdue }: Review, nowMs: number): string {
  const lateMs = nowMs - Date.parse(dueAt)
  if (overdue) return lateMs > 0 ? `overdue by ${durationText(lateMs)}` : 'overdue'
  return lateMs < 0 ? `in ${durationText(-lateMs)}` : 'now'
}

function dueCell(review: Review, nowMs: number): Cell {
  if (!isWaiting(review.status)) return '-'
  const text = dueText(review, nowMs)
  return review.overdue ? { text, format: ['bold', 'red'] } : text
}

const statusFormats: Readonly<Record<ReviewStatus, Format>> = {
  open: 'yellow',
  claimed: 'cyan',
  proposed: ['bold', 'cyan'],
  rejected: 'yellow',
  approved: 'green',
  expired: 'dim',
  overridden: 'dim',
}

/** With the action that waits for an approval, or has it. */
function statusCell({ status, proposal }: Review): Cell {
  const hasAction = proposal !== null && (status === 'proposed' || status === 'approved')
  const text = hasAction ? `${status} ${proposal.action}` : status
  return { text, format: statusFormats[status] ?? 'reset' }
}

/** `DEGRADED, 60,000 GBP on GB-NG`. */
export function subjectText({ decision, amount, currency, corridor }: Review): string {
  return `${decision}, ${amountText(amount, currency)} on ${corridor}`
}

/** Null is the service itself. */
function actorText(actor: ReviewActor | null): string {
  return actor === null ? 'Fairway' : `${actor.name} (${actor.id})`
}

export function queueLines(screen: Screen, { reviews, hasMore }: Queue, nowMs: number): string[] {
  if (reviews.length === 0) return ['No reviews. With --status all the list also has those that are closed.']
  const lines = screen.table(
    [
      { title: 'REVIEW', fixed: true },
      { title: 'DUE', fixed: true },
      { title: 'DECISION', fixed: true },
      // Dropped rather than truncated: 1,000… could be any amount.
      { title: 'AMOUNT', align: 'right', fixed: true, optional: true },
      { title: 'CORRIDOR', fixed: true, optional: true },
      { title: 'ACTION', fixed: true, optional: true },
      { title: 'STATUS', fixed: true },
      { title: 'CLAIMED BY', optional: true },
    ],
    reviews.map((review) => [
      review.review_id,
      dueCell(review, nowMs),
      decisionCell(review.decision),
      review.amount === null ? '-' : amountText(review.amount, review.currency),
      review.corridor,
      review.recommended_action,
      statusCell(review),
      review.claimed_by?.name ?? '-',
    ]),
  )
  return hasMore ? [...lines, '', screen.paint('dim', 'More reviews exist: use --limit COUNT.')] : lines
}

export function reviewLines(screen: Screen, review: ReviewDetail, nowMs: number): string[] {
  const { proposal, resolution } = review
  return [
    `${screen.cell(decisionCell(review.decision))}  ${screen.cell(statusCell(review))}`,
    '',
    ...screen.facts(subjectFacts(review, nowMs)),
    ...(proposal === null ? [] : ['', 'Proposal', ...screen.facts(proposalFacts(proposal))]),
    ...(resolution === null ? [] : ['', 'Resolution', ...screen.facts(resolutionFacts(resolution))]),
    ...commentLines(screen, review),
    '',
    ...historyTable(screen, review),
  ]
}

function subjectFacts(review: ReviewDetail, nowMs: number): Facts {
  const due = timeText(review.due_at)
  return [
    ['Review', review.review_id],
    ['Request', review.request_id],
    ['Amount', amountText(review.amount, review.currency)],
    ['Corridor', `${review.corridor}, ${review.mode} mode`],
    ['Score', review.score.toFixed(2)],
    ['Action', review.recommended_action],
    ['Reasons', review.reason_codes.join(', ')],
    ['Opened', timeText(review.opened_at)],
    ['Due', isWaiting(review.status) ? `${due}, ${dueText(review, nowMs)}` : due],
    ['Expires', timeText(review.expires_at)],
    ['Claimed by', review.claimed_by === null ? 'nobody' : actorText(review.claimed_by)],
    ...(review.repeats === 0 ? [] : [['Repeats', String(review.repeats)] as const]),
  ]
}

function proposalFacts(proposal: Proposal): Facts {
  return [
    ['Proposal', proposal.proposal_id],
    ['Action', { text: proposal.action, format: 'bold' }],
    ['Reason code', proposal.reason_code],
    ['Justification', proposal.justification],
    ['Proposed', `${timeText(proposal.proposed_at)} by ${actorText(proposal.proposed_by)}`],
  ]
}

/** `Approved  2026-11-15 17:34:25Z by …`. */
function resolutionFacts(resolution: NonNullable<Review['resolution']>): Facts {
  const { status, reason, by, at, override_id: overrideId } = resolution
  const title = status.charAt(0).toUpperCase() + status.slice(1)
  return [
    [title, `${timeText(at)} by ${actorText(by)}`],
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ...(overrideId === null ? [] : [['Override', overrideId] as const]),
  ]
}

/** In full: the history cuts long text to the width of the terminal. */
function commentLines(screen: Screen, { comments }: Review): string[] {
  return comments.flatMap(({ by, at, text }) => [
    '',
    `${screen.cell({ text: timeText(at), format: 'dim' })}  ${screen.cell(actorText(by))}`,
    ...text.split('\n').flatMap((line) => screen.prose(line)),
  ])
}

function historyTable(screen: Screen, { history }: ReviewDetail): string[] {
  return screen.table(
    [{ title: 'AT', fixed: true }, { title: 'CHANGE', fixed: true }, { title: 'BY' }, { title: 'DETAILS' }],
    history.map(({ kind, by, at, action, reason_code: reasonCode, text }) => [
      timeText(at),
      kind,
      by === null ? 'Fairway' : by.name,
      [action, reasonCode, text].filter((part) => part !== null).join(', ') || '-',
    ]),
  )
}

/** The proposal of a review, to be looked at before it is approved. */
export function proposalLines(screen: Screen, review: Review, proposal: Proposal): string[] {
  return [screen.cell(subjectText(review)), '', ...screen.facts(proposalFacts(proposal)), '']
}

export function approvedLines(screen: Screen, review: Review): string[] {
  const { proposal, resolution, decision } = review
  const overrideId = resolution?.override_id ?? null
  const action = screen.cell({ text: proposal?.action ?? '', format: 'bold' })
  return [
    overrideId === null
      ? `Approved: ${action}. A GO cannot be overridden, so the resolution alone is recorded.`
      : `Approved: ${action} instead of ${screen.cell(decision)}.`,
    '',
    ...screen.facts([
      ['Review', review.review_id],
      ['Request', review.request_id],
      ['Payment', `${amountText(review.amount, review.currency)} on ${review.corridor}`],
      ...(proposal === null ? [] : proposalFacts(proposal)),
      ...(resolution === null ? [] : resolutionFacts(resolution)),
    ]),
  ]
}

export function rejectedLines(screen: Screen, { review_id: reviewId, proposal }: Review): string[] {
  const action =
    proposal === null ? 'the proposal' : `${proposal.action}, proposed by ${actorText(proposal.proposed_by)}`
  return [`Rejected ${screen.cell(action)}.`, `${screen.cell(reviewId)} is open again for another proposal.`]
}
