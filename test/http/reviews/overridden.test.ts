/** A direct override closes the review of its decision; whoever reads it next sees that. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import {
  act,
  conflict,
  decided,
  deskOn,
  done,
  goodProposal,
  idsIn,
  payments,
  readReviews,
  refusalOf,
  requestIdOf,
  reviewOf,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

for (const engine of engines) {
  test(`${engine}: a direct override by a key closes the review at once, whatever was done about it`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const other = await harness.sibling()
      try {
        const [open, claimed, proposed] = [await desk.open(), await desk.open(), await desk.proposed()]
        await done(harness, desk.approver, 'claim', claimed)
        for (const reviewId of [open, claimed, proposed]) {
          const before = await desk.show(reviewId)
          harness.clock.advance(1_000)
          const made = await override(harness, desk.proposer.key, before.request_id)
          assert.deepEqual([made.status, made.body.approval], [200, null])
          const { history, ...after } = await readReviews(other, desk.proposer, `/${reviewId}`)
          const resolution = {
            status: 'overridden',
            action: null,
            reason: null,
            by: desk.proposer.shown,
            at: new Date(harness.clock.nowMs()).toISOString(),
            override_id: made.body.override_id,
          }
          const { history: _before, ...rest } = before
          assert.deepEqual(after, { ...rest, status: 'overridden', resolution })
          assert.deepEqual([history.at(-1).kind, history.at(-1).by], ['overridden', desk.proposer.shown])
          const waiting = await readReviews(other, desk.proposer, '?status=open,claimed,proposed,rejected')
          assert.ok(!idsIn(waiting).includes(reviewId))
        }
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [])
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: an overridden review is final, and the same override again changes nothing of it`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed()
      const requestId = await requestIdOf(desk, reviewId)
      await override(harness, desk.proposer.key, requestId)
      const before = await desk.show(reviewId)
      for (const name of ['claim', 'release', 'comment', 'propose', 'approve', 'reject'] as const) {
        const refused = await act(harness, desk.approver, name, reviewId)
        assert.deepEqual(refusalOf(refused), conflict)
        assert.equal(refused.body.message, 'This review is overridden, which is final.')
      }
      assert.equal((await override(harness, desk.proposer.key, requestId)).status, 200)
      assert.equal((await override(harness, desk.proposer.key, requestId, { action: 'HOLD' })).status, 409)
      harness.clock.advance(86_400_000)
      assert.deepEqual(await desk.show(reviewId), before, 'nor does it expire')
    })
  })

  test(`${engine}: an override before anybody read the review closes it as well, in the same batch`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const answer = await decided(harness, desk.proposer.key, payments.degraded, 'DEGRADED')
      await override(harness, desk.proposer.key, answer.request_id)
      const { status, history } = await desk.show(reviewOf(answer.request_id))
      assert.deepEqual(
        [status, history.map(({ kind }: { kind: string }) => kind)],
        ['overridden', ['opened', 'overridden']],
      )
    })
  })

  test(`${engine}: an override of a repeat is the repeat's alone: the review of its source goes on`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const { key } = desk.proposer
      const source = await decided(harness, key, payments.blocked, 'NO-GO')
      const hit = await decided(harness, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
      assert.equal((await override(harness, key, hit.request_id)).status, 200)
      const review = await desk.show(reviewOf(source.request_id))
      assert.deepEqual([review.status, review.repeats], ['open', 1])
      await done(harness, desk.proposer, 'propose', review.review_id, goodProposal)
      assert.equal((await done(harness, desk.approver, 'approve', review.review_id)).status, 'approved')
    })
  })
}
