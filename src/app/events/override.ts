/** Records a person's override of a decision, with a reason. A decision has at most one; it is permanent. */

import { mayBeOverridden, type OverrideAction } from '../../core/events/override.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import { isWaiting } from '../../core/review/life.ts'
import { reviewIdOf } from '../../core/review/terms.ts'
import type { Ids } from '../verify/ids.ts'
import type { Actor, Override } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import type { Random } from '../ports/system.ts'
import { keepApart } from '../log/personal-text.ts'
import { attributedTo } from '../people/caller.ts'

interface OverrideCommand {
  readonly ownerId: string
  readonly by: Actor
  readonly requestId: string
  readonly action: OverrideAction
  readonly reasonCode: string
  readonly justification: string
}

export type OverrideOutcome =
  /** Now, or earlier with the same content. */
  | { readonly kind: 'recorded'; readonly override: Override }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'exists' }
  /** The review is null if this decision has none that is open. */
  | { readonly kind: 'review_required'; readonly reviewId: string | null }

export type RecordOverride = (command: OverrideCommand) => Promise<OverrideOutcome>

export interface OverrideDeps {
  readonly store: Store
  readonly ids: Ids
  readonly random: Random
  /** Whether an override needs a review, in which another principal approves it. */
  readonly requiresReview: boolean
}

export function createRecordOverride(deps: OverrideDeps): RecordOverride {
  return async ({ ownerId, by, requestId, action, reasonCode, justification }) => {
    const parsed = parseRequestId(requestId)
    const records = deps.store.forOwner(ownerId)
    const record = parsed === null ? null : await records.find(parsed.id)
    if (record === null) return { kind: 'unknown' }
    if (!mayBeOverridden(record.verdict)) return { kind: 'not_needed' }
    const stated = { action, reasonCode, justification }
    if (record.override !== null) return repeatedOr(record.override, stated)
    if (deps.requiresReview) {
      const review = await records.reviews.find(reviewIdOf(record.requestId))
      const isOpen = review !== null && isWaiting(review.status)
      return { kind: 'review_required', reviewId: isOpen ? review.reviewId : null }
    }
    const { id, atMs } = deps.ids.next('ovr')
    const override: Override = {
      form: 2,
      overrideId: id,
      requestId: record.requestId,
      ownerId,
      ...attributedTo(by),
      action,
      reasonCode,
      justification,
      personalText: keepApart(justification, deps.random),
      originalVerdict: record.verdict,
      createdAtMs: atMs,
      approval: null,
    }
    if (await records.override(override)) return { kind: 'recorded', override }
    // A concurrent request was first.
    return repeatedOr((await records.find(record.requestId))?.override ?? null, stated)
  }
}

/** The same override again gets the first answer. */
function repeatedOr(
  first: Override | null,
  { action, reasonCode, justification }: Pick<Override, 'action' | 'reasonCode' | 'justification'>,
): OverrideOutcome {
  const isSame =
    first?.action === action && first.reasonCode === reasonCode && first.justification === justification
  return isSame ? { kind: 'recorded', override: first } : { kind: 'exists' }
}
