/** A simple model of reviews: the rules as their documentation has them, written apart from the service. */

import type { Scope } from '../../../src/core/identity/api-key.ts'
import type { ActName } from '../../helpers/reviews.ts'

/** Who acts, whatever the key or session. */
export interface Principal {
  readonly name: string
  readonly ownerId: string
  readonly scopes: readonly Scope[]
}

export interface Modelled {
  readonly ownerId: string
  /** Whether the proposer may settle it alone. */
  readonly isSmall: boolean
  readonly expiresAtMs: number
  status: 'open' | 'claimed' | 'proposed' | 'approved' | 'rejected' | 'expired' | 'overridden'
  claimant: string | null
  proposal: Proposed | null
  /** How many proposals there were. */
  proposals: number
  settler: string | null
  comments: number
  override: 'none' | 'approved' | 'direct'
}

interface Proposed {
  readonly by: string
  readonly justification: string
  readonly number: number
}

export interface ModelAct {
  readonly name: ActName
  /** Of a proposal. */
  readonly justification: string
  /** The number of the proposal that is meant; null for whichever there is. */
  readonly proposalNumber: number | null
}

export type Expected = 200 | 404 | 'FORBIDDEN' | 'FOUR_EYES' | 'REVIEW_CONFLICT'

export const opened = (review: Pick<Modelled, 'ownerId' | 'isSmall' | 'expiresAtMs'>): Modelled => ({
  ...review,
  status: 'open',
  claimant: null,
  proposal: null,
  proposals: 0,
  settler: null,
  comments: 0,
  override: 'none',
})

const needs: Readonly<Record<ActName, Scope>> = {
  claim: 'review:write',
  release: 'review:write',
  comment: 'review:write',
  propose: 'review:write',
  approve: 'review:approve',
  reject: 'review:approve',
}

const isFinal = ({ status }: Modelled): boolean =>
  status === 'approved' || status === 'expired' || status === 'overridden'

/** A read: a review that waits ends at its time. */
export function expire(review: Modelled, nowMs: number): void {
  if (!isFinal(review) && nowMs >= review.expiresAtMs)
    Object.assign(review, { status: 'expired', settler: null })
}

/** A direct override: recorded unless there is one, and then the review is over, unless it was. Time closes it at a read. */
export function overrideDirectly(review: Modelled, { name }: Principal): 'recorded' | 'exists' {
  if (review.override !== 'none') return 'exists'
  review.override = 'direct'
  if (!isFinal(review)) Object.assign(review, { status: 'overridden', settler: name })
  return 'recorded'
}

/** Does the act if it may be done, and says what must be answered. */
export function perform(review: Modelled, by: Principal, act: ModelAct, nowMs: number): Expected {
  if (!by.scopes.includes(needs[act.name])) return 'FORBIDDEN'
  if (by.ownerId !== review.ownerId) return 404
  const isMeant = act.proposalNumber === null || act.proposalNumber === review.proposal?.number
  if (act.name === 'approve' && review.status === 'approved' && review.settler === by.name && isMeant)
    return 200
  if (isFinal(review) || nowMs >= review.expiresAtMs) return 'REVIEW_CONFLICT'
  switch (act.name) {
    case 'claim':
      return claim(review, by)
    case 'release':
      return release(review, by)
    case 'comment':
      review.comments += 1
      return 200
    case 'propose':
      return propose(review, by, act)
    case 'approve':
    case 'reject':
      return settle(review, by, act.name, isMeant)
  }
}

function claim(review: Modelled, { name }: Principal): Expected {
  if (review.claimant !== null) return review.claimant === name ? 200 : 'REVIEW_CONFLICT'
  Object.assign(review, { status: 'claimed', claimant: name, proposal: null, settler: null })
  return 200
}

function release(review: Modelled, { name, scopes }: Principal): Expected {
  if (review.claimant === null) return 'REVIEW_CONFLICT'
  const mayTakeAway = scopes.includes('review:approve') && review.status === 'claimed'
  if (review.claimant !== name && !mayTakeAway) return 'REVIEW_CONFLICT'
  Object.assign(review, { status: 'open', claimant: null, proposal: null, settler: null })
  return 200
}

function propose(review: Modelled, { name }: Principal, { justification }: ModelAct): Expected {
  const { status, claimant, proposal } = review
  if (status === 'proposed')
    return proposal?.by === name && proposal.justification === justification ? 200 : 'REVIEW_CONFLICT'
  if (claimant !== null && claimant !== name) return 'REVIEW_CONFLICT'
  review.proposals += 1
  const made = { by: name, justification, number: review.proposals }
  Object.assign(review, { status: 'proposed', claimant: name, proposal: made, settler: null })
  return 200
}

function settle(
  review: Modelled,
  { name }: Principal,
  kind: 'approve' | 'reject',
  isMeant: boolean,
): Expected {
  const { status, proposal, settler } = review
  if (kind === 'reject' && status === 'rejected' && settler === name && isMeant) return 200
  if (status !== 'proposed' || proposal === null || !isMeant) return 'REVIEW_CONFLICT'
  if (proposal.by === name && !review.isSmall) return 'FOUR_EYES'
  if (kind === 'reject') {
    Object.assign(review, { status: 'rejected', claimant: null, settler: name })
    return 200
  }
  // Somebody was first with a direct override: the review is over.
  if (review.override !== 'none') return 'REVIEW_CONFLICT'
  Object.assign(review, { status: 'approved', settler: name, override: 'approved' })
  return 200
}
