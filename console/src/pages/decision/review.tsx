/** The decision's review in short, with the way to the desk. */

import type { DecisionFile, Review, ReviewActor, ReviewStatus } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import { reviewStatuses } from '../../labels.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { addressOf, isWaiting, noFilters } from '../reviews/filters.ts'
import { StatusChip } from '../reviews/parts.tsx'
import { Absent, DecisionLink, Section } from './section.tsx'

export function ReviewLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div>
      <LinkButton href={addressOf(noFilters, id)} small icon="review">
        {children}
      </LinkButton>
    </div>
  )
}

/** The next step, for a reader who has not seen a review before. */
const meanings: Readonly<Record<ReviewStatus, string>> = {
  open: 'Waits for somebody to claim it.',
  claimed: 'Waits for a proposal.',
  proposed: 'Waits for somebody to approve or reject the proposal.',
  approved: 'The proposal was approved.',
  rejected: 'The proposal was rejected. Waits for another one.',
  expired: 'Nobody settled it in time. The payment must be verified again.',
  overridden: 'A direct override closed it.',
}

function Status({ of: { status, overdue } }: { readonly of: Review }) {
  return (
    <>
      <span className="row">
        <StatusChip of={status} />
        {overdue && <Chip tone="nogo">Overdue</Chip>}
      </span>
      <span className="decision-second">{meanings[status]}</span>
    </>
  )
}

type Fact = readonly [name: string, value: ReactNode]

function proposalFacts({ proposal, resolution, status }: Review): Fact[] {
  if (proposal === null) return []
  const { action, reason_code: reason, justification, proposed_by: by, proposed_at: at } = proposal
  // The override that an approval writes has the same text.
  const isOverridden = status === 'approved' && (resolution?.override_id ?? null) !== null
  return [
    [
      status === 'rejected' ? 'Last proposal' : 'Proposal',
      <span key="proposal">
        <strong>{action}</strong> <code>{reason}</code>
        {!isOverridden && <span className="decision-text decision-clamp">{justification}</span>}
      </span>,
    ],
    ['Proposed by', <ActOf key="proposed" by={by} at={at} />],
  ]
}

function resolutionFacts({ resolution }: Review): Fact[] {
  if (resolution === null) return []
  const { status, reason, by, at } = resolution
  return [
    [
      by === null ? reviewStatuses[status] : `${reviewStatuses[status]} by`,
      <span key="resolution">
        <ActOf by={by} at={at} />
        {reason !== null && <span className="decision-text decision-clamp">{reason}</span>}
      </span>,
    ],
  ]
}

/** Somebody, or the service, at a time. */
function ActOf({ by, at }: { readonly by: ReviewActor | null; readonly at: string }) {
  const time = <Time at={at} />
  if (by === null) return time
  return (
    <>
      <PrincipalName of={by} />
      <span className="decision-second">{time}</span>
    </>
  )
}

function waitingFacts(review: Review): Fact[] {
  if (!isWaiting(review)) return []
  const { status, due_at: due, expires_at: end, claimed_by: claimant } = review
  const shown =
    claimant === null ? <span className="soft">nobody</span> : <PrincipalName key="claimant" of={claimant} />
  return [
    [
      'Due',
      <span key="due">
        <Time at={due} seconds={false} />
        <span className="decision-second">
          Expires <Time at={end} seconds={false} />
        </span>
      </span>,
    ],
    // The claimant is the one who proposed.
    ...(status === 'proposed' ? [] : [['Claimed by', shown] as const]),
  ]
}

function factsOf(review: Review): Fact[] {
  const { comments, repeats } = review
  return [
    ['Status', <Status key="status" of={review} />],
    ...waitingFacts(review),
    ...proposalFacts(review),
    ...resolutionFacts(review),
    ...(comments.length === 0 ? [] : [['Comments', formatCount(comments.length)] as const]),
    ...(repeats === 0 ? [] : [['Repeats', `${formatCount(repeats)} by the cooldown`] as const]),
  ]
}

/** Nothing for a decision that needs no review. */
export function ReviewSection({ file }: { readonly file: DecisionFile }) {
  const { review, request_id: id } = file
  const isGo = file.explanation.decision === 'GO'
  if (review === null && (isGo || !isMissing(file))) return null
  return (
    <Section id="review" title="Review">
      {review === null ? (
        <Absent file={file} name="review" />
      ) : (
        <>
          {review.request_id !== id && (
            <p className="decision-prose">
              A repeat has no review of its own. This is the review of its source,{' '}
              <DecisionLink id={review.request_id} />.
            </p>
          )}
          <Pairs of={factsOf(review)} />
          <ReviewLink id={review.review_id}>Open in the review desk</ReviewLink>
        </>
      )}
    </Section>
  )
}

const isMissing = ({ withheld, unavailable }: DecisionFile): boolean =>
  unavailable.includes('review') || withheld.some(({ member }) => member === 'review')
