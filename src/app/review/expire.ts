/** Records that reviews have expired: in the background, so that nobody waits for it. */

import type { DueReview, ReviewStore } from '../ports/reviews.ts'
import type { Clock } from '../ports/system.ts'
import type { Ids } from '../verify/ids.ts'
import { serviceChange } from './follow.ts'

/** Interval of the look for reviews that have expired. */
export const expireEveryMs = 1_000

export interface ExpireDeps {
  readonly store: Pick<ReviewStore, 'due' | 'close'>
  readonly ids: Ids
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

/** Reviews that are closed in one transaction. */
const batchMax = 200

/** The returned function closes all reviews whose time is over. After a failure the next call tries again. */
export function createExpire({ store, ids, clock, log }: ExpireDeps): () => Promise<void> {
  let hasFailed = false
  // Readers have seen it end at that time, although it is recorded a moment later.
  const close = (reviews: readonly DueReview[]): Promise<void> =>
    store.close(
      reviews.map((review) => ({ ...serviceChange('expired', review, ids), atMs: review.expiresAtMs })),
    )

  async function closeAll(): Promise<void> {
    for (;;) {
      const due = await store.due(clock.nowMs(), batchMax)
      if (due.length === 0) return
      try {
        await close(due)
      } catch {
        // One that cannot be closed must not keep the others open.
        const results = await Promise.allSettled(due.map((review) => close([review])))
        const failed = results.find(({ status }) => status === 'rejected')
        if (failed?.status === 'rejected') throw failed.reason
      }
    }
  }

  return async () => {
    try {
      await closeAll()
      if (hasFailed) log.info('reviews: expiry has resumed')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'reviews: expiry failed, will retry')
      hasFailed = true
    }
  }
}
