/** Many at once: one claim wins, one proposal stands, and a decision never has two overrides, on any number of instances. */

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
  successorOf,
  type Clerk,
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

const racersOf = (desk: Desk, count: number): Promise<Clerk[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => desk.hire(`racer ${place}`)))

/** Every racer at once, on the instances by turns. */
const race = (
  instances: readonly Harness[],
  racers: readonly Clerk[],
  work: (harness: Harness, racer: Clerk, place: number) => Promise<Answer>,
): Promise<Answer[]> =>
  Promise.all(
    racers.map((racer, place) => work(instances[place % instances.length] ?? assert.fail(), racer, place)),
  )

const kindsIn = ({ history }: Answer['body']): string[] =>
  (history as { kind: string }[]).map(({ kind }) => kind)

for (const engine of engines) {
  test(`${engine}: of 20 principals that claim at once exactly one wins, and each other one is answered with its name`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const racers = await racersOf(desk, 20)
      for (let round = 0; round < 4; round += 1) {
        const reviewId = await desk.open()
        const answers = await race([one, other], racers, (harness, racer) =>
          act(harness, racer, 'claim', reviewId),
        )
        const won = answers.findIndex(({ status }) => status === 200)
        const winner = racers[won] ?? assert.fail('nobody won')
        const { shown } = winner
        assert.deepEqual(answers[won]?.body.claimed_by, shown)
        for (const refused of answers.toSpliced(won, 1)) {
          assert.deepEqual(refusalOf(refused), conflict)
          assert.equal(refused.body.message, `This review is claimed by ${shown.name} (${shown.id}).`)
        }
        for (const harness of [one, other]) {
          const review = await readReviews(harness, desk.proposer, `/${reviewId}`)
          assert.deepEqual([review.status, review.claimed_by], ['claimed', shown])
          assert.deepEqual(kindsIn(review), ['opened', 'claimed'])
        }
      }
    })
  })

  test(`${engine}: one principal that claims 20 times at once, also by a rotated key, has claimed once`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const keys = [desk.proposer, await successorOf(one, desk.proposer)]
      const reviewId = await desk.open()
      const racers = Array.from({ length: 20 }, (_, place) => keys[place % 3 === 0 ? 1 : 0] ?? assert.fail())
      const answers = await race([one, other], racers, (harness, racer) =>
        act(harness, racer, 'claim', reviewId),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.claimed_by))).size, 1)
      assert.deepEqual(kindsIn(await desk.show(reviewId)), ['opened', 'claimed'])
    })
  })

  test(`${engine}: 20 comments at once are all kept, and 20 proposals at once leave one`, async () => {
    await withTwo(engine, async (desk, one, other) => {
      const racers = await racersOf(desk, 20)
      const reviewId = await desk.open()
      const commented = await race([one, other], racers, (harness, racer, place) =>
        act(harness, racer, 'comment', reviewId, { text: `Comment ${place}.` }),
      )
      assert.deepEqual(new Set(commented.map(({ status }) => status)), new Set([200]))
      const texts = ((await desk.show(reviewId)).comments as { text: string }[]).map(({ text }) => text)
      assert.deepEqual(texts.toSorted(), racers.map((_, place) => `Comment ${place}.`).toSorted())
      const proposed = await race([one, other], racers, (harness, racer) =>
        act(harness, racer, 'propose', reviewId),
      )
      const won = proposed.findIndex(({ status }) => status === 200)
      const { shown } = racers[won] ?? assert.fail('nobody won')
      for (const refused of proposed.toSpliced(won, 1)) assert.deepEqual(refusalOf(refused), conflict)
      const review = await desk.show(reviewId)
      assert.deepEqual([review.status, review.claimed_by], ['proposed', shown])
      assert.deepEqual(review.proposal.proposed_by, shown)
      assert.equal(kindsIn(review).filter((kind) => kind === 'proposed').length, 1)
    })
  })

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
