/** The decision's override, or the form to record one. */

import type { AuditRecord, DecisionFile, Override, ReviewDetail } from '@fairway/client'
import { useEffect, useState, type ReactNode } from 'react'
import { actions } from '../../override/draft.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { MissingScope } from '../../scope-problem.tsx'
import { useSession } from '../../session.tsx'
import { useMay } from '../../caller.ts'
import { clearDraft } from '../../stored-draft.ts'
import { Pairs } from '../../ui/card.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { isWaiting } from '../reviews/filters.ts'
import type { FileProps } from './file.ts'
import type { Recorded } from './override-confirm.tsx'
import { draftName, OverrideForm } from './override-form.tsx'
import { ReviewLink } from './review.tsx'
import { Absent, Section } from './section.tsx'

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

/** Undefined if it could not be read. */
const reviewOf = ({ review, withheld, unavailable }: DecisionFile): ReviewDetail | null | undefined =>
  unavailable.includes('review') || withheld.some(({ member }) => member === 'review') ? undefined : review

function Missing({
  record,
  file,
  onDone,
}: {
  readonly record: AuditRecord
  readonly file: DecisionFile
  readonly onDone: (recorded: Recorded) => void
}) {
  const mayOverride = useMay('override:create')
  if (record.decision === 'GO') {
    return <p className="soft">A GO needs no override.</p>
  }
  if (!mayOverride) return <ByReview review={reviewOf(file)} />
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

export function OverrideSection({ file, query }: FileProps) {
  const [result, setResult] = useState<Result>(null)
  const { audit: record } = file
  function done({ override, isOurs }: Recorded): void {
    setResult(isOurs ? 'recorded' : 'conflict')
    if (record !== null) {
      // Show the override at once, without waiting for the refetch.
      const audit = { ...record, human_override: override }
      void query.mutate({ ...file, audit }, { revalidate: false })
    }
    void query.mutate()
  }
  return (
    <Section id="override" title="Override">
      <Absent file={file} name="audit" />
      {record !== null &&
        (record.human_override === null ? (
          <Missing record={record} file={file} onDone={done} />
        ) : (
          <Existing of={record.human_override} result={result} />
        ))}
    </Section>
  )
}
