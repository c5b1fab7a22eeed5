/** The store of reviews, on either engine: a change is the next one or none, and an approval comes with its override or not at all. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { keepApart } from '../../../src/app/log/personal-text.ts'
import type { Override } from '../../../src/app/ports/records.ts'
import type { Review, ReviewChange, ReviewQuery } from '../../../src/app/ports/reviews.ts'
import { serviceChange } from '../../../src/app/review/follow.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import { reviewStatuses, stateOf, type ReviewStatus } from '../../../src/core/review/life.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { deskOn, type Desk } from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

interface Scene {
  readonly harness: Harness
  readonly desk: Desk
  readonly find: (reviewId: string) => Promise<Review>
  /** The next change of a review, by the proposer. */
  readonly next: (review: Review, change: Partial<ReviewChange>) => ReviewChange
  readonly append: (
    change: ReviewChange,
    status: ReviewStatus,
    made?: Override,
  ) => Promise<'appended' | 'moved' | 'overridden'>
}

async function withScene(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  await withHarness({ engine, settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const { reviews } = harness.store.forOwner(desk.ownerId)
    const ids = createIds({ clock: harness.clock, random })
    const { keyId } = desk.proposer
    const by = { keyId, personId: null, principalId: keyId, actorName: 'proposer' }
    await work({
      harness,
      desk,
      find: async (reviewId) => (await reviews.find(reviewId)) ?? assert.fail('no review'),
      next: (review, change) => ({
        ...serviceChange('commented', review, ids),
        number: review.changes.length + 1,
        by,
        ...change,
      }),
      append: (change, status, made) => reviews.append(change, { status, claimedBy: keyId }, made ?? null),
    })
  })
}

function overrideOf({ requestId, ownerId, reviewId }: Review, change: ReviewChange): Override {
  const by = change.by ?? assert.fail('a change of the service')
  return {
    form: 2,
    overrideId: change.changeId.replace('rvc_', 'ovr_'),
    requestId,
    ownerId,
    ...by,
    action: 'EXECUTE',
    reasonCode: 'CODE',
    justification: 'Kept apart.',
    personalText: keepApart('Kept apart.', random),
    originalVerdict: 'DEGRADED',
    createdAtMs: change.atMs,
    approval: { ...by, reviewId },
  }
}

/** Every row that an approval writes. A read numbers what is queued, so this comes before it. */
async function written({ databaseUrl }: Harness): Promise<Record<string, number>> {
  const tables = ['review_changes', 'overrides', 'personal_texts', 'journal_queue', 'log_blocks']
  const counts: [string, number][] = []
  for (const name of tables) counts.push([name, (await rowsOf(databaseUrl, `SELECT 1 FROM ${name}`)).length])
  return Object.fromEntries(counts)
}

const everything: ReviewQuery = {
  statuses: reviewStatuses,
  corridor: null,
  verdict: null,
  mode: null,
  claimedBy: null,
  dueBeforeMs: null,
  nowMs: 0,
  after: null,
  limit: 100,
}

for (const engine of engines) {
  test(`${engine}: only the next change of a review is appended; any other leaves everything as it was`, async () => {
    await withScene(engine, async ({ harness, desk, find, next, append }) => {
      const review = await find(await desk.open())
      const text = 'Seen.'
      const made = next(review, { kind: 'commented', text, personalText: keepApart(text, random) })
      const before = await written(harness)
      for (const number of [1, 3, 99])
        assert.equal(await append({ ...made, number }, 'open'), 'moved', `number ${number}`)
      assert.deepEqual([await written(harness), await find(review.reviewId)], [before, review])
      assert.equal(await append(made, 'open'), 'appended')
      assert.deepEqual((await find(review.reviewId)).changes, [...review.changes, made])
      assert.equal(await append({ ...made, changeId: `${made.changeId}2` }, 'open'), 'moved')
    })
  })

  test(`${engine}: of many changes with one number exactly one is appended`, async () => {
    await withScene(engine, async ({ desk, find, next, append }) => {
      const review = await find(await desk.open())
      const results = await Promise.all(
        Array.from({ length: 12 }, () => append(next(review, { kind: 'claimed' }), 'claimed')),
      )
      assert.equal(results.filter((result) => result === 'appended').length, 1)
      assert.equal(results.filter((result) => result === 'moved').length, 11)
      const after = await find(review.reviewId)
      assert.deepEqual([after.changes.length, after.status], [2, 'claimed'])
    })
  })

  test(`${engine}: an approval of a decision that was overridden meanwhile writes nothing at all`, async () => {
    await withScene(engine, async ({ harness, desk, find, next, append }) => {
      const reviewId = await desk.proposed()
      const review = await find(reviewId)
      assert.equal((await override(harness, desk.proposer.key, review.requestId)).status, 200)
      // The follower has not passed the override: the review is as it was.
      const before = await written(harness)
      const change = next(review, {
        kind: 'approved',
        proposalId: stateOf(review.changes).proposal?.changeId ?? null,
      })
      const made = overrideOf(review, change)
      assert.equal(await append({ ...change, overrideId: made.overrideId }, 'approved', made), 'overridden')
      assert.deepEqual(await written(harness), before)
      assert.equal((await desk.show(reviewId)).status, 'overridden')
    })
  })

  test(`${engine}: an approval and its override are one: where one cannot be written, neither is`, async () => {
    await withScene(engine, async ({ harness, desk, find, next, append }) => {
      const review = await find(await desk.proposed())
      const change = next(review, { kind: 'approved' })
      const made = overrideOf(review, change)
      // The id of the change is taken: its insert fails after that of the override.
      const taken = review.changes[0]?.changeId ?? assert.fail()
      const before = await written(harness)
      await assert.rejects(append({ ...change, changeId: taken }, 'approved', made))
      assert.deepEqual([await written(harness), await find(review.reviewId)], [before, review])
      assert.equal(await append({ ...change, overrideId: made.overrideId }, 'approved', made), 'appended')
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT 1 FROM overrides')).length, 1)
    })
  })

  test(`${engine}: a closing is the next change, whatever came before, and a closed review stays as it is`, async () => {
    await withScene(engine, async ({ harness, desk, find, next, append }) => {
      const [one, two] = [await find(await desk.open()), await find(await desk.proposed())]
      const { store } = harness
      const closing = (review: Review, kind: 'expired' | 'overridden') => {
        const { number: _number, ...rest } = next(review, { kind, by: null })
        return rest
      }
      await store.reviews.close([closing(one, 'expired'), closing(two, 'overridden')])
      const after = [await find(one.reviewId), await find(two.reviewId)]
      assert.deepEqual(
        after.map(({ status, changes }) => [status, changes.map(({ number, kind }) => `${number} ${kind}`)]),
        [
          ['expired', ['1 opened', '2 expired']],
          ['overridden', ['1 opened', '2 proposed', '3 overridden']],
        ],
      )
      await store.reviews.close([closing(one, 'overridden'), closing(two, 'expired')])
      assert.deepEqual([await find(one.reviewId), await find(two.reviewId)], after)
      assert.equal(await append(next(one, { kind: 'claimed' }), 'claimed'), 'moved')
    })
  })

  test(`${engine}: another owner finds none of them, and no status finds none`, async () => {
    await withScene(engine, async ({ harness, desk, find }) => {
      const review = await find(await desk.open())
      const own = harness.store.forOwner(desk.ownerId).reviews
      const foreign = harness.store.forOwner('own_0000000000000000').reviews
      assert.deepEqual(await own.list(everything), [review])
      assert.deepEqual(await own.list({ ...everything, statuses: [] }), [])
      assert.equal(await foreign.find(review.reviewId), null)
      assert.deepEqual(await foreign.list(everything), [])
      assert.deepEqual(await foreign.waiting(null, harness.clock.nowMs()), [])
    })
  })
}
