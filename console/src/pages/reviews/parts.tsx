/** Small parts of the desk: a status, a due time, a claimant. */

import type { Review, ReviewActor, ReviewStatus } from '@fairway/client'
import { formatShortAge, formatTime, formatUtc } from '../../format.ts'
import { reviewStatuses } from '../../labels.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { isWaiting } from './filters.ts'

const looks: Readonly<Record<ReviewStatus, { readonly tone?: Tone; readonly icon: IconName }>> = {
  open: { tone: 'degraded', icon: 'clock' },
  claimed: { tone: 'info', icon: 'user' },
  proposed: { tone: 'info', icon: 'review' },
  approved: { tone: 'go', icon: 'check' },
  rejected: { tone: 'degraded', icon: 'back' },
  expired: { tone: 'nogo', icon: 'close' },
  overridden: { icon: 'bolt' },
}

export function StatusChip({ of }: { readonly of: ReviewStatus }) {
  const { tone, icon } = looks[of]
  return (
    <Chip {...(tone !== undefined && { tone })}>
      <Icon name={icon} size={15} />
      {reviewStatuses[of]}
    </Chip>
  )
}

/** The name of a key or person that is gone is empty. */
export const nameOf = ({ id, name }: ReviewActor): string => (name === '' ? id : name)

export function Claimant({ of: { claimed_by: by, ...review }, isMine }: { of: Review; isMine: boolean }) {
  if (by === null) {
    return isWaiting(review) ? (
      <span className="chip desk-unclaimed">
        <Icon name="user" size={15} />
        Unclaimed
      </span>
    ) : null
  }
  return (
    <span className="desk-claimant" title={by.id}>
      <Icon name={by.kind === 'person' ? 'user' : 'key'} size={15} />
      <span className="clip">{isMine ? <strong>You</strong> : nameOf(by)}</span>
    </span>
  )
}

function dueText({ due_at: due, ...review }: Review, nowMs: number): string {
  if (!isWaiting(review)) {
    const { resolution } = review
    return resolution === null ? '' : `closed ${formatShortAge(nowMs - Date.parse(resolution.at))} ago`
  }
  const leftMs = Date.parse(due) - nowMs
  return leftMs < 0 ? `overdue by ${formatShortAge(-leftMs)}` : `due in ${formatShortAge(leftMs)}`
}

export const isOverdue = (review: Review, nowMs: number): boolean =>
  isWaiting(review) && Date.parse(review.due_at) < nowMs

export function Due({ of: review, nowMs }: { readonly of: Review; readonly nowMs: number }) {
  const text = dueText(review, nowMs)
  const at = isWaiting(review) ? review.due_at : (review.resolution?.at ?? review.due_at)
  const time = (
    <time dateTime={at} title={`${formatTime(at)} (${formatUtc(at)})`}>
      {text}
    </time>
  )
  if (!isOverdue(review, nowMs)) return <span className="desk-due figures">{time}</span>
  return (
    <span className="chip tone-nogo desk-overdue figures">
      <Icon name="warn" size={15} />
      {time}
    </span>
  )
}

export const ageText = ({ opened_at: at }: Review, nowMs: number): string =>
  `${formatShortAge(nowMs - Date.parse(at))} old`

/** Repeats of a cooldown have no review of their own. */
export function Repeats({ of: { repeats } }: { readonly of: Review }) {
  if (repeats === 0) return null
  return (
    <span className="chip" title="The same decision, repeated during a cooldown">
      +{repeats} {repeats === 1 ? 'repeat' : 'repeats'}
    </span>
  )
}
