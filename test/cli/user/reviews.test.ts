/** `fairway reviews` without a server: ids, due times, and the queue a page after another. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairwayClient, type Review } from '../../../client/src/index.ts'
import { parseReviewId } from '../../../src/cli/user/reviews/review-id.ts'
import { dueText } from '../../../src/cli/user/reviews/review-lines.ts'
import { readQueue } from '../../../src/cli/user/reviews/server-reviews.ts'
import { dayMs, hourMs, iso, minuteMs } from '../../../src/core/time/durations.ts'
import { formatRequestId } from '../../../src/core/identity/request-id.ts'
import { reviewIdOf } from '../../../src/core/review/terms.ts'

test('a review is named by its own id or by that of its decision, in any case', () => {
  const requestId = formatRequestId(Date.UTC(2026, 10, 15), new Uint8Array(10).fill(7))
  const reviewId = reviewIdOf(requestId)
  for (const typed of [requestId, requestId.toLowerCase(), reviewId, reviewId.toUpperCase()])
    assert.equal(parseReviewId(typed), reviewId)
  const wrong = [
    '',
    'rev_',
    'SVC-2026-',
    reviewId.slice(0, -1),
    `${reviewId}0`,
    requestId.slice(4),
    'rev_/claim',
  ]
  for (const typed of wrong)
    assert.throws(() => parseReviewId(typed), { code: 'commander.invalidArgument' }, typed)
})

test('a due time is relative and says clearly when it has passed', () => {
  const nowMs = Date.UTC(2026, 10, 15)
  const table: readonly (readonly [dueInMs: number, overdue: boolean, text: string])[] = [
    [45_999, false, 'in 45 s'],
    [minuteMs, false, 'in 1 min'],
    [hourMs - 1, false, 'in 59 min'],
    [2 * hourMs, false, 'in 2 h'],
    [2 * dayMs - 1, false, 'in 47 h'],
    [2 * dayMs, false, 'in 2 d'],
    [-2 * hourMs, true, 'overdue by 2 h'],
    [-3 * dayMs, true, 'overdue by 3 d'],
    // The clock of this machine is wrong: the server decides.
    [minuteMs, true, 'overdue'],
    [-minuteMs, false, 'now'],
  ]
  for (const [dueInMs, overdue, text] of table)
    assert.equal(dueText({ due_at: iso(nowMs + dueInMs), overdue } as Review, nowMs), text)
})

/** A server with so many reviews that gives at most 500 at once; it keeps the queries. */
function serverWith(total: number) {
  const queries: string[] = []
  const fetch = (address: string): Promise<Response> => {
    const { searchParams } = new URL(address)
    queries.push(searchParams.toString())
    const from = Number(searchParams.get('cursor') ?? 0)
    const to = Math.min(total, from + Number(searchParams.get('limit')))
    const reviews = Array.from({ length: to - from }, (_, index) => {
      const id = String(from + index)
      return { review_id: id, request_id: id, status: 'open', due_at: iso(0) }
    })
    const headers = to < total ? { link: `<?cursor=${to}>; rel="next"` } : undefined
    const body = JSON.stringify({ reviews, next_cursor: null })
    return Promise.resolve(new Response(body, headers === undefined ? {} : { headers }))
  }
  const client = new FairwayClient({ baseUrl: 'http://127.0.0.1', apiKey: 'k', runtime: { fetch } })
  return { queries, client }
}

const call = <Result>(request: () => Promise<Result>): Promise<Result> => request()

test('the queue is read page after page, up to the limit and no further', async () => {
  const { queries, client } = serverWith(2_000)
  const { reviews, hasMore } = await readQueue({ call }, client, { status: 'open' }, 600)
  assert.deepEqual(
    reviews.map(({ review_id: id }) => id),
    Array.from({ length: 600 }, (_, index) => String(index)),
  )
  assert.equal(hasMore, true)
  assert.deepEqual(queries, ['status=open&limit=500', 'status=open&limit=100&cursor=500'])
  const all = await readQueue({ call }, serverWith(3).client, {}, 50)
  assert.deepEqual([all.reviews.length, all.hasMore], [3, false])
})
