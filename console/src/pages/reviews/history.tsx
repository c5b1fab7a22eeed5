/** Everything that happened to a review, oldest first, and the form for one more comment. */

import type { Review, ReviewDetail } from '@fairway/client'
import { useMay } from '../../caller.ts'
import { codeLabel } from '../../labels.ts'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { isWaiting } from './filters.ts'
import { nameOf } from './parts.tsx'
import { TextForm } from './text-form.tsx'

type Change = ReviewDetail['history'][number]

const kinds: Readonly<Record<Change['kind'], string>> = {
  opened: 'Opened',
  claimed: 'Claimed',
  released: 'Released',
  commented: 'Comment',
  proposed: 'Proposed',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  overridden: 'Overridden directly',
}

function Entry({ of: { kind, by, at, action, reason_code: code, text } }: { readonly of: Change }) {
  return (
    <li>
      <p className="desk-change">
        <strong>
          {kinds[kind]}
          {action !== null && `: ${action}`}
        </strong>
        {by !== null && <span title={by.id}>by {nameOf(by)}</span>}
        <span className="small soft">
          <Time at={at} seconds={false} />
        </span>
      </p>
      {code !== null && <p className="small soft">{codeLabel(code)}</p>}
      {text !== null && <p className="desk-said">{text}</p>}
    </li>
  )
}

export function History({
  review,
  history,
}: {
  readonly review: Review
  /** Undefined until it is loaded. */
  readonly history: readonly Change[] | undefined
}) {
  const mayWrite = useMay('review:write')
  return (
    <section className="stack" aria-label="History">
      <h3>History</h3>
      {history === undefined ? (
        <Skeleton height={90} label="Loading history" />
      ) : (
        <ol className="desk-history">
          {history.map((change) => (
            <Entry key={change.kind + change.at} of={change} />
          ))}
        </ol>
      )}
      <TextForm
        name={`comment.${review.review_id}`}
        member="text"
        label="Comment"
        hint="Recorded permanently."
        button="Add comment"
        look="secondary"
        blocked={mayWrite && isWaiting(review) ? null : 'This review takes no comments now.'}
        send={(client, text) => client.commentReview(review.review_id, { text })}
      />
    </section>
  )
}
