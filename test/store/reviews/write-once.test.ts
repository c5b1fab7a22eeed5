/** Changes of reviews are write-once in the database itself, whoever connects to it. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { deskOn, done } from '../../helpers/reviews.ts'

const rest = 'owner_id, request_id, kind, at_ms'
const columns = `change_id, review_id, number, ${rest}`
/** The first change again, with some ids of its own. */
const again = (changeId: string, reviewId: string, number: string): string =>
  `SELECT ${changeId}, ${reviewId}, ${number}, ${rest} FROM review_changes WHERE number = 1`

/** A review with three changes stands; a stranger works at the database; all must stand as before. */
async function withReview(engine: Engine, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.proposed()
    await done(harness, desk.approver, 'reject', reviewId)
    const before = await desk.show(reviewId)
    await work(harness.databaseUrl)
    assert.deepEqual(await desk.show(reviewId), before)
  })
}

test('sqlite: no statement changes, deletes or replaces a change, on a connection without our settings', async () => {
  await withReview('sqlite', async (databaseUrl) => {
    const stranger = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    try {
      stranger.exec('PRAGMA recursive_triggers=off')
      for (const sql of [
        "UPDATE review_changes SET kind = 'approved'",
        "UPDATE review_changes SET principal_id = 'forged' WHERE number = 2",
        "UPDATE OR REPLACE review_changes SET change_id = 'rvc_new' WHERE number = 1",
        'UPDATE review_changes SET rowid = rowid + 100',
        'DELETE FROM review_changes',
        'DELETE FROM review_changes WHERE number = 3',
        `INSERT OR REPLACE INTO review_changes (${columns}) ${again('change_id', 'review_id', 'number')}`,
        `REPLACE INTO review_changes (${columns}) ${again("'rvc_new'", 'review_id', '3')}`,
        `REPLACE INTO review_changes (${columns}) ${again('change_id', "'rev_new'", '1')}`,
        `INSERT INTO review_changes (${columns}) ${again('change_id', 'review_id', 'number')}
          ON CONFLICT (change_id) DO UPDATE SET kind = 'approved'`,
        `INSERT INTO review_changes (${columns}) ${again("'rvc_new'", 'review_id', '2')}
          ON CONFLICT (review_id, number) DO UPDATE SET kind = 'approved'`,
      ]) {
        assert.throws(() => stranger.exec(sql), /write-once/, sql)
      }
    } finally {
      stranger.close()
    }
  })
})

test('postgres: no statement changes, deletes, replaces or truncates a change, not even of a replica', async () => {
  await withReview('postgres', async (databaseUrl) => {
    const stranger = new pg.Client({ connectionString: databaseUrl })
    await stranger.connect()
    try {
      for (const role of ['origin', 'replica']) {
        await stranger.query(`SET session_replication_role = ${role}`)
        for (const sql of [
          "UPDATE review_changes SET kind = 'approved'",
          "UPDATE review_changes SET principal_id = 'forged' WHERE number = 2",
          'DELETE FROM review_changes',
          'DELETE FROM review_changes WHERE number = 3',
          'TRUNCATE review_changes',
          'TRUNCATE review_changes CASCADE',
          `INSERT INTO review_changes (${columns}) ${again('change_id', 'review_id', 'number')}
            ON CONFLICT (change_id) DO UPDATE SET kind = 'approved'`,
          `INSERT INTO review_changes (${columns}) ${again("'rvc_new'", 'review_id', '2')}
            ON CONFLICT (review_id, number) DO UPDATE SET kind = 'approved'`,
          `MERGE INTO review_changes c USING (SELECT 1) s ON c.number = 2 WHEN MATCHED THEN DELETE`,
        ]) {
          await assert.rejects(stranger.query(sql), /write-once/, `${role}: ${sql}`)
        }
        for (const row of [again('change_id', "'rev_new'", '9'), again("'rvc_new'", 'review_id', '3')]) {
          const sql = `INSERT INTO review_changes (${columns}) ${row}`
          await assert.rejects(stranger.query(sql), /duplicate key/, `${role}: ${sql}`)
        }
      }
    } finally {
      await stranger.end()
    }
  })
})
