/** Outcomes are write-once in the database itself, whoever connects to it. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'

const columns = 'request_id, is_final, owner_id, key_id, mode, corridor, outcome, reported_at_ms, ended_at_ms'
const again = `SELECT request_id, is_final, owner_id, key_id, mode, corridor, 'FAILED', 0, 0 FROM outcomes`

/** An outcome and a pending one stand; a stranger works at the database; they must stand as before. */
async function withOutcomes(engine: Engine, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    for (const outcome of ['COMPLETED', 'PENDING']) {
      const { body } = await harness.verify(key, { corridor: 'GB-NG' })
      assert.equal((await report(harness, key, String(body.request_id), { outcome })).status, 200)
    }
    const before = await harness.get(key, '/api/verifications')
    await work(harness.databaseUrl)
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, before.body)
  })
}

test('sqlite: no statement changes, deletes or replaces an outcome, on a connection without our settings', async () => {
  await withOutcomes('sqlite', async (databaseUrl) => {
    const stranger = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    try {
      stranger.exec('PRAGMA recursive_triggers=off')
      for (const sql of [
        "UPDATE outcomes SET outcome = 'FAILED'",
        "UPDATE OR REPLACE outcomes SET outcome = 'FAILED'",
        'DELETE FROM outcomes',
        `REPLACE INTO outcomes (${columns}) ${again}`,
        `INSERT INTO outcomes (${columns}) ${again} WHERE true ON CONFLICT DO UPDATE SET outcome = 'FAILED'`,
        `INSERT INTO outcomes (${columns}) ${again.replace('is_final', '0').replace('FROM outcomes', 'FROM outcomes WHERE is_final = 1')}`,
      ]) {
        assert.throws(() => stranger.exec(sql), /write-once/, sql)
      }
    } finally {
      stranger.close()
    }
  })
})

test('postgres: no statement changes, deletes or truncates an outcome, not even of a replica', async () => {
  await withOutcomes('postgres', async (databaseUrl) => {
    const stranger = new pg.Client({ connectionString: databaseUrl })
    await stranger.connect()
    try {
      for (const role of ['origin', 'replica']) {
        await stranger.query(`SET session_replication_role = ${role}`)
        for (const sql of [
          "UPDATE outcomes SET outcome = 'FAILED'",
          'DELETE FROM outcomes',
          'TRUNCATE outcomes',
          `INSERT INTO outcomes (${columns}) ${again} ON CONFLICT (request_id, is_final) DO UPDATE SET outcome = 'FAILED'`,
        ]) {
          await assert.rejects(stranger.query(sql), /write-once/, sql)
        }
      }
    } finally {
      await stranger.end()
    }
  })
})
