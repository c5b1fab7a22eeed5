/** Conditions of events, in SQL: who gets the change of a corridor, and which changes of a review are events. */

import type { ReviewChangeKind } from '../../../core/review/life.ts'

/** Whether the key `k` is a live one that was valid when `r` happened. Corridors belong to all who have one. */
export const isLiveKeySql = `k.type = 'live' AND k.revoked_at_ms IS NULL
  AND (k.expires_at_ms IS NULL OR k.expires_at_ms > r.at_ms)`

/** Whether the act `r` is about this owner, whose id is in its details. */
export const isOfOwnerSql = (table: string): string =>
  `REPLACE(r.detail, '"owner_id":"' || ${table}.owner_id || '"', '') <> r.detail`

export const reviewEventKinds: Readonly<
  Record<'payment.review.opened' | 'payment.review.closed', readonly ReviewChangeKind[]>
> = {
  'payment.review.opened': ['opened'],
  'payment.review.closed': ['approved', 'expired', 'overridden'],
}

/** As a list for `IN`. */
export const listed = (kinds: readonly ReviewChangeKind[]): string =>
  kinds.map((kind) => `'${kind}'`).join(', ')
