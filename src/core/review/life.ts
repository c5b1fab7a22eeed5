/** The life of a review, derived from its changes, which are only appended; and the rules of each act. */

import type { OverrideAction } from '../events/override.ts'

export const reviewStatuses = [
  'open',
  'claimed',
  'proposed',
  'approved',
  'rejected',
  'expired',
  'overridden',
] as const

export type ReviewStatus = (typeof reviewStatuses)[number]

/** Statuses in which a review still needs a person. A rejected one waits for another proposal. */
export const waitingStatuses: readonly ReviewStatus[] = ['open', 'claimed', 'proposed', 'rejected']

export const isWaiting = (status: ReviewStatus): boolean => waitingStatuses.includes(status)

export type ReviewChangeKind =
  | 'opened'
  | 'claimed'
  | 'released'
  | 'commented'
  | 'proposed'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'overridden'

/** The part of a change that the life of a review depends on. */
export interface ReviewStep {
  readonly changeId: string
  readonly kind: ReviewChangeKind
  /** Null for what the service did by itself. */
  readonly by: { readonly principalId: string | null } | null
  /** Of a proposal. */
  readonly action: OverrideAction | null
  readonly reasonCode: string | null
  readonly text: string | null
}

export interface ReviewState<Step extends ReviewStep> {
  readonly status: ReviewStatus
  /** The claim, or the proposal that came without one. */
  readonly claim: Step | null
  /** The latest one, also after it was rejected. */
  readonly proposal: Step | null
  /** The approval, the rejection, the expiry or the override. */
  readonly resolution: Step | null
  readonly comments: readonly Step[]
  /** The number of changes. */
  readonly version: number
}

/** Takes the changes in their order. */
export function stateOf<Step extends ReviewStep>(changes: readonly Step[]): ReviewState<Step> {
  return changes.reduce<ReviewState<Step>>(after, {
    status: 'open',
    claim: null,
    proposal: null,
    resolution: null,
    comments: [],
    version: 0,
  })
}

function after<Step extends ReviewStep>(before: ReviewState<Step>, step: Step): ReviewState<Step> {
  const state = { ...before, version: before.version + 1 }
  switch (step.kind) {
    case 'opened':
      return state
    case 'commented':
      return { ...state, comments: [...state.comments, step] }
    case 'claimed':
      return { ...state, status: 'claimed', claim: step, proposal: null, resolution: null }
    case 'released':
      return { ...state, status: 'open', claim: null, proposal: null, resolution: null }
    case 'proposed':
      return { ...state, status: 'proposed', claim: state.claim ?? step, proposal: step, resolution: null }
    case 'rejected':
      return { ...state, status: 'rejected', claim: null, resolution: step }
    case 'approved':
    case 'expired':
    case 'overridden':
      return { ...state, status: step.kind, resolution: step }
  }
}

/** An act of a principal on a review. */
export type ReviewAct =
  | { readonly kind: 'claim' | 'release' }
  | { readonly kind: 'comment'; readonly text: string }
  | ({ readonly kind: 'propose' } & Proposed)
  /** Of the proposal with this id; null for whichever there is. */
  | { readonly kind: 'approve' | 'reject'; readonly proposalId: string | null; readonly text: string | null }

interface Proposed {
  readonly action: OverrideAction
  readonly reasonCode: string
  readonly text: string
}

export const changeKindOf = {
  claim: 'claimed',
  release: 'released',
  comment: 'commented',
  propose: 'proposed',
  approve: 'approved',
  reject: 'rejected',
} as const satisfies Record<ReviewAct['kind'], ReviewChangeKind>

export type ReviewRefusal =
  | 'closed'
  | 'expired'
  | 'claimed_by_another'
  | 'not_claimed'
  | 'already_proposed'
  | 'no_proposal'
  | 'another_proposal'
  | 'four_eyes'
  | 'too_many_comments'
  | 'too_many_changes'

/** Changes are read with their review, and nothing is ever deleted. */
export const reviewLimits = { commentsMax: 100, changesMax: 500 } as const

/** Claims and comments end first, so that they cannot keep anybody from proposing; a proposal can always be settled. */
const changesMaxOf: Readonly<Record<ReviewAct['kind'], number>> = {
  claim: reviewLimits.changesMax,
  comment: reviewLimits.changesMax,
  release: 2 * reviewLimits.changesMax,
  propose: 2 * reviewLimits.changesMax,
  approve: Infinity,
  reject: Infinity,
}

interface ActContext {
  readonly principalId: string
  /** Whether the principal may also release what others have claimed. */
  readonly mayApprove: boolean
  /** Whether the proposer may not settle this review. */
  readonly needsFourEyes: boolean
  readonly isExpired: boolean
}

/** `unchanged`: the same act again, such as a retry after a lost answer. */
export function judge<Step extends ReviewStep>(
  state: ReviewState<Step>,
  act: ReviewAct,
  context: ActContext,
): ReviewRefusal | 'unchanged' | null {
  const isOpen = isWaiting(state.status)
  if (isOpen && context.isExpired) return 'expired'
  if (isRepeated(state, act, context.principalId)) return 'unchanged'
  if (!isOpen) return 'closed'
  const refusal = refusalOf(state, act, context)
  if (refusal !== null) return refusal
  return state.version >= changesMaxOf[act.kind] ? 'too_many_changes' : null
}

function refusalOf<Step extends ReviewStep>(
  { status, claim, proposal, comments }: ReviewState<Step>,
  act: ReviewAct,
  { principalId, mayApprove, needsFourEyes }: ActContext,
): ReviewRefusal | null {
  const isOwn = claim?.by?.principalId === principalId
  switch (act.kind) {
    case 'comment':
      return comments.length >= reviewLimits.commentsMax ? 'too_many_comments' : null
    case 'claim':
      return claim === null ? null : 'claimed_by_another'
    case 'release':
      if (claim === null) return 'not_claimed'
      return isOwn || (mayApprove && status === 'claimed') ? null : 'claimed_by_another'
    case 'propose':
      if (status === 'proposed') return 'already_proposed'
      return claim === null || isOwn ? null : 'claimed_by_another'
    case 'approve':
    case 'reject':
      if (status !== 'proposed' || proposal === null) return 'no_proposal'
      if (act.proposalId !== null && act.proposalId !== proposal.changeId) return 'another_proposal'
      return needsFourEyes && proposal.by?.principalId === principalId ? 'four_eyes' : null
  }
}

function isRepeated<Step extends ReviewStep>(
  { status, claim, proposal, resolution }: ReviewState<Step>,
  act: ReviewAct,
  principalId: string,
): boolean {
  const isBy = (step: Step | null): boolean => step?.by?.principalId === principalId
  if (act.kind === 'claim') return isWaiting(status) && isBy(claim)
  if (act.kind === 'propose')
    return (
      status === 'proposed' &&
      isBy(proposal) &&
      proposal?.action === act.action &&
      proposal.reasonCode === act.reasonCode &&
      proposal.text === act.text
    )
  if (act.kind !== 'approve' && act.kind !== 'reject') return false
  return (
    status === changeKindOf[act.kind] &&
    isBy(resolution) &&
    (act.proposalId === null || act.proposalId === proposal?.changeId)
  )
}
