/** Overrides are write-once in the database itself, whoever connects to it. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

const rest = 'owner_id, key_id, action, reason_code, justification, original_decision, created_at_ms'
const columns = `request_id, override_id, ${rest}`
const forged = "owner_id, key_id, 'REJECT', reason_code, 'forged', original_decision, created_at_ms"
/** The first override again, with an id or two of its own. */
const again = (requestId: string, overrideId: string): string =>
  `SELECT ${requestId}, ${overrideId}, ${forged} FROM overrides WHERE request_id = (SELECT min(request_id) FROM overrides)`

interface Kept {
  readonly databaseUrl: string
  /** The ids of the first of two overrides. */
  readonly requestId: string
  readonly overrideId: string
}

/** Two overrides stand; a stranger works at the database; the overrides must stand as before. */
async function withOverrides(engine: Engine, work: (kept: Kept) => Promise<void>): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    const first = await override(harness, key, requestId, { justification: 'the first' })
    await override(harness, key, await degraded(harness, key), { justification: 'the second' })
    const before = await harness.get(key, '/api/verifications')
    await work({
      databaseUrl: harness.databaseUrl,
      requestId,
      overrideId: String(first.body.override_id),
    })
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, before.body)
  })
}

test('sqlite: no statement changes, deletes or replaces an override, on a connection without our settings', async () => {
  await withOverrides('sqlite', async ({ databaseUrl, requestId, overrideId }) => {
    const stranger = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    try {
      stranger.exec('PRAGMA recursive_triggers=off')
      const { rowid } = stranger.prepare('SELECT min(rowid) AS rowid FROM overrides').get() as {
        rowid: number
      }
      for (const sql of [
        "UPDATE overrides SET action = 'REJECT'",
        "UPDATE OR REPLACE overrides SET justification = 'forged'",
        `UPDATE OR REPLACE overrides SET override_id = '${overrideId}'`,
        'UPDATE overrides SET rowid = rowid + 100',
        'DELETE FROM overrides',
        `DELETE FROM overrides WHERE request_id = '${requestId}'`,
        `INSERT OR REPLACE INTO overrides (${columns}) ${again('request_id', "'ovr_new'")}`,
        `INSERT OR REPLACE INTO overrides (${columns}) ${again("'SVC-NEW'", 'override_id')}`,
        `REPLACE INTO overrides (${columns}) ${again('request_id', 'override_id')}`,
        `REPLACE INTO overrides (rowid, ${columns}) ${again("'SVC-NEW'", "'ovr_new'").replace('SELECT', `SELECT ${rowid},`)}`,
        `INSERT INTO overrides (${columns}) ${again('request_id', "'ovr_new'")} ON CONFLICT (request_id) DO UPDATE SET action = 'REJECT'`,
        `INSERT INTO overrides (${columns}) ${again("'SVC-NEW'", 'override_id')} ON CONFLICT (override_id) DO UPDATE SET action = 'REJECT'`,
        `INSERT INTO overrides (${columns}) ${again('request_id', "'ovr_new'")}`,
      ]) {
        assert.throws(() => stranger.exec(sql), /write-once/, sql)
      }
    } finally {
      stranger.close()
    }
  })
})

test('postgres: no statement changes, deletes, replaces or truncates an override, not even of a replica', async () => {
  await withOverrides('postgres', async ({ databaseUrl, requestId }) => {
    const stranger = new pg.Client({ connectionString: databaseUrl })
    await stranger.connect()
    try {
      for (const role of ['origin', 'replica']) {
        await stranger.query(`SET session_replication_role = ${role}`)
        for (const sql of [
          "UPDATE overrides SET action = 'REJECT'",
          "UPDATE overrides SET override_id = 'ovr_new' WHERE request_id = (SELECT min(request_id) FROM overrides)",
          'DELETE FROM overrides',
          `DELETE FROM overrides WHERE request_id = '${requestId}'`,
          'TRUNCATE overrides',
          'TRUNCATE overrides CASCADE',
          `INSERT INTO overrides (${columns}) ${again('request_id', "'ovr_new'")} ON CONFLICT (request_id) DO UPDATE SET action = 'REJECT'`,
          `INSERT INTO overrides (${columns}) ${again("'SVC-NEW'", 'override_id')} ON CONFLICT (override_id) DO UPDATE SET action = 'REJECT'`,
          `MERGE INTO overrides o USING (SELECT 1) s ON o.request_id = '${requestId}' WHEN MATCHED THEN DELETE`,
        ]) {
          await assert.rejects(stranger.query(sql), /write-once/, `${role}: ${sql}`)
        }
        for (const ids of [again('request_id', "'ovr_new'"), again("'SVC-NEW'", 'override_id')]) {
          const sql = `INSERT INTO overrides (${columns}) ${ids}`
          await assert.rejects(stranger.query(sql), /duplicate key/, `${role}: ${sql}`)
        }
      }
    } finally {
      await stranger.end()
    }
  })
})
