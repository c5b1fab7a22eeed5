/** Claim and release: a review is one principal's at a time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { anotherSession, person } from '../../helpers/people.ts'
import { act, conflict, deskOn, done, refusalOf } from '../../helpers/reviews.ts'

for (const engine of engines) {
  test(`${engine}: a released review is nobody's, and anybody may claim it, the last one too`, async () => {
    await withHarness({ engine }, async (harness) => {
      const desk = await deskOn(harness)
      const { proposer, approver } = desk
      const reviewId = await desk.open()
      assert.deepEqual(refusalOf(await act(harness, proposer, 'release', reviewId)), conflict)
      for (const clerk of [proposer, approver, approver, proposer]) {
        const claimed = await done(harness, clerk, 'claim', reviewId)
        assert.deepEqual([claimed.status, claimed.claimed_by], ['claimed', clerk.shown])
        const released = await done(harness, clerk, 'release', reviewId)
        assert.deepEqual([released.status, released.claimed_by], ['open', null])
      }
      const { history } = await desk.show(reviewId)
      assert.deepEqual(
        history.slice(1, 5).map(({ kind, by }: Answer['body']) => [kind, by]),
        [
          ['claimed', proposer.shown],
          ['released', proposer.shown],
          ['claimed', approver.shown],
          ['released', approver.shown],
        ],
      )
    })
  })

  test(`${engine}: an approver releases what another has claimed, but takes away no proposal; nobody else does either`, async () => {
    await withHarness({ engine }, async (harness) => {
      const desk = await deskOn(harness)
      const colleague = await desk.hire('colleague', ['review:read', 'review:write'])
      const reviewId = await desk.open()
      await done(harness, desk.proposer, 'claim', reviewId)
      const refused = await act(harness, colleague, 'release', reviewId)
      assert.deepEqual(refusalOf(refused), conflict)
      assert.match(refused.body.message, new RegExp(desk.proposer.keyId))
      assert.deepEqual((await desk.show(reviewId)).claimed_by, desk.proposer.shown)
      await done(harness, desk.approver, 'release', reviewId)
      assert.equal((await desk.show(reviewId)).claimed_by, null)
      await done(harness, desk.proposer, 'propose', reviewId)
      for (const clerk of [colleague, desk.approver])
        assert.deepEqual(refusalOf(await act(harness, clerk, 'release', reviewId)), conflict)
      assert.equal((await desk.show(reviewId)).status, 'proposed')
      const withdrawn = await done(harness, desk.proposer, 'release', reviewId)
      assert.deepEqual([withdrawn.status, withdrawn.claimed_by, withdrawn.proposal], ['open', null, null])
    })
  })

  test(`${engine}: another than the claimant cannot propose; a proposal on an unclaimed review claims it`, async () => {
    await withHarness({ engine }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.open()
      await done(harness, desk.proposer, 'claim', reviewId)
      const refused = await act(harness, desk.approver, 'propose', reviewId)
      assert.deepEqual(refusalOf(refused), conflict)
      assert.match(refused.body.message, new RegExp(`claimed by proposer \\(${desk.proposer.keyId}\\)`))
      await done(harness, desk.proposer, 'release', reviewId)
      const proposed = await done(harness, desk.approver, 'propose', reviewId)
      assert.deepEqual([proposed.status, proposed.claimed_by], ['proposed', desk.approver.shown])
    })
  })

  test(`${engine}: a person is one claimant in every session, and is named without the session`, async () => {
    await withHarness({ engine }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewer = await person(harness, 'reviewer', desk.ownerId)
      const elsewhere = await anotherSession(harness, reviewer.personId)
      const reviewId = await desk.open()
      const shown = { kind: 'person', id: reviewer.personId, name: reviewer.name }
      assert.deepEqual((await done(harness, reviewer, 'claim', reviewId)).claimed_by, shown)
      assert.deepEqual((await done(harness, elsewhere, 'claim', reviewId)).claimed_by, shown)
      assert.equal((await act(harness, desk.proposer, 'claim', reviewId)).status, 409)
      const proposed = await done(harness, elsewhere, 'propose', reviewId)
      assert.deepEqual([proposed.claimed_by, proposed.proposal.proposed_by], [shown, shown])
      await done(harness, reviewer, 'release', reviewId)
      const text = JSON.stringify(await desk.show(reviewId))
      for (const { sessionId, token } of [reviewer, elsewhere])
        assert.ok(!text.includes(sessionId) && !text.includes(token), 'a session is nobody else’s business')
    })
  })
}
