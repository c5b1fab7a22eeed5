/** The follower of reviews: every decision takes effect once, whoever fails, repeats or follows at the same time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sequenceAll } from '../../../src/app/followers/catch-up.ts'
import type { ReviewEffects } from '../../../src/app/ports/reviews.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, unguarded } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { decided, deskOn, followReviewsOn, payments, reviewOf, type Desk } from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

const never = (): boolean => false

interface Kept {
  readonly position: number
  /** The kinds of changes and the repeats of each review. */
  readonly reviews: Readonly<Record<string, string>>
}

/** All that the follower writes, as stored. */
async function kept({ databaseUrl }: Harness): Promise<Kept> {
  const [follower] = await rowsOf(databaseUrl, 'SELECT position FROM review_follower')
  const reviews = await rowsOf(databaseUrl, 'SELECT review_id, repeats FROM reviews ORDER BY review_id')
  const changes = await rowsOf(databaseUrl, 'SELECT review_id, kind FROM review_changes ORDER BY number')
  const byReview = Map.groupBy(changes, (row) => row['review_id'])
  return {
    position: Number(follower?.['position']),
    reviews: Object.fromEntries(
      reviews.map(({ review_id: id, repeats }) => {
        const kinds = (byReview.get(id) ?? []).map(({ kind }) => String(kind))
        return [String(id), [...kinds, String(repeats)].join(' ')]
      }),
    ),
  }
}

/** Entries of every kind that counts, each at its own moment: returns what must come of them. */
async function record(harness: Harness, { proposer }: Desk): Promise<Record<string, string>> {
  const { key } = proposer
  const next = async (payment: object, verdict: 'GO' | 'DEGRADED' | 'NO-GO'): Promise<string> => {
    harness.clock.advance(1_000)
    return String((await decided(harness, key, payment, verdict)).request_id)
  }
  await next(payments.healthy, 'GO')
  const confirm = await next(payments.confirmPayee, 'GO')
  const degraded = await next(payments.degraded, 'DEGRADED')
  const source = await next(payments.blocked, 'NO-GO')
  await next({ corridor: 'GB-NG', amount: 5 }, 'NO-GO')
  assert.equal((await override(harness, key, degraded)).status, 200)
  await next({ corridor: 'GB-NG', amount: 6 }, 'NO-GO')
  return {
    [reviewOf(confirm)]: 'opened 0',
    [reviewOf(degraded)]: 'opened overridden 0',
    [reviewOf(source)]: 'opened 2',
  }
}

const nothing: ReviewEffects = { opened: [], repeated: [], closed: [] }

for (const engine of engines) {
  test(`${engine}: a batch that is written again, or from another position, changes nothing`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { store, clock } = harness
      const expected = await record(harness, await deskOn(harness))
      const target = await sequenceAll(store.journal)
      const { from, to } = await store.reviews.entries()
      assert.equal(from, 0)
      await followReviewsOn(store, clock)(target, never)
      const after = await kept(harness)
      assert.deepEqual(after, { position: target, reviews: expected })
      for (const old of [0, to - 1, target + 1])
        assert.equal(await store.reviews.followed(old, to, nothing), false, `from ${old}`)
      await followReviewsOn(store, clock)(target, never)
      assert.deepEqual((await kept(harness)).reviews, expected)
    })
  })

  test(`${engine}: instances that follow at once, while decisions go on, open and count each once`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const other = await harness.sibling()
      try {
        const desk = await deskOn(harness)
        const expected = await record(harness, desk)
        const follow = async ({ store, clock }: Harness): Promise<void> =>
          followReviewsOn(store, clock)(await sequenceAll(store.journal), never)
        const followers = Array.from({ length: 5 }, () => [follow(harness), follow(other)]).flat()
        harness.clock.advance(90_000)
        const [more] = await Promise.all([record(other, desk), ...followers])
        await Promise.all([follow(harness), follow(other)])
        assert.deepEqual((await kept(harness)).reviews, { ...expected, ...more })
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [])
      } finally {
        await other.close()
      }
    })
  })

  for (const change of [
    'INSERT ON review_changes',
    'INSERT ON reviews',
    'UPDATE ON reviews',
    'UPDATE ON review_follower',
    'INSERT ON journal_queue',
  ] as const) {
    test(`${engine}: a run that fails at an ${change.toLowerCase()} leaves nothing, and goes on later`, async () => {
      await withHarness({ engine, settings: unlimited }, async (harness) => {
        const { store, clock } = harness
        const expected = await record(harness, await deskOn(harness))
        const target = await sequenceAll(store.journal)
        const follow = followReviewsOn(store, clock)
        await withBrokenTable(harness.databaseUrl, change, async () => {
          await assert.rejects(follow(target, never))
          await assert.rejects(follow(target, never), 'a second try is no better')
        })
        assert.deepEqual(await kept(harness), { position: 0, reviews: {} })
        await follow(target, never)
        assert.deepEqual((await kept(harness)).reviews, expected)
      })
    })
  }

  test(`${engine}: a run is bounded, and the next one begins where it ended`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { store, clock } = harness
      const { proposer } = await deskOn(harness)
      const ids: string[] = []
      for (let count = 0; count < 30; count += 1) {
        clock.advance(1_000)
        ids.push(reviewOf((await decided(harness, proposer.key, payments.degraded, 'DEGRADED')).request_id))
      }
      const target = await sequenceAll(store.journal)
      await followReviewsOn(store, clock)(target, () => true)
      const { position, reviews } = await kept(harness)
      assert.ok(position > 0 && position < target, String(position))
      assert.deepEqual(Object.keys(reviews), ids.slice(0, position).toSorted())
      await followReviewsOn(store, clock)(target, never)
      assert.deepEqual(Object.keys((await kept(harness)).reviews), ids.toSorted())
    })
  })

  test(`${engine}: an entry that is missing stops the follower in front of it, and is never skipped`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { store, clock } = harness
      const expected = await record(harness, await deskOn(harness))
      const target = await sequenceAll(store.journal)
      const follow = followReviewsOn(store, clock)
      await unguarded(harness.databaseUrl, async ({ run }) => {
        const [block = assert.fail()] = await run('SELECT * FROM log_blocks WHERE first_leaf = 3')
        await run('DELETE FROM log_blocks WHERE first_leaf = 3')
        await assert.rejects(follow(target, never), /reviews cannot pass entry 3: it is missing/)
        await assert.rejects(follow(target, never), /reviews cannot pass entry 3: it is missing/)
        assert.ok((await kept(harness)).position <= 3)
        await run('INSERT INTO log_blocks (first_leaf, slot, entries) VALUES ($1, $2, $3)', [
          3,
          String(block['slot']),
          String(block['entries']),
        ])
      })
      await follow(target, never)
      assert.deepEqual((await kept(harness)).reviews, expected)
    })
  })
}
