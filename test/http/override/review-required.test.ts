/** POST /api/v1/override where FAIRWAY_OVERRIDE_REQUIRES_REVIEW is set: keys go through the review, as people always do. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../../src/core/identity/roles.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { person, unlimited, write } from '../../helpers/people.ts'
import { decided, deskOn, done, expireOn, payments, requestIdOf, reviewOf } from '../../helpers/reviews.ts'
import { degraded, goodOverride, override, overrideUrl } from '../../helpers/webhooks.ts'

const settings = { ...unlimited, FAIRWAY_OVERRIDE_REQUIRES_REVIEW: 'true' }

const overridesIn = ({ databaseUrl }: Harness) => rowsOf(databaseUrl, 'SELECT override_id FROM overrides')

for (const engine of engines) {
  test(`403 REVIEW_REQUIRED names the review in which to propose, and nothing is recorded (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      for (const reviewId of [await desk.open(), await desk.proposed()]) {
        const requestId = await requestIdOf(desk, reviewId)
        const before = await desk.show(reviewId)
        const refused = await override(harness, desk.approver.key, requestId)
        assert.deepEqual([refused.status, refused.body.code], [403, 'REVIEW_REQUIRED'])
        assert.equal(
          refused.body.message,
          `An override needs a review here. Propose it in ${reviewId}; another principal must approve it.`,
        )
        assert.deepEqual(await desk.show(reviewId), before)
      }
      assert.deepEqual(await overridesIn(harness), [])
    })
  })

  test(`a decision without an open review is to be verified again: a repeat, and one whose review has ended (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const { key } = desk.proposer
      const source = await decided(harness, key, payments.blocked, 'NO-GO')
      const hit = await decided(harness, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
      assert.equal((await desk.show(reviewOf(source.request_id))).repeats, 1)
      harness.clock.advance(86_400_000)
      await expireOn(harness)
      assert.equal((await desk.show(reviewOf(source.request_id))).status, 'expired')
      for (const { request_id: requestId } of [hit, source]) {
        const refused = await override(harness, key, requestId)
        assert.deepEqual([refused.status, refused.body.code], [403, 'REVIEW_REQUIRED'])
        assert.match(refused.body.message, /no open review: verify the payment again/)
      }
      assert.deepEqual(await overridesIn(harness), [])
    })
  })

  test(`through the review an override is recorded as ever, and answered again to a key that asks for the same (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.open()
      const requestId = await requestIdOf(desk, reviewId)
      await done(harness, desk.proposer, 'propose', reviewId, goodOverride)
      await done(harness, desk.approver, 'approve', reviewId)
      const again = await override(harness, desk.proposer.key, requestId)
      assert.equal(again.status, 200)
      assert.deepEqual(again.body.approval, { review_id: reviewId, approved_by: desk.approver.shown })
      assert.equal((await override(harness, desk.proposer.key, requestId, { action: 'HOLD' })).status, 409)
      assert.equal((await overridesIn(harness)).length, 1)
    })
  })

  test(`an override from before the setting is answered again; the decision gets no other (${engine})`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key } = await harness.issue()
      const requestId = await degraded(harness, key)
      const first = await override(harness, key, requestId)
      assert.equal(first.status, 200)
      const open = await degraded(harness, key)
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings })
      try {
        const again = await override(restarted, key, requestId)
        assert.deepEqual([again.status, again.body], [200, first.body])
        assert.equal((await override(restarted, key, requestId, { action: 'HOLD' })).status, 409)
        assert.equal((await override(restarted, key, open)).body.code, 'REVIEW_REQUIRED')
      } finally {
        await restarted.close()
      }
    })
  })
}

test('a GO is 422 and an unknown id 404 as ever', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const plain = await decided(harness, key, payments.healthy, 'GO')
    const asking = await decided(harness, key, payments.confirmPayee, 'GO')
    for (const { request_id: requestId } of [plain, asking])
      assert.equal((await override(harness, key, requestId)).status, 422)
    const unknown = await override(harness, key, 'SVC-2026-01M7EK86879492MKK2679NV0E3')
    assert.equal(unknown.status, 404)
  })
})

test('no role of people may override directly, whatever the setting', async () => {
  for (const more of [settings, unlimited]) {
    await withHarness({ settings: more }, async (harness) => {
      const { key, record } = await harness.issue()
      const requestId = await degraded(harness, key)
      for (const role of [...roles, roles]) {
        const someone = await person(harness, role, record.ownerId)
        const { status, body } = await write(harness, someone, overrideUrl, {
          request_id: requestId,
          ...goodOverride,
        })
        assert.deepEqual([status, body.code], [403, 'REVIEW_REQUIRED'], String(role))
      }
      assert.deepEqual(await overridesIn(harness), [])
    })
  }
})
