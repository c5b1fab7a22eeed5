/** The acts of reviewers in a simulated world: an act, several at once on one review, one after the other, or again. */

import { overrideActions } from '../../../src/core/events/override.ts'
import { isWaiting, type ReviewAct, type ReviewStatus } from '../../../src/core/review/life.ts'
import { unlessUnavailable } from '../instance.ts'
import type { World } from '../world.ts'
import type { ReviewCall } from './books.ts'
import type { Reviewer } from './desk.ts'

interface StoredReview {
  readonly review_id: string
  readonly owner_id: string
  readonly status: ReviewStatus
}

type ActKind = ReviewAct['kind']

/** Acts that move a review on are more likely than acts that are refused. */
const likely: Readonly<Record<'open' | 'claimed' | 'proposed' | 'closed', readonly ActKind[]>> = {
  open: ['claim', 'claim', 'claim', 'propose', 'propose', 'propose', 'comment', 'release', 'approve'],
  claimed: ['propose', 'propose', 'propose', 'release', 'comment', 'claim', 'claim', 'reject'],
  proposed: ['approve', 'approve', 'approve', 'approve', 'reject', 'reject', 'comment', 'release', 'propose'],
  closed: ['claim', 'comment', 'propose', 'approve', 'reject', 'release'],
}

const placeOf = (status: ReviewStatus): keyof typeof likely => {
  if (status === 'claimed' || status === 'proposed') return status
  return isWaiting(status) ? 'open' : 'closed'
}

export function actOnReview(world: World): void {
  const review = pickReview(world)
  if (review !== null) actOnce(world, review)
}

/** Several principals at the same time, on any instances. */
export function raceForReview(world: World): void {
  const review = pickReview(world)
  if (review === null) return
  const racers = 2 + world.rng.below(4)
  for (let racer = 0; racer < racers; racer += 1) actOnce(world, review)
}

/** One act after the other, as long as they succeed, up to the approval of the first or of a second proposal. */
export function handleReview(world: World): void {
  const { rng, desk } = world
  const review = pickReview(world)
  if (review === null) return
  const { review_id: reviewId, owner_id: ownerId } = review
  const own = desk.reviewers.filter((reviewer) => reviewer.ownerId === ownerId)
  const [proposer, approver] = [rng.pick(own), rng.pick(own.filter((one) => one.may('review:approve')))]
  const isRejected = rng.next() < 0.4
  const steps: (readonly [Reviewer, ActKind])[] = [
    [proposer, 'claim'],
    [rng.pick(own), 'comment'],
    [proposer, 'propose'],
    ...(isRejected
      ? ([
          [approver, 'reject'],
          [rng.pick(own), 'propose'],
        ] as const)
      : []),
    [approver, 'approve'],
  ]
  const work = async (): Promise<void> => {
    for (const [reviewer, kind] of steps) {
      const call = await startAct(world, { reviewId, reviewer, act: newAct(world, kind, reviewId) })
      if (call.outcome?.kind !== 'done') return
    }
  }
  void work()
}

/** The same act again by the same principal, as after a lost answer. */
export function retryAct(world: World): void {
  const { rng, reviews } = world
  const uncertain = reviews.calls.filter(
    ({ outcome }) => outcome?.kind === 'unavailable' || outcome?.kind === 'cut_off',
  )
  if (uncertain.length > 0) void startAct(world, rng.pick(uncertain))
}

/** Mostly one that waits for somebody. */
function pickReview({ rng, worldDatabase }: World): StoredReview | null {
  const all = worldDatabase
    .prepare('SELECT review_id, owner_id, status FROM reviews ORDER BY review_id')
    .all() as unknown as StoredReview[]
  const waiting = all.filter(({ status }) => isWaiting(status))
  const chosen = waiting.length > 0 && rng.next() < 0.9 ? waiting : all
  return chosen.length === 0 ? null : rng.pick(chosen)
}

function actOnce(world: World, { review_id: reviewId, owner_id: ownerId, status }: StoredReview): void {
  const { rng, desk } = world
  const kind = rng.pick(likely[placeOf(status)])
  const isStranger = rng.next() < 0.03
  const needed = kind === 'approve' || kind === 'reject' ? 'review:approve' : 'review:write'
  const able = desk.reviewers.filter(
    (reviewer) => reviewer.may(needed) && (reviewer.ownerId !== ownerId) === isStranger,
  )
  void startAct(world, { reviewId, reviewer: rng.pick(able), act: newAct(world, kind, reviewId) })
}

function newAct({ rng, reviews }: World, kind: ActKind, reviewId: string): ReviewAct {
  // Each text stands for one act.
  const text = `${kind} ${reviews.calls.length}`
  const proposals = (reviews.histories.get(reviewId) ?? []).filter((change) => change.kind === 'proposed')
  switch (kind) {
    case 'claim':
    case 'release':
      return { kind }
    case 'comment':
      return { kind, text }
    case 'propose':
      return { kind, action: rng.pick(overrideActions), reasonCode: 'SEEN_BEFORE', text }
    case 'approve':
    case 'reject': {
      const named = proposals.length > 0 && rng.next() < 0.5 ? rng.pick(proposals).change_id : null
      return { kind, proposalId: named, text: kind === 'approve' && rng.next() < 0.3 ? null : text }
    }
  }
}

/** Resolves with its outcome; never, if its process is ended. */
async function startAct(
  world: World,
  { reviewId, reviewer, act }: Pick<ReviewCall, 'reviewId' | 'reviewer' | 'act'>,
): Promise<ReviewCall> {
  const { reviews, schedule } = world
  const instance = world.pickInstance()
  const wall = reviews.watchWall(schedule.clock.nowMs())
  const call: ReviewCall = { reviewId, reviewer, act, life: instance.life, wall, outcome: null }
  reviews.calls.push(call)
  reviews.open.add(call)
  const work = async (): Promise<void> => {
    const outcome = await unlessUnavailable(instance.reviews.act(reviewer, reviewId, act))
    call.outcome ??= outcome ?? { kind: 'unavailable' }
    const refusal = outcome?.kind === 'refused' ? ` ${outcome.refusal}` : ''
    world.trace(`${act.kind} of ${reviewId} by ${reviewer.by.id} got ${outcome?.kind}${refusal}`)
  }
  await world.watch(work(), instance.life)
  return call
}

/** As the service does every second. */
export function expireReviews(world: World): void {
  const { expireReviews: run, life } = world.pickInstance()
  void world.watch(run(), life)
}
