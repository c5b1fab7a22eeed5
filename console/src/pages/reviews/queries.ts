/** Queries of reviews. All are named alike, so that a change can refresh them together. */

import type { FairwayClient, Review, ReviewDetail, ReviewsQuery, ReviewSummary } from '@fairway/client'
import { useCallback } from 'react'
import { useSWRConfig } from 'swr'
import { useCallerId } from '../../caller.ts'
import { shownFor, useQuery, type Query } from '../../query.ts'
import { addressOf, queryOf, waitingStatus, type Filters } from './filters.ts'

const group = 'reviews'
/** Colleagues work on the same queue. */
const refreshMs = 5_000
/** The API's maximum. */
const pageRowsMax = 500

interface Queue {
  /** The view that it belongs to, to detect a stale one. */
  readonly address: string
  readonly items: readonly Review[]
  readonly hasMore: boolean
}

/** All rows that are shown are read again, in as few pages as possible. */
async function queueOf(
  client: FairwayClient,
  query: ReviewsQuery,
  rows: number,
): Promise<Omit<Queue, 'address'>> {
  const items: Review[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageRowsMax, rows - items.length)
    const page = await client.reviews({ ...query, limit, ...(cursor !== null && { cursor }) }).page()
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < rows)
  return { items, hasMore: cursor !== null }
}

export function useQueue(filters: Filters, rows: number) {
  const address = addressOf(filters)
  const query = useQuery<Queue>(
    [group, 'queue', address, rows],
    async (client) => ({ address, ...(await queueOf(client, queryOf(filters), rows)) }),
    { refreshMs, keepPrevious: true },
  )
  return shownFor(address, query)
}

/** Null disables it. */
export function useReview(id: string | null): Query<ReviewDetail> {
  return useQuery(id === null ? null : [group, 'one', id], (client) => client.review(id ?? ''), { refreshMs })
}

export function useSummary(): ReviewSummary | undefined {
  return useQuery([group, 'summary'], (client) => client.reviewSummary(), { refreshMs }).data
}

/** The ids of the reviews that the caller has claimed. */
export function useClaims(): readonly string[] | undefined {
  const query = { claimed_by: 'me', status: waitingStatus, limit: pageRowsMax } as const
  return useQuery(
    [group, 'claims'],
    async (client) => (await client.reviews(query).page()).items.map(({ review_id: id }) => id),
    { refreshMs },
  ).data
}

/** Whether the caller has claimed a review. A key counts as the one that it replaced, which only the server knows. */
export function useIsMine(): (review: Review) => boolean {
  const callerId = useCallerId()
  const claims = useClaims()
  return ({ review_id: id, claimed_by: by }) =>
    by !== null && (by.id === callerId || claims?.includes(id) === true)
}

type Cached = Queue | ReviewDetail | readonly string[] | undefined

function withReview(cached: Cached, review: Review): Cached {
  if (cached === undefined || Array.isArray(cached)) return cached
  const isIt = (other: Review): boolean => other.review_id === review.review_id
  if ('items' in cached) return { ...cached, items: cached.items.map((one) => (isIt(one) ? review : one)) }
  return 'history' in cached && isIt(cached) ? { ...cached, ...review } : cached
}

/** Refetches everything about reviews. A review that is given is shown at once. */
export function useRefreshReviews(): (review?: Review) => void {
  const { mutate } = useSWRConfig()
  return useCallback(
    (review) => {
      const isReviews = (key: unknown): boolean => Array.isArray(key) && key.includes(group)
      if (review === undefined) void mutate(isReviews)
      else void mutate<Cached>(isReviews, (cached?: Cached) => withReview(cached, review))
    },
    [mutate],
  )
}
