/** All that is known about one decision, as far as the caller may see it: one read instead of one per endpoint. */

import { eventIdOf } from '../../core/events/event.ts'
import type { Scope } from '../../core/identity/api-key.ts'
import { reviewIdOf, type ReviewTerms } from '../../core/review/terms.ts'
import { iso } from '../../core/time/durations.ts'
import { hashOf, recordMember } from '../audit/bundle.ts'
import { deliveryView } from '../events/delivery-view.ts'
import { FollowerBehind } from '../followers/journal.ts'
import { proveSealed } from '../log/proof.ts'
import type { Caller } from '../people/caller.ts'
import type { PolicyLibrary } from '../policy/library.ts'
import type { Review } from '../ports/reviews.ts'
import { StoreUnavailable, type Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import type { Reviews } from '../review/reviews.ts'
import { reviewDetail } from '../review/view.ts'
import { openDecisionFile, type DecisionFile } from './decision-file.ts'
import { explain, impact, provenance, timeline } from './explain.ts'
import { auditRecord } from './record-wire.ts'

/** The scopes of the separate endpoints; the other members need that of the file alone. */
export const memberScopes = {
  answer: 'audit:read',
  audit: 'audit:read',
  recording: 'audit:read',
  proof: 'audit:read',
  review: 'review:read',
  deliveries: 'webhook:manage',
} as const satisfies Record<string, Scope>

type Member = keyof typeof memberScopes

export interface WholeFileDeps {
  readonly store: Store
  readonly policyLibrary: PolicyLibrary
  readonly reviews: Reviews
  readonly reviewTerms: ReviewTerms
  readonly clock: Clock
  readonly sealNow: () => Promise<void>
}

type Owned = Caller & { readonly ownerId: string }

/** Null for every id that is not one of the caller's records. */
export async function readWholeFile(deps: WholeFileDeps, caller: Owned, id: string) {
  const file = await openDecisionFile(deps.store.forOwner(caller.ownerId), deps.policyLibrary, id)
  if (file === null) return null
  const unavailable: Member[] = []
  /** Null without the scope, or if what it is read from is not up to date: the rest is shown all the same. */
  async function member<Value>(name: Member, load: () => Value | Promise<Value>): Promise<Value | null> {
    if (!caller.may(memberScopes[name])) return null
    try {
      return await load()
    } catch (error) {
      if (!(error instanceof FollowerBehind || error instanceof StoreUnavailable)) throw error
      unavailable.push(name)
      return null
    }
  }
  const { record, override, outcome } = file
  const review = once(() => deps.reviews.find(caller.ownerId, reviewIdOf(file.computed.requestId)))
  const [proof, shownReview, deliveries] = await Promise.all([
    member('proof', async () => ({ request_id: record.requestId, ...(await proveSealed(deps, file)) })),
    member('review', async () => reviewMember(deps, await review())),
    member('deliveries', async () => deliveriesMember(deps.store, caller.ownerId, file, await review())),
  ])
  return {
    request_id: record.requestId,
    answer: await member('answer', () => file.answer),
    audit: await member('audit', () => auditRecord({ ...record, override, outcome })),
    recording: await member('recording', () => recordingMember(file)),
    explanation: explain(file),
    provenance: provenance(file),
    timeline: timeline(file),
    impact: impact(file),
    review: shownReview,
    deliveries,
    proof,
    withheld: (Object.keys(memberScopes) as Member[]).flatMap((name) =>
      caller.may(memberScopes[name]) ? [] : [{ member: name, scope: memberScopes[name] }],
    ),
    unavailable,
  }
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | null = null
  return () => (loaded ??= load())
}

/** How it was recorded. The hash is the same in every export of the decision. */
function recordingMember({ record, answer, moments }: DecisionFile) {
  return {
    recorded_at: iso(record.recordedAtMs),
    key_id: record.keyId,
    trace_id: moments.trace?.trace_id ?? null,
    record_hash: hashOf(recordMember(record, answer)),
  }
}

function reviewMember({ clock, reviewTerms: terms }: WholeFileDeps, review: Review | null) {
  return review === null ? null : reviewDetail(review, { nowMs: clock.nowMs(), terms })
}

/** Every endpoint with its deliveries for this decision. Event ids come from their subjects, so each is looked up. */
async function deliveriesMember(store: Store, ownerId: string, file: DecisionFile, review: Review | null) {
  const { webhooks } = store.forOwner(ownerId)
  const { record, override } = file
  // A repeat is in the review of its source, whose events are not about the repeat.
  const changes = review?.requestId === record.requestId ? review.changes : []
  const subjects = [
    record.requestId,
    ...(override === null ? [] : [override.overrideId]),
    ...changes.filter(({ kind }) => announced.has(kind)).map(({ changeId }) => changeId),
  ]
  const [endpoints, found] = await Promise.all([
    webhooks.list(),
    webhooks.deliveriesOf(subjects.map((subject) => eventIdOf(subject))),
  ])
  return endpoints.map(({ webhookId: id, url, description }) => ({
    endpoint: { webhook_id: id, url, description },
    deliveries: found.filter(({ webhookId }) => webhookId === id).map(deliveryView),
  }))
}

/** The changes of a review that have events. */
const announced: ReadonlySet<string> = new Set(['opened', 'approved', 'expired', 'overridden'])
