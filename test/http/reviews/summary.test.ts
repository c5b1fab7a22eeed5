/** GET /api/v1/reviews/summary: what waits, and the money in it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { unlimited } from '../../helpers/people.ts'
import { decided, deskOn, done, readReviews, reviewsUrl } from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

const nothing = {
  waiting: 0,
  unclaimed: 0,
  proposed: 0,
  overdue: 0,
  oldest_due_at: null,
  money: [],
} as const

const iso = (ms: number): string => new Date(ms).toISOString()

for (const engine of engines) {
  test(`${engine}: the figures are those of the reviews that wait, of this owner alone`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const [desk, stranger] = [await deskOn(harness), await deskOn(harness)]
      const { proposer, approver } = desk
      const summary = (): Promise<Answer['body']> => readReviews(harness, proposer, '/summary')
      assert.deepEqual(await summary(), nothing)
      await stranger.open({ amount: 5_000 })
      assert.deepEqual(await summary(), nothing)

      const startMs = harness.clock.nowMs()
      const open = await desk.open({ amount: 0.1 })
      harness.clock.advance(1_000)
      const claimed = await desk.open({ amount: 0.2 })
      const proposed = await desk.proposed({ amount: 1_000.07, currency: 'NGN' })
      const rejected = await desk.proposed({ amount: 1.1 })
      const withoutAmount = await desk.open({ amount: undefined, currency: 'USD' })
      await done(harness, proposer, 'claim', claimed)
      await done(harness, approver, 'reject', rejected)
      const expected = {
        waiting: 5,
        unclaimed: 3,
        proposed: 1,
        overdue: 0,
        oldest_due_at: iso(startMs + 3_600_000),
        money: [
          { currency: 'GBP', amount: 1.4, reviews: 3 },
          { currency: 'NGN', amount: 1_000.07, reviews: 1 },
          { currency: 'USD', amount: 0, reviews: 1 },
        ],
      }
      assert.deepEqual(await summary(), expected)
      // The first is overdue, the others not yet.
      harness.clock.advance(3_600_000 - 1_000 + 1)
      assert.deepEqual(await summary(), { ...expected, overdue: 1 })
      harness.clock.advance(1_000)
      assert.deepEqual(await summary(), { ...expected, overdue: 5 })

      await override(harness, proposer.key, (await desk.show(open)).request_id)
      await done(harness, approver, 'approve', proposed)
      assert.deepEqual(await summary(), {
        waiting: 3,
        unclaimed: 2,
        proposed: 0,
        overdue: 3,
        oldest_due_at: iso(startMs + 3_601_000),
        money: [
          { currency: 'GBP', amount: 1.3, reviews: 2 },
          { currency: 'USD', amount: 0, reviews: 1 },
        ],
      })
      assert.equal((await desk.show(withoutAmount)).amount, null)
      harness.clock.advance(86_400_000)
      assert.deepEqual(await summary(), nothing)
    })
  })

  test(`${engine}: a sum of many amounts has the decimals that they had`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      for (let count = 0; count < 30; count += 1) await desk.open({ amount: 0.1 })
      const { key } = desk.proposer
      await desk.open({ amount: 1.234, currency: 'KWD' })
      await decided(harness, key, { corridor: 'US-MX', amount: 1_000_000_000.01 }, 'NO-GO')
      const { money } = await readReviews(harness, desk.proposer, '/summary')
      assert.deepEqual(money, [
        { currency: 'GBP', amount: 1_000_000_003.01, reviews: 31 },
        { currency: 'KWD', amount: 1.234, reviews: 1 },
      ])
    })
  })

  test(`${engine}: by mode, the figures are those of that mode`, async () => {
    await withHarness({ engine, settings: unlimited, feeds: simulatedFeeds }, async (harness) => {
      const desk = await deskOn(harness)
      const { key: live } = await harness.issue({ prefix: 'pk_live_', ownerId: desk.ownerId })
      await desk.open({ amount: 7 })
      await decided(harness, live, { corridor: 'GB-NG', amount: 60_000 }, 'DEGRADED')
      const figures = async (query: string): Promise<unknown[]> => {
        const { waiting, money } = await readReviews(harness, desk.proposer, `/summary${query}`)
        return [waiting, money]
      }
      const gbp = (amount: number, reviews: number) => [{ currency: 'GBP', amount, reviews }]
      assert.deepEqual(await figures(''), [2, gbp(60_007, 2)])
      assert.deepEqual(await figures('?mode=shadow'), [1, gbp(7, 1)])
      assert.deepEqual(await figures('?mode=live'), [1, gbp(60_000, 1)])
    })
  })
}

test('a mode that there is not, and a parameter that there is not, are 400', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const query of ['mode=both', 'mode=', 'corridor=GB-NG'])
      assert.equal((await harness.get(key, `${reviewsUrl}/summary?${query}`)).status, 400, query)
  })
})
