/** An upgrade opens nothing for decisions of before; what comes after it has reviews, repeats of an old block included. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviews as migration } from '../../../src/adapters/store/engine/schema/reviews.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import {
  act,
  clerkOf,
  decided,
  done,
  idsIn,
  payments,
  readReviews,
  refusalOf,
  reviewOf,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'
import { copyRows, olderDatabase } from '../engine/older-schema.ts'

/** Tables that a decision of before is in; the log as far as it has numbers. */
const tables = ['api_keys', 'verifications', 'personal_texts', 'cooldowns', 'log_blocks', 'log_head'] as const

/** The database of this service, as the version before would have left it. */
async function makeOlder(engine: Engine, { databaseUrl, clock }: Harness): Promise<FreshDatabase> {
  const older = await olderDatabase(engine, migration.number - 1, clock.nowMs())
  await withDirectDatabase(older.url, ({ run }) => run('DELETE FROM log_head'))
  for (const table of tables) await copyRows(databaseUrl, older.url, table)
  return older
}

for (const engine of engines) {
  test(`${engine}: decisions of before have no review, later ones do, and old ones can still be overridden`, async () => {
    const clock = new ManualClock()
    await withHarness({ engine, clock, settings: unlimited }, async (before) => {
      const issued = await before.issue()
      const { key } = issued
      const old = await decided(before, key, payments.degraded, 'DEGRADED')
      const block = await decided(before, key, payments.blocked, 'NO-GO')
      await before.journal.sequenced()
      const older = await makeOlder(engine, before)
      const upgraded = await assemble(older.url, clock, { engine, settings: unlimited })
      try {
        const clerk = clerkOf(issued)
        assert.deepEqual(await readReviews(upgraded, clerk), { reviews: [], next_cursor: null })
        for (const { request_id: id } of [old, block])
          assert.equal((await upgraded.get(key, `/api/v1/reviews/${reviewOf(id)}`)).status, 404)

        clock.advance(1_000)
        const later = reviewOf((await decided(upgraded, key, payments.degraded, 'DEGRADED')).request_id)
        // Its source is from before reviews: a repeat then gets a review of its own.
        const repeat = await decided(upgraded, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
        assert.equal(repeat.cooldown.source_request_id, block.request_id)
        const ids = [later, reviewOf(repeat.request_id)]
        const { reviews } = await readReviews(upgraded, clerk)
        assert.deepEqual(idsIn({ reviews }).toSorted(), ids.toSorted())
        assert.equal((await done(upgraded, clerk, 'claim', reviewOf(repeat.request_id))).repeats, 0)

        assert.equal((await override(upgraded, key, old.request_id)).status, 200)
        assert.equal((await readReviews(upgraded, clerk)).reviews.length, 2)
        assert.equal((await act(upgraded, clerk, 'claim', reviewOf(old.request_id))).status, 404)
        assert.equal((await rowsOf(older.url, 'SELECT 1 FROM reviews')).length, 2)
      } finally {
        await upgraded.close()
        await older.drop()
      }
    })
  })

  test(`${engine}: where overrides need a review, a repeat of an old block is sent to its own, and an old decision is verified again`, async () => {
    const clock = new ManualClock()
    await withHarness({ engine, clock, settings: unlimited }, async (before) => {
      const { key } = await before.issue()
      const block = await decided(before, key, payments.blocked, 'NO-GO')
      await before.journal.sequenced()
      const older = await makeOlder(engine, before)
      const settings = { ...unlimited, FAIRWAY_OVERRIDE_REQUIRES_REVIEW: 'true' }
      const upgraded = await assemble(older.url, clock, { engine, settings })
      try {
        clock.advance(1_000)
        const repeat = await decided(upgraded, key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
        const refused = await override(upgraded, key, repeat.request_id)
        assert.deepEqual(refusalOf(refused), [403, 'REVIEW_REQUIRED'])
        const [named = ''] = /rev_\w+/.exec(refused.body.message) ?? []
        assert.equal((await upgraded.get(key, `/api/v1/reviews/${named}`)).status, 200, named)
        const old = await override(upgraded, key, block.request_id)
        assert.deepEqual(refusalOf(old), [403, 'REVIEW_REQUIRED'])
        assert.match(old.body.message, /no open review: verify the payment again/)
      } finally {
        await upgraded.close()
        await older.drop()
      }
    })
  })
}
