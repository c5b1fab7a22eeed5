/** A database that the first release left opens with today's code, keeps all that is in it, and takes what is new. */

import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { ensurePartitions, schemaLock } from '../../../src/adapters/store/months/partitions.ts'
import { foundation } from '../../../src/adapters/store/engine/schema/foundation.ts'
import { inPostgres } from '../../../src/adapters/store/engine/schema/migration.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { formatKey, keyRandomBytes } from '../../../src/core/identity/api-key.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { withDirectDatabase, rowsOf, type SqlRow, type DirectDatabase } from '../../helpers/database/sql.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'

const ownerId = 'own_of_the_first_release'

/** The columns of the first release. */
const firstColumns =
  'request_id, owner_id, key_id, mode, corridor, decision, score_hundredths, confidence_hundredths, amount, currency, correlation_id, evaluated_at_ms, recorded_at_ms, cooldown_source_id, answer, evidence'

/** A DEGRADED record and a NO-GO with its cooldown, as the service writes them. */
async function sampleRecords(): Promise<SqlRow[]> {
  let rows: SqlRow[] = []
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await degraded(harness, key, { correlation_id: 'kept' })
    await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    rows = await rowsOf(harness.databaseUrl, `SELECT ${firstColumns} FROM verifications ORDER BY request_id`)
  })
  return rows.map((row) => ({ ...row, owner_id: ownerId, key_id: 'key_old' }))
}

async function insert({ run }: DirectDatabase, table: string, row: SqlRow): Promise<void> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row) as SQLInputValue[],
  )
}

/** The first schema and nothing of the second, with a key and records in it. */
async function buildFirstRelease(engine: Engine, url: string, nowMs: number): Promise<{ key: string }> {
  const key = formatKey('pk_test_', randomBytes(keyRandomBytes))
  const records = await sampleRecords()
  const shared = engine === 'sqlite' ? foundation.shared : foundation.shared.map(inPostgres)
  await withDirectDatabase(url, async (stranger) => {
    await stranger.run(
      'CREATE TABLE schema_migrations (number integer NOT NULL PRIMARY KEY, name text NOT NULL, applied_at_ms bigint NOT NULL)',
    )
    for (const sql of [...shared, ...foundation[engine]]) await stranger.run(sql)
    await insert(stranger, 'schema_migrations', { number: 1, name: 'foundation', applied_at_ms: nowMs })
    if (engine === 'postgres') await makePartitions(url, nowMs)
    await insert(stranger, 'api_keys', {
      key_id: 'key_old',
      key_hash: hash('sha256', key, 'hex'),
      owner_id: ownerId,
      owner_label: 'old',
      type: 'test',
      scopes: '',
      created_at_ms: nowMs,
    })
    for (const record of records) await insert(stranger, 'verifications', record)
    await insert(stranger, 'cooldowns', {
      owner_id: ownerId,
      mode: 'shadow',
      corridor: 'GB-NG',
      blocked_at_ms: nowMs,
      request_id: String(records[1]?.['request_id']),
    })
    await stranger.run('UPDATE verification_counts SET total = 2 WHERE shard = 7')
  })
  return { key }
}

async function makePartitions(url: string, nowMs: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url })
  await ensurePartitions(pool, nowMs)
  await pool.end()
}

async function checkNewIsTaken(harness: Harness, key: string, requestIds: readonly string[]): Promise<void> {
  await withReceiver(async (receiver) => {
    await register(harness, key, receiver.url)
    for (const requestId of requestIds) {
      const made = await override(harness, key, requestId)
      assert.equal(made.status, 200, made.text)
      const audit = await harness.get(key, `/api/v1/audit/${requestId}`)
      assert.deepEqual(audit.body.human_override, made.body)
    }
    const { body } = await harness.verify(key, { corridor: 'NG-GB', amount: 5 })
    await harness.deliver()
    assert.deepEqual(receiver.requests.map(({ json }) => String(json.data.request_id)).toSorted(), [
      ...requestIds,
      body.request_id,
    ])
  })
}

/** What the first release kept is enough to explain it and to prove it. */
async function checkLooksInto(harness: Harness, key: string, id: string): Promise<void> {
  for (const view of ['explanation', 'impact', 'timeline']) {
    assert.equal((await harness.get(key, `/api/v1/decision/${id}/${view}`)).status, 200, view)
  }
  const { text } = await harness.get(key, `/api/v1/audit/export/${id}`)
  assert.deepEqual(verifyBundle(text).findings, [])
}

async function checkSummedUp(harness: Harness, key: string): Promise<void> {
  const { body } = await harness.get(key, '/api/v1/verifications/summary')
  assert.deepEqual(body.decisions, { GO: 0, DEGRADED: 1, 'NO-GO': 1 })
  const measured = (body.latency_ms.buckets as { count: number }[]).reduce((sum, { count }) => sum + count, 0)
  assert.deepEqual([body.total, measured, body.corridors_total], [2, 2, 2])
  const { body: calibration } = await harness.get(key, '/api/v1/calibration')
  assert.deepEqual([calibration.records, calibration.with_outcome, calibration.censored], [2, 0, 1])
}

/** What was recorded before there was a log is in it, and can be proved like anything else. */
async function checkSealed(harness: Harness, key: string, ids: readonly string[]): Promise<void> {
  assert.ok((await harness.seal()) > 0)
  const { findings, waiting, records, overrides } = await checkedLog(harness.store)
  assert.deepEqual([findings, waiting], [[], 0])
  // Those of before, a repeat and one more; an override for each of the first two.
  assert.deepEqual([records, overrides], [ids.length + 2, ids.length])
  for (const id of ids) {
    const { body, text } = await harness.get(key, `/api/v1/audit/export/${id}`)
    assert.notEqual(body.proof ?? null, null, 'it can be proved')
    assert.deepEqual(verifyBundle(text).findings, [])
  }
}

const released = [
  '1 foundation',
  '2 events',
  '3 intelligence',
  '4 access',
  '5 summary',
  '6 partitions',
  '7 log',
  '8 log_blocks',
  '9 journal',
  '10 never_misleading',
  '11 faster_limits',
  '12 safe_edges',
  '13 own_world',
  '14 policies',
  '15 calibration',
  '16 people',
  '17 reviews',
  '18 batch_reports',
  '19 owner_events',
  '20 erasures',
  '21 maintenance_jobs',
  '22 partner_required',
  '23 waiting_hosts',
]

for (const engine of engines) {
  test(`what the first release kept is there after the upgrade, and takes overrides and webhooks (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const clock = new ManualClock()
    const { key } = await buildFirstRelease(engine, database.url, clock.nowMs())
    clock.advance(1_000)
    const keptSql = `SELECT ${firstColumns} FROM verifications ORDER BY request_id`
    const kept = await rowsOf(database.url, keptSql)
    assert.equal(kept.length, 2)
    // Two instances that start at once are as good as one.
    const [harness, other] = await Promise.all([
      assemble(database.url, clock, { engine, settings: trial }),
      assemble(database.url, clock, { engine, settings: trial }),
    ])
    try {
      const migrations = await rowsOf(
        database.url,
        'SELECT number, name FROM schema_migrations ORDER BY number',
      )
      assert.deepEqual(
        migrations.map(({ number, name }) => `${String(number)} ${String(name)}`),
        released,
      )
      assert.equal(
        await harness.seal(),
        kept.length,
        'what was recorded before there was a log is sealed, too',
      )
      assert.deepEqual(await rowsOf(database.url, keptSql), kept)
      const history = await harness.get(key, '/api/verifications')
      const ids = kept.map((row) => String(row['request_id']))
      const shown = (history.body as { request_id: string; human_override: unknown }[]).toReversed()
      assert.deepEqual(
        shown.map((item) => [item.request_id, item.human_override]),
        ids.map((id) => [id, null]),
      )
      assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 2)
      const { usage } = (await harness.get(key, '/api/v1/organisation/settings')).body
      assert.deepEqual(usage, { verifications_this_key: 2 }, 'what was recorded before is counted')
      await checkSummedUp(harness, key)
      for (const id of ids) await checkLooksInto(harness, key, id)
      const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      assert.equal(hit.body.cooldown.source_request_id, ids[1], 'the cooldown goes on')
      await checkNewIsTaken(harness, key, ids)
      await checkSealed(harness, key, ids)
    } finally {
      await Promise.all([harness.close(), other.close()])
      await database.drop()
    }
  })
}

/** Longer than any request may take, by the server's limit and by the client's. */
const longSeconds = 8

test('postgres: an upgrade that takes longer than any request may is waited for, also by who starts beside it', async () => {
  const database = await freshDatabase('postgres')
  const clock = new ManualClock()
  const { key } = await buildFirstRelease('postgres', database.url, clock.nowMs())
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  // As an instance that migrates a long history.
  await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${schemaLock})`)
  // It ends by itself, while both wait for it.
  const held = holder.query(`SELECT pg_sleep(${longSeconds}); COMMIT`)
  const started = await Promise.all([
    assemble(database.url, clock, { engine: 'postgres' }),
    assemble(database.url, clock, { engine: 'postgres' }),
  ])
  await held
  await holder.end()
  for (const harness of started) {
    const { usage } = (await harness.get(key, '/api/v1/organisation/settings')).body
    assert.deepEqual(usage, { verifications_this_key: 2 })
    await harness.close()
  }
  await database.drop()
})
