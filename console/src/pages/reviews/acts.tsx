/** Acts on a review. Whether done or refused, the page then shows the state of the server. */

import {
  AuthenticationError,
  ConflictError,
  PermissionError,
  type FairwayClient,
  type FairwayError,
  type Review,
} from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { formatAmount } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Notice } from '../../ui/state.tsx'
import { isWaiting } from './filters.ts'
import { useIsMine, useRefreshReviews } from './queries.ts'

export function useReviewAct(act: (client: FairwayClient) => Promise<Review>, onDone?: () => void) {
  const refresh = useRefreshReviews()
  return useAction(
    async (client) => {
      try {
        return await act(client)
      } catch (error) {
        refresh()
        throw error
      }
    },
    (review) => {
      refresh(review)
      onDone?.()
    },
  )
}

const isFourEyes = (error: FairwayError): boolean =>
  error instanceof PermissionError && error.code === 'FOUR_EYES'

/** Why an act was refused. */
export function ActProblem({ error }: { readonly error: FairwayError | null }) {
  if (error === null) return null
  if (error instanceof ConflictError) {
    return (
      <Notice tone="degraded" title="Not done: the review has changed" live>
        <p>{error.message}</p>
      </Notice>
    )
  }
  if (isFourEyes(error)) {
    return (
      <Notice tone="nogo" title="Another person must approve it" live>
        <p>{error.message}</p>
      </Notice>
    )
  }
  return <Problem error={error} />
}

export const paymentText = ({ amount, currency, corridor }: Review): string =>
  `${formatAmount(amount, currency)} on ${corridor}`

type ClaimState =
  | { readonly kind: 'busy'; readonly id: string }
  | { readonly kind: 'done' | 'pointless'; readonly id: string; readonly text: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: FairwayError }

/** The claim of one review, by its button or by its key. */
export interface Claim {
  readonly state: ClaimState | null
  readonly run: (review: Review) => void
  /** Hides the result. */
  readonly clear: () => void
}

/** The reason why a claim would change nothing; null if it would. */
function pointless(review: Review, isMine: boolean): string | null {
  if (!isWaiting(review)) return `This review is closed: ${paymentText(review)}.`
  if (isMine) return `You have claimed ${paymentText(review)} already.`
  return review.claimed_by === null
    ? null
    : `${review.claimed_by.name} has claimed ${paymentText(review)} already.`
}

export function useClaim(): Claim {
  const { client, reject } = useSession()
  const refresh = useRefreshReviews()
  const isMine = useIsMine()
  const [state, setState] = useState<ClaimState | null>(null)
  async function claim(review: Review): Promise<void> {
    const id = review.review_id
    if (client === null || state?.kind === 'busy') return
    const reason = pointless(review, isMine(review))
    if (reason !== null) return setState({ kind: 'pointless', id, text: reason })
    setState({ kind: 'busy', id })
    try {
      refresh(await client.claimReview(id))
      setState({ kind: 'done', id, text: `Claimed: ${paymentText(review)}.` })
    } catch (error) {
      setState({ kind: 'failed', id, error: error as FairwayError })
      refresh()
      if (error instanceof AuthenticationError) reject()
    }
  }
  return {
    state,
    run: (review) => void claim(review),
    clear: () => setState((before) => (before?.kind === 'busy' ? before : null)),
  }
}
