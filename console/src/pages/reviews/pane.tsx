/** One review beside the queue: the decision, the proposal, and everything that the caller may do. */

import { NotFoundError, type Review, type ReviewDetail } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../caller.ts'
import { formatAmount } from '../../format.ts'
import { useNowMs } from '../../now.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { MissingScope, ScopeProblem } from '../../scope-problem.tsx'
import { actionLabel, reviewStatuses } from '../../labels.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { ActProblem, useReviewAct, type Claim } from './acts.tsx'
import { decisionHref, Evidence } from './evidence.tsx'
import { isWaiting } from './filters.ts'
import { History } from './history.tsx'
import { ageText, Claimant, Due, nameOf, Repeats, StatusChip } from './parts.tsx'
import { ProposalPart } from './proposal.tsx'
import { ProposeForm } from './propose-form.tsx'
import { useIsMine, useReview } from './queries.ts'

/** The reason why the caller cannot propose now. */
function proposeBlock(review: Review, isMine: boolean, mayWrite: boolean): string | null {
  if (!isWaiting(review)) return `This review is ${reviewStatuses[review.status].toLowerCase()}.`
  if (!mayWrite) return 'You may not propose.'
  if (review.status === 'proposed') return 'This review has a proposal already.'
  if (review.claimed_by === null || isMine) return null
  return `This review is claimed by ${nameOf(review.claimed_by)}.`
}

/** An approver may also release what a colleague has claimed and not proposed yet. */
const mayRelease = ({ status, claimed_by: by }: Review, isMine: boolean, mayApprove: boolean): boolean =>
  by !== null && (isMine || (mayApprove && status === 'claimed'))

function Holding({
  review,
  isMine,
  claim,
}: {
  readonly review: Review
  readonly isMine: boolean
  readonly claim: Claim
}) {
  const { review_id: id, status } = review
  const mayWrite = useMay('review:write')
  const mayApprove = useMay('review:approve')
  const release = useReviewAct((client) => client.releaseReview(id))
  const { state } = claim
  const isThis = state?.id === id
  const isOpen = isWaiting(review)
  return (
    <>
      <div className="row desk-hold">
        {isOpen && mayWrite && review.claimed_by === null && (
          <Button
            variant="primary"
            icon="user"
            busy={isThis && state.kind === 'busy'}
            onClick={() => claim.run(review)}
          >
            Claim
          </Button>
        )}
        {isOpen && mayWrite && mayRelease(review, isMine, mayApprove) && (
          <Button busy={release.busy} onClick={release.run}>
            {status === 'proposed' ? 'Withdraw and release' : 'Release'}
          </Button>
        )}
      </div>
      {isThis && state.kind === 'failed' && <ActProblem error={state.error} />}
      <ActProblem error={release.error} />
    </>
  )
}

function Resolution({ of: review }: { readonly of: Review }) {
  const { resolution } = review
  if (resolution === null) return null
  const { status, action, reason, by, at, override_id: overrideId } = resolution
  return (
    <section className="desk-resolution" aria-label="Resolution">
      <p>
        <strong>
          {reviewStatuses[status]}
          {action !== null && `: ${action}`}
        </strong>{' '}
        <span className="small soft">
          <Time at={at} seconds={false} />
        </span>
      </p>
      {by !== null && <PrincipalName of={by} />}
      {reason !== null && <p className="desk-said">{reason}</p>}
      {status === 'expired' && <p>Nobody settled it in time. Verify the payment again.</p>}
      {status === 'rejected' && <p>It waits for another proposal.</p>}
      {overrideId !== null && (
        <p className="small soft">
          Override <code className="anywhere">{overrideId}</code>
        </p>
      )}
    </section>
  )
}

function ReadOnly() {
  return (
    <MissingScope scope="review:write" title="This key may only read reviews" tone="info">
      <p>
        It lacks the scope <code>review:write</code>, which claims, comments and proposes.
      </p>
    </MissingScope>
  )
}

function Body({
  review,
  history,
  claim,
}: {
  readonly review: Review
  readonly history: ReviewDetail['history'] | undefined
  readonly claim: Claim
}) {
  const nowMs = useNowMs(5_000)
  const isMine = useIsMine()(review)
  const mayWrite = useMay('review:write')
  const [done, setDone] = useState<{ readonly title: string; readonly number: number } | null>(null)
  const say = (title: string): void => setDone((before) => ({ title, number: (before?.number ?? 0) + 1 }))
  return (
    <>
      <div className="desk-summary">
        <p className="row">
          <Verdict of={review.decision} />
          <Repeats of={review} />
          <strong>{actionLabel(review.recommended_action)}</strong>
        </p>
        <p className="row">
          {/* Announced if a colleague changes it. */}
          <span className="row" role="status">
            <StatusChip of={review.status} />
            <Claimant of={review} isMine={isMine} />
          </span>
          <Due of={review} nowMs={nowMs} />
          <span className="small soft figures">{ageText(review, nowMs)}</span>
        </p>
      </div>
      <Holding review={review} isMine={isMine} claim={claim} />
      {done !== null && <DialogResult key={done.number} tone="go" title={done.title} />}
      <Resolution of={review} />
      <ProposalPart review={review} isMine={isMine} onDone={say} />
      <Evidence review={review} />
      {!mayWrite && isWaiting(review) && <ReadOnly />}
      <ProposeForm
        review={review}
        blocked={proposeBlock(review, isMine, mayWrite)}
        isMine={isMine}
        onDone={() => say('Proposal sent')}
      />
      <History review={review} history={history} />
    </>
  )
}

/** A corridor has a hyphen, at which a line would break. */
function Payment({ of: { amount, currency, corridor } }: { readonly of: Review }) {
  return (
    <>
      {formatAmount(amount, currency)} on <span className="nowrap">{corridor}</span>
    </>
  )
}

/** Takes the focus when it is opened by hand, and leaves it to the browser when the page is loaded with it. */
function useFocusOnOpen() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement !== document.body) heading.current?.focus()
  }, [])
  return heading
}

/** `listed` is the review as the queue has it, which is shown until its own data is there. */
export function Pane({
  id,
  listed,
  claim,
  onClose,
}: {
  readonly id: string
  readonly listed: Review | undefined
  readonly claim: Claim
  readonly onClose: () => void
}) {
  const { data, error, mutate } = useReview(id)
  const heading = useFocusOnOpen()
  const review = data ?? listed
  const isMissing = error instanceof NotFoundError
  return (
    <section className="card card-primary desk-pane" aria-label="Review">
      <div className="desk-pane-head">
        <h2 ref={heading} tabIndex={-1}>
          {review === undefined ? 'Review' : <Payment of={review} />}
        </h2>
        <div className="row">
          {review !== undefined && (
            <LinkButton href={decisionHref(review.request_id)} icon="arrow" variant="quiet" small>
              Full decision
            </LinkButton>
          )}
          <Button variant="quiet" small icon="close" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      {isMissing && (
        <Empty icon="search" title="Review not found">
          Check the id. Reviews of other owners are not visible.
        </Empty>
      )}
      {error !== undefined && !isMissing && (
        <ScopeProblem
          error={error}
          scope="review:read"
          title="This key cannot read reviews"
          onRetry={() => void mutate()}
        />
      )}
      {review === undefined
        ? error === undefined && <Skeleton height={420} label="Loading review" />
        : !isMissing && <Body key={id} review={review} history={data?.history} claim={claim} />}
    </section>
  )
}
