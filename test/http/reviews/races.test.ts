/** Approvals and direct overrides at once: a decision never has two overrides, and its review ends with the one it has. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import {
  act,
  conflict,
  deskOn,
  done,
  goodProposal,
  readReviews,
  refusalOf,
  requestIdOf,
  type Desk,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

/** Two instances share a PostgreSQL; an embedded store has one. */
async function withTwo(
  engine: Engine,
  work: (desk: Desk, one: Harness, other: Harness) => Promise<void>,
): Promise<void> {
  await withHarness({ engine, settings: unlimited }, async (one) => {
    const other = engine === 'postgres' ? await one.sibling() : one
    try {
      await work(await deskOn(one), one, other)
      await one.seal()
      assert.deepEqual((await checkedLog(one.store)).findings, [])
    } finally {
      if (other !== one) await other.close()
    }
  })
}

const overridesOf = ({ databaseUrl }: Harness, requestId: string) =>
  rowsOf(databaseUrl, `SELECT override_id, review_id FROM overrides WHERE request_id = '${requestId}'`)

const rounds = 8

for (const engine of engines) {
  test(`${engine}: of two approvers at once one approves, and one override is written`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const second = await desk.hire('second approver')
      for (let round = 0; round < rounds; round += 1) {
        const reviewId = await desk.proposed()
        const requestId = await requestIdOf(desk, reviewId)
        const answers = await Promise.all([
          act(one, desk.approver, 'approve', reviewId),
          act(other, second, 'approve', reviewId),
        ])
        const [won, ...more] = answers.filter(({ status }) => status === 200)
        const lost = answers.filter(({ status }) => status !== 200)
        assert.deepEqual([more, lost.map(refusalOf)], [[], [conflict]])
        const overrides = await overridesOf(one, requestId)
        assert.deepEqual(
          overrides.map((row) => [row['override_id'], row['review_id']]),
          [[won?.body.resolution.override_id, reviewId]],
        )
        const { history } = await desk.show(reviewId)
        assert.equal(history.length, 3)
        for (const harness of [one, other]) {
          const { resolution } = await readReviews(harness, desk.proposer, `/${reviewId}`)
          assert.deepEqual(resolution, won?.body.resolution)
        }
      }
    })
  })

  test(`${engine}: of an approval and a rejection at once one takes place`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const second = await desk.hire('second approver')
      for (let round = 0; round < rounds; round += 1) {
        const reviewId = await desk.proposed()
        const requestId = await requestIdOf(desk, reviewId)
        const [approved, rejected] = await Promise.all([
          act(one, desk.approver, 'approve', reviewId),
          act(other, second, 'reject', reviewId),
        ])
        const { status } = await desk.show(reviewId)
        const isApproved = status === 'approved'
        assert.deepEqual([approved.status, rejected.status], isApproved ? [200, 409] : [409, 200])
        assert.equal(status, isApproved ? 'approved' : 'rejected')
        assert.equal((await overridesOf(one, requestId)).length, isApproved ? 1 : 0)
      }
    })
  })

  test(`${engine}: of an approval and a withdrawal at once one takes place`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      for (let round = 0; round < rounds; round += 1) {
        const reviewId = await desk.proposed()
        const requestId = await requestIdOf(desk, reviewId)
        const [approved, released] = await Promise.all([
          act(one, desk.approver, 'approve', reviewId),
          act(other, desk.proposer, 'release', reviewId),
        ])
        const { status } = await desk.show(reviewId)
        const isApproved = status === 'approved'
        assert.deepEqual([approved.status, released.status], isApproved ? [200, 409] : [409, 200])
        assert.equal(status, isApproved ? 'approved' : 'open')
        assert.equal((await overridesOf(one, requestId)).length, isApproved ? 1 : 0)
      }
    })
  })

  test(`${engine}: of an approval and a direct override at once one takes place, never both, and the review ends with it`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      for (let round = 0; round < rounds; round += 1) {
        const reviewId = await desk.proposed()
        const requestId = await requestIdOf(desk, reviewId)
        const direct = (): Promise<Answer> =>
          override(other, desk.approver.key, requestId, { action: 'REJECT' })
        const approve = (): Promise<Answer> => act(one, desk.approver, 'approve', reviewId)
        // Who is sent first changes, so that each wins now and then.
        const [first, second] = await Promise.all(
          round % 2 === 0 ? [approve(), direct()] : [direct(), approve()],
        )
        const [approved, overridden] = round % 2 === 0 ? [first, second] : [second, first]
        const overrides = await overridesOf(one, requestId)
        assert.equal(overrides.length, 1)
        const review = await desk.show(reviewId)
        assert.equal(review.resolution.override_id, overrides[0]?.['override_id'])
        if (approved.status === 200) {
          assert.deepEqual(refusalOf(overridden), [409, 'OVERRIDE_EXISTS'])
          assert.deepEqual([review.status, overrides[0]?.['review_id']], ['approved', reviewId])
        } else {
          assert.deepEqual([refusalOf(approved), overridden.status], [conflict, 200])
          assert.deepEqual([review.status, overrides[0]?.['review_id']], ['overridden', null])
        }
      }
    })
  })

  test(`${engine}: an approval that comes after a direct override is 409, and adds nothing`, async () => {
    await withTwo(engine, async (desk, one) => {
      const reviewId = await desk.proposed()
      const requestId = await requestIdOf(desk, reviewId)
      assert.equal((await override(one, desk.proposer.key, requestId, { action: 'HOLD' })).status, 200)
      const refused = await act(one, desk.approver, 'approve', reviewId)
      assert.deepEqual(refusalOf(refused), conflict)
      assert.match(refused.body.message, /overridden/)
      assert.equal((await overridesOf(one, requestId)).length, 1)
    })
  })

  test(`${engine}: a direct override with the words of the approval gets the approved one for an answer`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const reviewId = await desk.proposed()
      const requestId = await requestIdOf(desk, reviewId)
      const { resolution } = await done(one, desk.approver, 'approve', reviewId)
      const same = await override(other, desk.approver.key, requestId, goodProposal)
      assert.equal(same.status, 200)
      assert.equal(same.body.override_id, resolution.override_id)
      assert.deepEqual(same.body.created_by, desk.proposer.shown)
      assert.equal((await overridesOf(one, requestId)).length, 1)
      assert.equal((await desk.show(reviewId)).status, 'approved')
    })
  })
}
