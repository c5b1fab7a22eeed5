/** Records are write-once in the database itself, whoever connects to it. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { withHarness } from '../../helpers/harness.ts'

test('sqlite: no statement changes, deletes or replaces a record, on a connection without our settings', async () => {
  await withHarness({}, async ({ issue, verify, get, databaseUrl }) => {
    const { key } = await issue()
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 1 })
    const before = await get(key, `/api/v1/audit/${body.request_id}`)
    const stranger = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    stranger.exec('PRAGMA recursive_triggers=off')
    const { rowid } = stranger.prepare('SELECT rowid FROM verifications').get() as { rowid: number }
    const columns =
      'owner_id, key_id, mode, corridor, decision, score_hundredths, confidence_hundredths, amount, currency, correlation_id, evaluated_at_ms, recorded_at_ms, cooldown_source_id, answer, evidence'
    const forged = `SELECT owner_id, key_id, mode, corridor, 'NO-GO', 0, 0, 9, currency, correlation_id, evaluated_at_ms, recorded_at_ms, cooldown_source_id, answer, evidence FROM verifications`
    for (const sql of [
      "UPDATE verifications SET decision = 'NO-GO'",
      "UPDATE OR REPLACE verifications SET decision = 'NO-GO'",
      'DELETE FROM verifications',
      `INSERT OR REPLACE INTO verifications (request_id, ${columns}) ${forged.replace('SELECT', 'SELECT request_id,')}`,
      `REPLACE INTO verifications (rowid, request_id, ${columns}) SELECT ${rowid}, 'SVC-NEW', * FROM (${forged})`,
      `REPLACE INTO verifications (request_id, ${columns}) SELECT '${body.request_id}', * FROM (${forged})`,
      `INSERT INTO verifications (request_id, ${columns}) SELECT '${body.request_id}', * FROM (${forged}) WHERE true ON CONFLICT (request_id) DO UPDATE SET amount = 2`,
    ]) {
      assert.throws(() => stranger.exec(sql), /write-once/, sql)
    }
    stranger.exec(`INSERT INTO verifications (request_id, ${columns}) SELECT 'SVC-NEW', * FROM (${forged})`)
    stranger.close()
    assert.deepEqual((await get(key, `/api/v1/audit/${body.request_id}`)).body, before.body)
  })
})

test('postgres: no statement changes, deletes, replaces or truncates a record, on any partition', async () => {
  await withHarness({ engine: 'postgres' }, async ({ issue, verify, get, databaseUrl, clock }) => {
    const { key } = await issue()
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 1 })
    clock.advance(400 * 86_400_000) // Partitions made later are guarded as well.
    await verify(key, { corridor: 'GB-NG', amount: 1 })
    const before = await get(key, `/api/v1/audit/${body.request_id}`)
    const stranger = new pg.Client({ connectionString: databaseUrl })
    await stranger.connect()
    const { rows } = await stranger.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'verifications'::regclass",
    )
    assert.ok(rows.length >= 8, `${rows.length} partitions`)
    const filled = ['verifications', 'verifications_2026_03', 'verifications_2027_04']
    for (const table of filled) {
      for (const sql of [
        `UPDATE ${table} SET decision = 'NO-GO'`,
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} SELECT * FROM ${table} ON CONFLICT (request_id) DO UPDATE SET decision = 'NO-GO'`,
        `INSERT INTO ${table} SELECT * FROM ${table}`,
      ]) {
        await assert.rejects(stranger.query(sql), /write-once|duplicate key/, sql)
      }
    }
    // Also for a session that replays changes of another server.
    await stranger.query('SET session_replication_role = replica')
    for (const table of filled) {
      await assert.rejects(stranger.query(`UPDATE ${table} SET decision = 'NO-GO'`), /write-once/, table)
      await assert.rejects(stranger.query(`DELETE FROM ${table}`), /write-once/, table)
    }
    for (const table of ['verifications', ...rows.map((row) => row.name)]) {
      await assert.rejects(stranger.query(`TRUNCATE ${table}`), /write-once/, table)
    }
    await stranger.end()
    assert.deepEqual((await get(key, `/api/v1/audit/${body.request_id}`)).body, before.body)
  })
})
