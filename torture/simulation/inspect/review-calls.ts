/** Checks the answers to reviewers: an acknowledged act is in the history, and a refused one has a reason and is not. */

import { changeKindOf } from '../../../src/core/review/life.ts'
import { clockSkewMsMax } from '../../../src/core/time/cooldown.ts'
import { credentialOf } from '../../../src/app/people/caller.ts'
import type { ReviewBooks, ReviewCall, StoredChange } from '../reviews/books.ts'
import type { Desk } from '../reviews/desk.ts'
import type { WorldTerms } from '../reviews/terms.ts'
import type { ReviewHistory } from './review-history.ts'
import type { ActResult } from '../../../src/app/review/reviews.ts'
import { ensure } from './violation.ts'
import type { WorldDatabase } from '../world-database.ts'

interface Parts {
  readonly desk: Desk
  readonly terms: WorldTerms
  readonly worldDatabase: WorldDatabase
}

/** The call has ended. */
export function inspectReviewCall(call: ReviewCall, history: ReviewHistory | undefined, parts: Parts): void {
  const { outcome, reviewer, act, reviewId } = call
  const name = `${act.kind} of ${reviewId} by ${reviewer.principal}`
  ensure(history !== undefined, `${name} concerns a review without a history`)
  if (outcome === null || outcome.kind === 'unavailable' || outcome.kind === 'cut_off') return
  const isStranger = reviewer.ownerId !== history.changes[0]?.owner_id
  ensure(isStranger === (outcome.kind === 'unknown'), `${name} was answered as ${outcome.kind}`)
  if (outcome.kind !== 'done' && outcome.kind !== 'refused') return
  const shown = outcome.review.changes
  const isBeginning = shown.every(({ changeId }, place) => history.changes[place]?.change_id === changeId)
  ensure(isBeginning && shown.length > 0, `${name} was answered with a history that is not recorded`)
  const recorded = history.changes.slice(0, shown.length)
  if (outcome.kind === 'done') inspectDone(call, recorded, parts.desk, name)
  else inspectRefused(call, outcome, recorded, parts, name)
}

/** The answer shows the act, made now or earlier by the same principal. */
function inspectDone(
  { act, reviewer }: ReviewCall,
  recorded: readonly StoredChange[],
  desk: Desk,
  name: string,
): void {
  const isShown = ({ kind }: StoredChange): boolean =>
    kind === changeKindOf[act.kind] || (act.kind === 'claim' && kind === 'proposed')
  const isAlwaysNew = act.kind === 'comment' || act.kind === 'release'
  const shown = isAlwaysNew ? recorded.slice(-1).find(isShown) : recorded.findLast(isShown)
  ensure(shown !== undefined, `${name} was acknowledged and is not in the history`)
  const isOwn = desk.find(shown.key_id)?.principal === reviewer.principal
  ensure(isOwn, `${name} was acknowledged, and another principal did it`)
  const isOther = 'proposalId' in act && act.proposalId !== null && act.proposalId !== shown.proposal_id
  ensure(!isOther, `${name} was acknowledged for another proposal`)
  const lacksText = (act.kind === 'comment' || act.kind === 'propose') && shown.text !== act.text
  ensure(!lacksText, `${name} was acknowledged, and its text is not in the history`)
}

type Refused = Extract<ActResult, { kind: 'refused' }>

function inspectRefused(
  { act, reviewer, wall }: ReviewCall,
  { refusal, review }: Refused,
  recorded: readonly StoredChange[],
  { desk, terms, worldDatabase }: Parts,
  name: string,
): void {
  const kinds = recorded.map(({ kind }) => kind)
  const last = recorded.findLast(({ kind }) => kind !== 'commented')
  const proposal = recorded.findLast(({ kind }) => kind === 'proposed')
  const isOver = last !== undefined && ['approved', 'expired', 'overridden'].includes(last.kind)
  const isProposed = last?.kind === 'proposed'
  const isOverridden = (): boolean =>
    worldDatabase.prepare('SELECT 1 AS one FROM overrides WHERE request_id = ?').get(review.requestId) !==
    undefined
  const isOwnProposal = desk.find(proposal?.key_id ?? null)?.principal === reviewer.principal
  const isJust: Readonly<Record<Refused['refusal'], () => boolean>> = {
    closed: () => isOver || isOverridden(),
    // Times of changes may be ahead of a clock that was set back.
    expired: () => wall.max + clockSkewMsMax >= review.expiresAtMs,
    claimed_by_another: () => last?.kind === 'claimed' || isProposed,
    not_claimed: () => last?.kind === 'opened' || last?.kind === 'released' || last?.kind === 'rejected',
    already_proposed: () => isProposed,
    no_proposal: () => !isProposed,
    another_proposal: () => 'proposalId' in act && act.proposalId !== proposal?.change_id,
    four_eyes: () => isOwnProposal && terms.needsTwo(review.amount),
    too_many_comments: () => kinds.filter((kind) => kind === 'commented').length >= 100,
    too_many_changes: () => kinds.length >= 500,
  }
  ensure(isJust[refusal](), `${name} was refused as ${refusal} without a reason`)
}

interface Tally {
  readonly name: string
  readonly act: ReviewCall['act']
  done: number
  uncertain: number
  recorded: number
}

const keyOf = (reviewId: string, credential: string, kind: string, text: string | null): string =>
  [reviewId, credential, kind, text].join(' ')

/** Once nothing is under way: each act is in the histories as often as it was acknowledged, or a lost answer allows. */
export function ensureActsOnce({ calls, histories }: ReviewBooks): void {
  const tallies = new Map<string, Tally>()
  for (const { reviewId, reviewer, act, outcome } of calls) {
    const text = 'text' in act ? act.text : null
    const key = keyOf(reviewId, credentialOf(reviewer.by), changeKindOf[act.kind], text)
    const name = `${act.kind} of ${reviewId} by ${reviewer.principal}`
    const tally = tallies.get(key) ?? { name, act, done: 0, uncertain: 0, recorded: 0 }
    tallies.set(key, tally)
    if (outcome?.kind === 'done') tally.done += 1
    if (outcome?.kind === 'unavailable' || outcome?.kind === 'cut_off') tally.uncertain += 1
  }
  for (const { review_id: reviewId, key_id: credential, kind, text } of [...histories.values()].flat()) {
    if (credential === null || kind === 'overridden') continue
    const tally = tallies.get(keyOf(reviewId, credential, kind, text))
    ensure(tally !== undefined, `${reviewId} was ${kind} by ${credential}, who never did`)
    tally.recorded += 1
  }
  for (const { name, act, done, uncertain, recorded } of tallies.values()) {
    ensure(
      recorded <= done + uncertain,
      `${name} is recorded ${recorded} times, for ${done} answers and ${uncertain} lost`,
    )
    // Other acts get the same answer again while they hold.
    const isEach = act.kind === 'comment' || act.kind === 'release'
    ensure(
      !isEach || recorded >= done,
      `${name} was acknowledged ${done} times and is recorded ${recorded} times`,
    )
    const isText = act.kind === 'propose'
    ensure(!isText || done === 0 || recorded > 0, `${name} was acknowledged and is not recorded`)
  }
}
