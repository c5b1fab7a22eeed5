/** The follower of reviews on a store, as the service runs it. */

import { systemRandom } from '../../src/adapters/system.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Clock } from '../../src/app/ports/system.ts'
import { createFollowReviews, type FollowReviews } from '../../src/app/review/follow.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { readConfig } from '../../src/config.ts'

export function followReviewsOn(store: Pick<Store, 'reviews'>, clock: Clock): FollowReviews {
  const ids = createIds({ clock, random: systemRandom })
  return createFollowReviews({ store: store.reviews, ids, terms: readConfig({}).reviews })
}
