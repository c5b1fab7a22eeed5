/** The proposal of a review: approved or rejected, by its proposer only where the review does not need four eyes. */

import type { Review } from '@fairway/client'
import { useState } from 'react'
import { useMay } from '../../caller.ts'
import { actions } from '../../override/draft.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { ActProblem, paymentText, useReviewAct } from './acts.tsx'
import { TextForm } from './text-form.tsx'

export type Proposal = NonNullable<Review['proposal']>

const titles: Readonly<Partial<Record<Review['status'], string>>> = {
  approved: 'Approved proposal',
  rejected: 'Rejected proposal',
}

function factsOf({ action, reason_code: code, justification, proposed_by: by, proposed_at: at }: Proposal) {
  return [
    [
      'Action',
      <span key="action">
        <strong>{action}</strong>: {actions[action].toLowerCase()}
      </span>,
    ],
    ['Reason code', <code key="code">{code}</code>],
    [
      'Justification',
      <div key="why" className="decision-text" tabIndex={0} role="group" aria-label="Justification">
        {justification}
      </div>,
    ],
    ...(by === null ? [] : [['Proposed by', <PrincipalName key="by" of={by} />] as const]),
    ['Proposed', <Time key="at" at={at} seconds={false} />],
  ] as const
}

/** Approves exactly the proposal that it shows: the server refuses one that was replaced meanwhile. */
function Approval({
  review,
  proposal,
  isMine,
  onClose,
  onDone,
}: {
  readonly review: Review
  readonly proposal: Proposal
  readonly isMine: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const { action, proposal_id: proposalId } = proposal
  const act = useReviewAct(
    (client) => client.approveReview(review.review_id, { proposal_id: proposalId }),
    onDone,
  )
  return (
    <div className="stack decision-confirm">
      <p>
        {review.decision === 'GO'
          ? 'A GO cannot be overridden: the approval closes the review and records nothing else.'
          : `The approval records an override with ${isMine ? 'your name as proposer and approver' : 'both names'}. It cannot be changed or withdrawn.`}
        {action === 'EXECUTE' && <strong> The payment is then sent despite the decision.</strong>}
      </p>
      <Pairs
        of={[
          ['Decision', <Verdict key="decision" of={review.decision} />],
          ['Payment', <strong key="payment">{paymentText(review)}</strong>],
          ['Request id', <code key="id">{review.request_id}</code>],
          ...factsOf(proposal),
        ]}
      />
      <ActProblem error={act.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Go back</Button>
        <Button variant="primary" busy={act.busy} onClick={act.run}>
          Approve {action}
        </Button>
      </div>
    </div>
  )
}

function OwnProposal() {
  const { person } = useSession()
  return (
    <Notice
      tone="info"
      title={person === null ? 'Another key or person must approve it' : 'Another person must approve it'}
    >
      <p>You made this proposal. Release the review to withdraw it.</p>
    </Notice>
  )
}

interface Settling {
  readonly review: Review
  readonly isMine: boolean
  readonly onApprove: () => void
  readonly onDone: (done: string) => void
}

function Settle({ review, isMine, onApprove, onDone }: Settling) {
  const mayApprove = useMay('review:approve')
  const [isRejecting, setRejecting] = useState(false)
  const { review_id: id, proposal, status } = review
  const isOpen = status === 'proposed' && proposal !== null
  const maySettle = isOpen && mayApprove && !(isMine && review.needs_four_eyes)
  return (
    <>
      {isOpen && isMine && !maySettle && <OwnProposal />}
      {maySettle && isMine && (
        <p className="soft">You made this proposal. For this amount you may also approve or reject it.</p>
      )}
      {isOpen && !isMine && !mayApprove && (
        <p className="soft">An approver must approve or reject it: you may read and comment.</p>
      )}
      {maySettle && (
        <div className="row">
          <Button variant="primary" icon="check" onClick={onApprove}>
            Approve
          </Button>
          {!isRejecting && (
            <Button variant="danger" onClick={() => setRejecting(true)}>
              Reject
            </Button>
          )}
        </div>
      )}
      <TextForm
        name={`reject.${id}`}
        member="reason"
        label="Reason for the rejection"
        hint="What the next proposal should do better. Recorded permanently."
        button="Reject proposal"
        look="danger"
        blocked={maySettle ? null : 'This proposal is settled or was withdrawn.'}
        asked={isRejecting}
        send={(client, reason) =>
          client.rejectReview(id, { reason, ...(proposal !== null && { proposal_id: proposal.proposal_id }) })
        }
        onDone={() => {
          setRejecting(false)
          onDone('Proposal rejected')
        }}
        onCancel={() => setRejecting(false)}
      />
    </>
  )
}

export function ProposalPart({
  review,
  isMine,
  onDone,
}: {
  readonly review: Review
  readonly isMine: boolean
  readonly onDone: (done: string) => void
}) {
  const { proposal, status } = review
  /** The proposal as it was when its dialog was opened. */
  const [pending, setPending] = useState<Proposal | null>(null)
  const close = (): void => setPending(null)
  return (
    <>
      {proposal !== null && (
        <section className="stack desk-proposal" aria-label={titles[status] ?? 'Proposal'}>
          <h3>{titles[status] ?? 'Proposal'}</h3>
          <Pairs of={factsOf(proposal)} />
        </section>
      )}
      <Settle review={review} isMine={isMine} onApprove={() => setPending(proposal)} onDone={onDone} />
      <Dialog title="Approve this proposal permanently?" open={pending !== null} onClose={close}>
        {pending !== null && (
          <Approval
            review={review}
            proposal={pending}
            isMine={isMine}
            onClose={close}
            onDone={() => {
              close()
              onDone('Proposal approved')
            }}
          />
        )}
      </Dialog>
    </>
  )
}
