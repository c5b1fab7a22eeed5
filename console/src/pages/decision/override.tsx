/** The decision's override, or the form to record one. */

import type { AuditRecord, Override, ReviewDetail } from '@fairway/client'
import { useEffect, useState, type ReactNode } from 'react'
import { actions } from '../../override/draft.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { MissingScope } from '../../scope-problem.tsx'
import { useSession } from '../../session.tsx'
import { useMay } from '../../caller.ts'
import { clearDraft } from '../../stored-draft.ts'
import { Pairs } from '../../ui/card.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { isWaiting } from '../reviews/filters.ts'
import { refresh, type DecisionQueries } from './queries.ts'
import type { Recorded } from './override-confirm.tsx'
import { draftName, OverrideForm } from './override-form.tsx'
import { ReviewLink } from './review.tsx'
import { Part, Section } from './section.tsx'

type Result = 'recorded' | 'conflict' | null

function ResultNotice({ result }: { readonly result: Result }) {
  if (result === null) return null
  if (result === 'recorded') return <DialogResult tone="go" title="Override recorded" />
  return (
    <DialogResult tone="degraded" title="This decision already has an override">
      <p>It differs from yours, which was not recorded.</p>
    </DialogResult>
  )
}

/** An override from a review has two principals. */
function principalsOf({ created_by: by, approval }: Override): (readonly [string, ReactNode])[] {
  const author = <PrincipalName key="by" of={by} />
  if (approval === null) return [['By', author]]
  return [
    ['Proposed by', author],
    ['Approved by', <PrincipalName key="approved" of={approval.approved_by} />],
  ]
}

function Existing({ of, result }: { readonly of: Override; readonly result: Result }) {
  // An override recorded elsewhere makes the draft obsolete.
  useEffect(() => clearDraft(draftName(of.request_id)), [of.request_id])
  return (
    <div className="stack">
      <ResultNotice result={result} />
      <Pairs
        of={[
          [
            'Action',
            <span key="action">
              <strong>{of.action}</strong>: {actions[of.action].toLowerCase()}
            </span>,
          ],
          ['Original decision', <Verdict key="decision" of={of.original_decision} />],
          ['Reason code', <code key="reason">{of.reason_code}</code>],
          [
            'Justification',
            <span key="why" className="decision-text">
              {of.justification}
            </span>,
          ],
          ['Recorded', <Time key="at" at={of.created_at} />],
          ...principalsOf(of),
          ['Override id', <code key="id">{of.override_id}</code>],
        ]}
      />
    </div>
  )
}

function reviewText(review: ReviewDetail | null | undefined): string {
  if (review === undefined) return 'The review of this decision could not be read.'
  if (review === null) return 'This decision has no review. Verify the payment again.'
  return isWaiting(review)
    ? 'It is proposed there, and recorded with both names once somebody else has approved it.'
    : 'It is closed, and this decision has no override. Verify the payment again.'
}

/** For people, and for keys that may not override but may read the review. */
function ByReview({ review }: { readonly review: ReviewDetail | null | undefined }) {
  const { person } = useSession()
  if (person === null && !review) {
    return (
      <MissingScope scope="override:create" title="This key may not override decisions" tone="info">
        <p>
          It lacks the scope <code>override:create</code>. This decision has no override.
        </p>
      </MissingScope>
    )
  }
  return (
    <Notice tone="info" title="Overrides go through the review">
      <p>{reviewText(review)}</p>
      {review && isWaiting(review) && <ReviewLink id={review.review_id}>Open the review</ReviewLink>}
    </Notice>
  )
}

function Missing({
  record,
  queries: { review },
  onDone,
}: {
  readonly record: AuditRecord
  readonly queries: DecisionQueries
  readonly onDone: (recorded: Recorded) => void
}) {
  const mayOverride = useMay('override:create')
  if (record.decision === 'GO') {
    return <p className="soft">A GO needs no override.</p>
  }
  if (!mayOverride) {
    return review.data === undefined && review.error === undefined ? (
      <Skeleton height={120} />
    ) : (
      <ByReview review={review.data} />
    )
  }
  return (
    <>
      <p className="decision-prose">
        This {record.decision} can be overridden once, with a justification. The audit record and the history
        show both.
      </p>
      <OverrideForm record={record} onDone={onDone} />
    </>
  )
}

export function OverrideSection({ queries }: { readonly queries: DecisionQueries }) {
  const [result, setResult] = useState<Result>(null)
  const { audit } = queries
  function done({ override, isOurs }: Recorded): void {
    setResult(isOurs ? 'recorded' : 'conflict')
    if (audit.data !== undefined) {
      // Show the override at once, without waiting for the refetch.
      void audit.mutate({ ...audit.data, human_override: override }, { revalidate: false })
    }
    refresh(queries)
  }
  return (
    <Section id="override" title="Override">
      <Part query={audit} height={120}>
        {(record) =>
          record.human_override === null ? (
            <Missing record={record} queries={queries} onDone={done} />
          ) : (
            <Existing of={record.human_override} result={result} />
          )
        }
      </Part>
    </Section>
  )
}
