/** Wraps a store so that no reader sees the past: whoever reads a projection waits for its follower. */

import type { FollowerName } from '../ports/journal.ts'
import type { OwnerReviews } from '../ports/reviews.ts'
import type { OwnerRecords, Store } from '../ports/store.ts'
import type { OwnerWebhooks } from '../ports/webhooks.ts'

export interface Waits {
  readonly sequenced: () => Promise<void>
  readonly passed: (name: FollowerName) => Promise<void>
}

export function currentStore(store: Store, { sequenced, passed }: Waits): Store {
  const ownerRecords = (records: OwnerRecords): OwnerRecords => {
    return {
      ...records,
      async summarise(query) {
        await passed('totals')
        return records.summarise(query)
      },
      async calibrate(query) {
        await passed('calibration')
        return records.calibrate(query)
      },
      webhooks: ownerWebhooks(records.webhooks, { sequenced, passed }),
      reviews: ownerReviews(records.reviews, passed),
    }
  }
  return {
    ...store,
    forOwner: (ownerId) => ownerRecords(store.forOwner(ownerId)),
    keys: {
      ...store.keys,
      async usage(keyId) {
        await passed('totals')
        return store.keys.usage(keyId)
      },
    },
    log: {
      ...store.log,
      async find(subjectIds) {
        const leaves = await store.log.find(subjectIds)
        // An empty id has no entry.
        if (leaves.every((leaf, place) => leaf !== null || subjectIds[place] === '')) return leaves
        await sequenced()
        return store.log.find(subjectIds)
      },
    },
  }
}

function ownerWebhooks(webhooks: OwnerWebhooks, { sequenced, passed }: Waits): OwnerWebhooks {
  return {
    ...webhooks,
    // Number earlier entries first: the endpoint receives only entries with a later number.
    async insert(webhook, countMax, act) {
      await sequenced()
      return webhooks.insert(webhook, countMax, act)
    },
    async deliveries(webhookId, query) {
      await passed('webhooks')
      return webhooks.deliveries(webhookId, query)
    },
    async delivery(webhookId, eventId) {
      await passed('webhooks')
      return webhooks.delivery(webhookId, eventId)
    },
    async deliveriesOf(eventIds) {
      await passed('webhooks')
      return webhooks.deliveriesOf(eventIds)
    },
    async findDelivery(eventId) {
      await passed('webhooks')
      return webhooks.findDelivery(eventId)
    },
    async resend(webhookId, eventId, resent, act) {
      await passed('webhooks')
      return webhooks.resend(webhookId, eventId, resent, act)
    },
    async resendSome(webhookId, range) {
      await passed('webhooks')
      return webhooks.resendSome(webhookId, range)
    },
  }
}

function ownerReviews(reviews: OwnerReviews, passed: Waits['passed']): OwnerReviews {
  return {
    ...reviews,
    async find(reviewId) {
      await passed('reviews')
      return reviews.find(reviewId)
    },
    async list(query) {
      await passed('reviews')
      return reviews.list(query)
    },
    async waiting(mode, nowMs) {
      await passed('reviews')
      return reviews.waiting(mode, nowMs)
    },
  }
}
