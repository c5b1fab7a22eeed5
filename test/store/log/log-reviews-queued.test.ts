/** The check of reviews beside a server at work, and with entries that somebody else put into the queue. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { Override } from '../../../src/app/ports/records.ts'
import type { CheckedReview, ReviewChange } from '../../../src/app/ports/reviews.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { done, type Clerk } from '../../helpers/reviews.ts'
import { withReviews, type Run } from './review-scene.ts'

for (const engine of engines) {
  test(`${engine}: a change that was put into the queue is sealed, and named if it does not fit those before it`, async () => {
    await withReviews(engine, async ({ harness, made, run, findings }) => {
      const forge = async (reviewId: string, change: Partial<ReviewChange>): Promise<void> => {
        await insertForged(run, await reviewIn(harness.store, reviewId), change)
      }
      await forge(made.expired, { kind: 'approved' })
      await forge(made.commented, { kind: 'approved' })
      await forge(made.proposed, { kind: 'approved', proposalId: 'rvc_other', overrideId: 'ovr_other' })
      await forge(made.rejected, { kind: 'overridden' })
      await harness.seal()
      const unfit = [made.expired, made.commented, made.proposed, made.rejected]
      assert.deepEqual(
        await findings(),
        unfit.toSorted().map((id) => `review ${id}: has a change that cannot come where it is`),
      )
    })
  })

  test(`${engine}: an override that was put into the queue with an approval that nobody gave is named`, async () => {
    await withReviews(engine, async ({ harness, desk, made, run, findings }) => {
      const review = await reviewIn(harness.store, made.proposed)
      await insertOverride(run, review, desk.approver)
      await harness.seal()
      assert.deepEqual(await findings(), [
        `review ${made.proposed}: has another end than the override of its decision`,
      ])
    })
  })

  test(`${engine}: the check counts changes of reviews, and waits for none of them`, async () => {
    await withReviews(engine, async ({ harness, desk, made }) => {
      const before = await checkedLog(harness.store)
      const [{ count } = { count: 0 }] = await rowsOf(
        harness.databaseUrl,
        'SELECT COUNT(*) AS count FROM review_changes',
      )
      assert.equal(before.reviews, Number(count))
      await done(harness, desk.proposer, 'comment', made.proposed)
      const { reviews, waiting, findings } = await checkedLog(harness.store)
      assert.deepEqual([reviews, waiting, findings], [before.reviews, 1, []])
    })
  })

  test(`${engine}: a review that changes between the reads of the check is no finding`, async () => {
    await withReviews(engine, async ({ harness, desk, made }) => {
      const { store } = harness
      const reviewers = [desk.proposer, desk.approver]
      let turns = 0
      // Each of the first reads of the row is older than its changes.
      const stale = async (page: CheckedReview[]): Promise<CheckedReview[]> => {
        const place = page.findIndex(({ reviewId }) => reviewId === made.commented)
        const review = page[place]
        if (review === undefined || turns === 4) return page
        const by = reviewers[Math.floor(turns / 2) % 2] ?? desk.proposer
        await done(harness, by, turns % 2 === 0 ? 'claim' : 'release', made.commented)
        turns += 1
        const { changes } = await reviewIn(store, made.commented)
        return page.with(place, { ...review, changes })
      }
      const busy: Store = {
        ...store,
        reviews: {
          ...store.reviews,
          page: async (afterId, limit) => stale(await store.reviews.page(afterId, limit)),
        },
      }
      assert.deepEqual((await checkedLog(busy)).findings, [])
      assert.equal(turns, 4)
    })
  })
}

async function reviewIn({ reviews }: Store, reviewId: string): Promise<CheckedReview> {
  const all = await reviews.page('', 100)
  return all.find((review) => review.reviewId === reviewId) ?? assert.fail(reviewId)
}

type Columns = Readonly<Record<string, string | number | null>>

/** Writes a row with its entry, as somebody who knows how the service does it. */
async function insertSealed(run: Run, table: string, columns: Columns, leafHash: string): Promise<void> {
  const names = Object.keys(columns)
  const places = names.map((_, place) => `$${place + 1}`)
  await run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(columns),
  )
  await run('INSERT INTO journal_queue (entries) VALUES ($1)', [`${Object.values(columns)[0]} ${leafHash}`])
}

/** An override of a review that was proposed, as if its approver had approved it. */
async function insertOverride(run: Run, review: CheckedReview, { keyId }: Clerk): Promise<void> {
  const proposal = review.changes.at(-1)?.by ?? assert.fail('no proposal')
  const { reviewId, requestId, ownerId, verdict } = review
  const approval = { reviewId, keyId, personId: null, principalId: keyId, actorName: '' }
  const forged: Override = {
    ...proposal,
    form: 2,
    overrideId: `ovr_${'z'.repeat(10)}${reviewId.slice(-16)}`,
    requestId,
    ownerId,
    action: 'EXECUTE',
    reasonCode: 'PAYEE_CONFIRMED',
    justification: null,
    personalText: null,
    originalVerdict: verdict,
    createdAtMs: 1,
    approval,
  }
  const columns = {
    override_id: forged.overrideId,
    request_id: requestId,
    owner_id: ownerId,
    key_id: forged.keyId,
    action: forged.action,
    reason_code: forged.reasonCode,
    justification: '',
    original_decision: verdict,
    created_at_ms: forged.createdAtMs,
    form: 2,
    principal_id: forged.principalId,
    review_id: reviewId,
    approved_key_id: keyId,
    approved_principal_id: keyId,
  }
  await insertSealed(run, 'overrides', columns, leafHashes.override(forged))
}

/** A further change of a review, with the row as it then would be. */
async function insertForged(run: Run, review: CheckedReview, change: Partial<ReviewChange>): Promise<void> {
  const last = review.changes.at(-1) ?? assert.fail()
  const forged: ReviewChange = {
    ...last,
    changeId: `rvc_${'z'.repeat(10)}${review.reviewId.slice(-16)}`,
    number: last.number + 1,
    by: null,
    action: null,
    reasonCode: null,
    text: null,
    personalText: null,
    proposalId: null,
    overrideId: null,
    dueAtMs: null,
    expiresAtMs: null,
    ...change,
  }
  const columns = {
    change_id: forged.changeId,
    review_id: forged.reviewId,
    number: forged.number,
    owner_id: forged.ownerId,
    request_id: forged.requestId,
    kind: forged.kind,
    proposal_id: forged.proposalId,
    override_id: forged.overrideId,
    at_ms: forged.atMs,
  }
  await run(
    `UPDATE reviews SET status = '${forged.kind}', version = ${forged.number} WHERE review_id = '${review.reviewId}'`,
  )
  await insertSealed(run, 'review_changes', columns, leafHashes.review(forged))
}
