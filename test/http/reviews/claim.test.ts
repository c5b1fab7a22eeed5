/** Claim and release: a review is one principal's at a time, whoever comes at once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { anotherSession, person, unlimited } from '../../helpers/people.ts'
import {
  act,
  conflict,
  deskOn,
  done,
  readReviews,
  refusalOf,
  successorOf,
  type Clerk,
  type Desk,
} from '../../helpers/reviews.ts'

/** Two instances share a PostgreSQL; an embedded store has one. */
async function withInstances(
  engine: Engine,
  work: (desk: Desk, instances: readonly Harness[]) => Promise<void>,
): Promise<void> {
  await withHarness({ engine, settings: unlimited }, async (harness) => {
    const instances = engine === 'postgres' ? [harness, await harness.sibling()] : [harness]
    try {
      await work(await deskOn(harness), instances)
    } finally {
      for (const other of instances.slice(1)) await other.close()
    }
  })
}

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
    await withInstances(engine, async (desk, instances) => {
      const racers = await racersOf(desk, 20)
      for (let round = 0; round < 4; round += 1) {
        const reviewId = await desk.open()
        const answers = await race(instances, racers, (harness, racer) =>
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
        for (const harness of instances) {
          const review = await readReviews(harness, desk.proposer, `/${reviewId}`)
          assert.deepEqual([review.status, review.claimed_by], ['claimed', shown])
          assert.deepEqual(kindsIn(review), ['opened', 'claimed'])
        }
      }
    })
  })

  test(`${engine}: one principal that claims 20 times at once, also by a rotated key, has claimed once`, async () => {
    await withInstances(engine, async (desk, instances) => {
      const [first = assert.fail()] = instances
      const keys = [desk.proposer, await successorOf(first, desk.proposer)]
      const reviewId = await desk.open()
      const racers = Array.from({ length: 20 }, (_, place) => keys[place % 3 === 0 ? 1 : 0] ?? assert.fail())
      const answers = await race(instances, racers, (harness, racer) =>
        act(harness, racer, 'claim', reviewId),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.claimed_by))).size, 1)
      assert.deepEqual(kindsIn(await desk.show(reviewId)), ['opened', 'claimed'])
    })
  })

  test(`${engine}: 20 comments at once are all kept, and 20 proposals at once leave one`, async () => {
    await withInstances(engine, async (desk, instances) => {
      const [first = assert.fail()] = instances
      const racers = await racersOf(desk, 20)
      const reviewId = await desk.open()
      const commented = await race(instances, racers, (harness, racer, place) =>
        act(harness, racer, 'comment', reviewId, { text: `Comment ${place}.` }),
      )
      assert.deepEqual(new Set(commented.map(({ status }) => status)), new Set([200]))
      const texts = ((await desk.show(reviewId)).comments as { text: string }[]).map(({ text }) => text)
      assert.deepEqual(texts.toSorted(), racers.map((_, place) => `Comment ${place}.`).toSorted())
      const proposed = await race(instances, racers, (harness, racer) =>
        act(harness, racer, 'propose', reviewId),
      )
      const won = proposed.findIndex(({ status }) => status === 200)
      const { shown } = racers[won] ?? assert.fail('nobody won')
      for (const refused of proposed.toSpliced(won, 1)) assert.deepEqual(refusalOf(refused), conflict)
      const review = await desk.show(reviewId)
      assert.deepEqual([review.status, review.claimed_by], ['proposed', shown])
      assert.deepEqual(review.proposal.proposed_by, shown)
      assert.equal(kindsIn(review).filter((kind) => kind === 'proposed').length, 1)
      await first.seal()
      assert.deepEqual((await checkedLog(first.store)).findings, [])
    })
  })

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
