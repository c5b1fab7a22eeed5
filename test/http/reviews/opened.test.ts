/** Which decisions have a review: each that needs a person, once, as soon as it is answered; repeats join, replays open none. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { person, unlimited } from '../../helpers/people.ts'
import {
  act,
  clerkOf,
  decided,
  deskOn,
  idsIn,
  payments,
  readReviews,
  reviewOf,
} from '../../helpers/reviews.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** The rows of reviews and of their openings, as stored. */
async function stored({ databaseUrl }: Harness): Promise<{ reviews: number; openings: number }> {
  const reviews = await rowsOf(databaseUrl, 'SELECT review_id FROM reviews')
  const openings = await rowsOf(databaseUrl, "SELECT review_id FROM review_changes WHERE kind = 'opened'")
  return { reviews: reviews.length, openings: openings.length }
}

/** Every payment of the test amounts that gets an answer, without a cooldown between them. */
const everyAmount = [
  1000, 1000.01, 1000.02, 1000.03, 1000.04, 1000.05, 1000.06, 1000.07, 1000.08, 60_000, 600_000,
] as const

for (const engine of engines) {
  test(`${engine}: every DEGRADED and NO-GO has a review, and every GO that asks for something; a plain GO has none`, async () => {
    const settings = { ...unlimited, FAIRWAY_COOLDOWN_S: '0' }
    await withHarness({ engine, settings }, async (harness) => {
      const { proposer } = await deskOn(harness)
      const kinds = new Set<string>()
      const expected: string[] = []
      for (const payment of [
        ...everyAmount.map((amount) => ({ corridor: 'GB-NG', amount })),
        { corridor: 'GB-NG' },
        payments.degraded,
      ]) {
        harness.clock.advance(1)
        const { body } = await harness.verify(proposer.key, payment)
        const reviewId = reviewOf(body.request_id)
        const isPlain = body.decision === 'GO' && body.recommended_action === 'PROCEED'
        kinds.add(isPlain ? 'plain' : String(body.decision))
        if (!isPlain) expected.push(reviewId)
        const found = await harness.get(proposer.key, `/api/v1/reviews/${reviewId}`)
        assert.equal(found.status, isPlain ? 404 : 200, `${JSON.stringify(payment)}: ${found.text}`)
      }
      assert.deepEqual(kinds, new Set(['plain', 'GO', 'DEGRADED', 'NO-GO']))
      assert.deepEqual(idsIn(await readReviews(harness, proposer)), expected)
      assert.deepEqual(await stored(harness), { reviews: expected.length, openings: expected.length })
    })
  })

  test(`${engine}: a new review shows its decision, when it is due and when it expires, and nothing else happened`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { proposer, show } = await deskOn(harness)
      harness.clock.advance(1_234)
      const openedMs = harness.clock.nowMs()
      const payment = { ...payments.confirmPayee, currency: 'NGN' }
      const answer = await decided(harness, proposer.key, payment, 'GO')
      harness.clock.advance(60_000)
      const { history, ...review } = await show(reviewOf(answer.request_id))
      assert.deepEqual(review, {
        review_id: reviewOf(answer.request_id),
        request_id: answer.request_id,
        decision: 'GO',
        score: answer.score,
        recommended_action: 'CONFIRM_PAYEE',
        amount: 1000.07,
        currency: 'NGN',
        request_currency: 'NGN',
        settlement_currency: 'NGN',
        corridor: 'GB-NG',
        mode: 'shadow',
        reason_codes: ['COP_OVERRIDE_ACTIVE'],
        opened_at: iso(openedMs),
        due_at: iso(openedMs + 3_600_000),
        expires_at: iso(openedMs + 86_400_000),
        status: 'open',
        overdue: false,
        needs_four_eyes: true,
        claimed_by: null,
        proposal: null,
        resolution: null,
        comments: [],
        repeats: 0,
      })
      const [opening, ...more] = history as Answer['body'][]
      assert.deepEqual([opening?.kind, opening?.by, more], ['opened', null, []])
      const listed = await readReviews(harness, proposer)
      assert.deepEqual(listed, { reviews: [review], next_cursor: null })
    })
  })

  test(`${engine}: a replay opens no review, and neither does a request that was refused or held`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { proposer } = await deskOn(harness)
      const { key } = proposer
      const payment = { ...payments.degraded, idempotency_key: 'one' }
      const first = await decided(harness, key, payment, 'DEGRADED')
      for (let turn = 0; turn < 3; turn += 1) {
        const again = await harness.verify(key, payment)
        assert.equal(again.body.idempotency_hit, true)
        const listed = await readReviews(harness, proposer)
        assert.deepEqual(idsIn(listed), [reviewOf(first.request_id)])
        assert.equal(listed.reviews[0].repeats, 0)
      }
      assert.equal((await harness.verify(key, { ...payment, amount: 11 })).status, 409)
      assert.equal((await harness.verify(key, { corridor: 'nowhere' })).status, 400)
      assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1000.09 })).status, 503)
      assert.equal((await readReviews(harness, proposer)).reviews.length, 1)
    })
  })

  test(`${engine}: repeats by a cooldown join the review of their source, whether it was read before or not`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { proposer, show } = await deskOn(harness)
      const { key } = proposer
      const source = await decided(harness, key, payments.blocked, 'NO-GO')
      const reviewId = reviewOf(source.request_id)
      // Nothing was followed yet: source and repeats are in one batch.
      for (let turn = 0; turn < 3; turn += 1) {
        const hit = await decided(harness, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
        assert.equal(hit.cooldown.source_request_id, source.request_id)
      }
      assert.equal((await show(reviewId)).repeats, 3)
      const hit = await decided(harness, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
      assert.equal((await show(reviewId)).repeats, 4, 'a later batch')
      assert.equal((await harness.get(key, `/api/v1/reviews/${reviewOf(hit.request_id)}`)).status, 404)
      assert.deepEqual(idsIn(await readReviews(harness, proposer)), [reviewId])
      // A replay of a repeat is no repeat.
      const repeat = { corridor: 'GB-NG', amount: 6, idempotency_key: 'again' }
      for (let turn = 0; turn < 2; turn += 1) await harness.verify(key, repeat)
      assert.equal((await show(reviewId)).repeats, 5)
      harness.clock.advance(90_000)
      const next = await decided(harness, key, payments.blocked, 'NO-GO')
      const listed = await readReviews(harness, proposer)
      assert.deepEqual(idsIn(listed), [reviewId, reviewOf(next.request_id)])
      assert.deepEqual(
        listed.reviews.map(({ repeats }: { repeats: number }) => repeats),
        [5, 0],
        'after the cooldown a decision is its own',
      )
    })
  })

  test(`${engine}: a repeat changes nothing of a review but its count, also after it was settled`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { proposer, approver, show } = await deskOn(harness)
      const source = await decided(harness, proposer.key, payments.blocked, 'NO-GO')
      const reviewId = reviewOf(source.request_id)
      for (const [clerk, name] of [
        [proposer, 'propose'],
        [approver, 'approve'],
      ] as const) {
        assert.equal((await act(harness, clerk, name, reviewId)).status, 200)
        const before = await show(reviewId)
        await decided(harness, proposer.key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
        assert.deepEqual(await show(reviewId), { ...before, repeats: before.repeats + 1 })
      }
    })
  })

  test(`${engine}: live and shadow decisions both have reviews, each with its mode`, async () => {
    await withHarness({ engine, feeds: simulatedFeeds }, async (harness) => {
      const shadow = await harness.issue()
      const { ownerId } = shadow.record
      const live = await harness.issue({ prefix: 'pk_live_', ownerId })
      const payment = { corridor: 'GB-NG', amount: 60_000 }
      const ofShadow = await decided(harness, shadow.key, payment, 'DEGRADED')
      harness.clock.advance(1)
      const ofLive = await decided(harness, live.key, payment, 'DEGRADED')
      const clerk = clerkOf(shadow)
      const all = await readReviews(harness, clerk)
      assert.deepEqual(
        all.reviews.map(({ review_id: id, mode }: Answer['body']) => [id, mode]),
        [
          [reviewOf(ofShadow.request_id), 'shadow'],
          [reviewOf(ofLive.request_id), 'live'],
        ],
      )
    })
  })

  test(`${engine}: a person's own verify opens a review for the person's owner`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId, proposer } = await deskOn(harness)
      const { headers } = await person(harness, 'viewer', ownerId)
      const { body, text } = await harness.send({
        method: 'POST',
        url: '/api/v1/verify',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify(payments.degraded),
      })
      assert.equal(body.decision, 'DEGRADED', text)
      assert.deepEqual(idsIn(await readReviews(harness, proposer)), [reviewOf(body.request_id)])
    })
  })
}
