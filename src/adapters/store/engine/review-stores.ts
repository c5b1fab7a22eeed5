/** Implements the ports of reviews and holds. */

import type { HoldStore } from '../../../app/ports/holds.ts'
import type { OwnerReviews, ReviewStore } from '../../../app/ports/reviews.ts'
import * as checks from '../reviews/checks.ts'
import * as follow from '../reviews/follow.ts'
import * as reviews from '../reviews/reviews.ts'
import type { Driver } from './driver.ts'

export function ownerReviews(driver: Driver, ownerId: string, appended: () => void): OwnerReviews {
  return {
    find: (reviewId) => driver.read(() => reviews.find(ownerId, reviewId)),
    list: (request) => driver.longRead('listReviews', ownerId, request),
    waiting: (mode, nowMs) => driver.longRead('waitingReviews', ownerId, mode, nowMs),
    async append(change, row, override) {
      const result = await driver.change('appendReviewChange', change, row, override)
      if (result === 'appended') appended()
      return result
    },
  }
}

export function reviewsOf(driver: Driver, appended: () => void): ReviewStore {
  return {
    entries: () => driver.read(() => follow.entries()),
    async followed(from, to, effects) {
      const isFollowed = await driver.change('followedReviews', from, to, effects)
      if (isFollowed && effects.opened.length + effects.closed.length > 0) appended()
      return isFollowed
    },
    due: (nowMs, limit) => driver.read(() => reviews.due(nowMs, limit)),
    close: (closings) => driver.change('closeReviews', closings).then(appended),
    page: (afterId, limit) => driver.read(() => checks.page(afterId, limit)),
    missing: (limit) => driver.read(() => checks.missing(limit)),
  }
}

export function holdsOf(driver: Driver): HoldStore {
  return {
    add: (held) => driver.change('addHolds', held),
    sums: (ownerId, mode, sinceMs) => driver.longRead('holds', ownerId, mode, sinceMs),
  }
}
