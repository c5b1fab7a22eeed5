/** A database of version 0.1 under the present program, as a real process: it reads the same, and goes on. */

import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrations } from '../../src/adapters/store/engine/migrations.ts'
import { engines, freshDatabase } from '../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase, type SqlRow } from '../helpers/database/sql.ts'
import { runInProcess } from '../helpers/process/in-process.ts'
import { ask, serve, type Served } from '../helpers/process/process.ts'
import { scratchFolder } from '../helpers/scratch.ts'
import { backupPath, differences, exportPath, get, recorded, unpackDatabase } from '../helpers/version-0-1.ts'

const folder = scratchFolder('fairway-upgrade-')
const databaseUrl = unpackDatabase(folder)
const environment = { DATABASE_URL: databaseUrl, FAIRWAY_COOLDOWN_S: '86400' }
const { payments, decisions } = recorded
const ids = Object.keys(decisions)
const [, , , , , , blocking] = payments

const migrated = (url: string): Promise<SqlRow[]> =>
  rowsOf(url, 'SELECT number, name, applied_at_ms FROM schema_migrations ORDER BY number')

let server: Served
let migratedBefore: SqlRow[]

before(async () => {
  migratedBefore = await migrated(databaseUrl)
  // As an upgrade within the cooldown finds it.
  await withDirectDatabase(databaseUrl, ({ run }) =>
    run('UPDATE cooldowns SET blocked_at_ms = $1', [Date.now()]),
  )
  server = await serve(environment)
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the fixture is of 0.1, and has decisions of every kind', () => {
  assert.deepEqual(migratedBefore.at(-1)?.['number'], 17)
  assert.deepEqual(
    new Set(payments.map(({ answer }) => answer.decision)),
    new Set(['GO', 'DEGRADED', 'NO-GO']),
  )
  assert.ok(
    payments.some(({ answer }) => answer.cooldown_source_request_id !== null || answer.cooldown_active),
  )
  assert.equal(ids.length, payments.length)
})

test('every decision reads as it did: audit, explanation, history', async () => {
  for (const id of ids) {
    const { audit, explanation } = decisions[id] ?? assert.fail(id)
    assert.deepEqual(differences(audit, await get(server.url, `/api/v1/audit/${id}`)), [], id)
    const explained = await get(server.url, `/api/v1/decision/${id}/explanation`)
    assert.deepEqual(differences(explanation, explained), [], id)
  }
})

test('the approved review, policies, endpoints and the events that were given up read as they did', async () => {
  const { review, policies, webhooks, dropped } = recorded
  const failing = webhooks.at(-1)
  const now = async (path: string): Promise<unknown> => get(server.url, path)
  assert.deepEqual(differences(review, await now(`/api/v1/reviews/${review.review_id}`)), [])
  assert.deepEqual(differences(policies, await now('/api/v1/policies')), [])
  assert.deepEqual(differences(webhooks, await now('/api/v1/webhooks')), [])
  assert.deepEqual(
    differences(dropped, await now(`/api/v1/webhooks/${failing.webhook_id}/deliveries?limit=50`)),
    [],
  )
  assert.doesNotMatch(server.output(), /secret_unavailable|cannot be decrypted/)
})

test('a repeated request gets the answer of 0.1, and the same key with another body none', async () => {
  for (const { idempotency_key: name, body, answer } of payments) {
    const repeated = await ask(server.url, recorded.key, body, { 'idempotency-key': name })
    assert.equal(repeated.status, 200)
    const again = (await repeated.json()) as Record<string, unknown>
    const { response_ms: responseMs } = again
    assert.deepEqual(again, { ...answer, idempotency_hit: true, response_ms: responseMs })
    const other = await ask(server.url, recorded.key, { ...body, amount: 77 }, { 'idempotency-key': name })
    assert.equal(other.status, 409)
  }
})

test('an open cooldown repeats the decision of 0.1, and its policy stops as before', async () => {
  const decide = async (body: object): Promise<Record<string, unknown>> => {
    const answer = await ask(server.url, recorded.key, body)
    assert.equal(answer.status, 200)
    return (await answer.json()) as Record<string, unknown>
  }
  const { request_id: id, decision } = await decide({ corridor: 'GB-NG', amount: 3, currency: 'GBP' })
  assert.equal(decision, 'NO-GO')
  const audit = await get(server.url, `/api/v1/audit/${String(id)}`)
  assert.equal(audit.cooldown_source_request_id, blocking?.answer.request_id)
  const stopped = await decide({ corridor: 'NG-GB', amount: 45_001, currency: 'NGN' })
  assert.deepEqual([stopped['decision'], stopped['reason_codes']], ['NO-GO', ['POLICY_RULE_APPLIED']])
  assert.equal((await decide({ corridor: 'NG-GB', amount: 4, currency: 'NGN' }))['decision'], 'GO')
})

test('the log is intact, with what 0.1 sealed and what has come since', async () => {
  const { length } = await get(server.url, '/api/verifications?limit=50')
  let report
  // The newest are sealed within a moment.
  do {
    const { code, stdout } = await runInProcess(['audit', 'verify-log', '--json'], environment)
    report = JSON.parse(stdout)
    assert.deepEqual([code, report.findings], [0, []])
  } while (report.records < length)
  assert.deepEqual([report.overrides, report.outcomes], [2, 2])
})

test('an export of 0.1 verifies, under the key of the log of today', async () => {
  const { checkpoint } = await get(server.url, '/api/v1/audit/checkpoint')
  const args = ['audit', 'verify', exportPath, '--trust', checkpoint.verifier_key]
  const { code, stdout, stderr } = await runInProcess(args, {})
  assert.equal(code, 0, stdout + stderr)
})

test('the first start says that it brings the schema up to date, and a second one migrates nothing', async () => {
  const first = await migrated(databaseUrl)
  assert.deepEqual(first.slice(0, migratedBefore.length), migratedBefore)
  assert.equal(first.length, migrations.length)
  assert.match(
    server.output(),
    new RegExp(`"msg":"database: migrating the schema from 17 to ${migrations.length}"`),
  )
  assert.equal(await server.stop(), 0)
  server = await serve(environment)
  assert.doesNotMatch(server.output(), /migrating/)
  assert.deepEqual(await migrated(databaseUrl), first)
  const { checklist } = await get(server.url, '/api/v1/readiness')
  const current = checklist.find(({ item }: { item: string }) => item === 'migrations_current')
  assert.equal(current.status, 'ready')
})

for (const engine of engines) {
  test(`a backup of 0.1 is restored, and every decision in it reads as it did (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const home = join(folder, engine)
    mkdirSync(home)
    // The key is not in the backup.
    const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY_FILE: join(home, 'key') }
    const { code, stderr } = await runInProcess(['restore', backupPath], settings)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /restore: no server starts yet: the key of this database is missing/)
    const accepted = await runInProcess(['audit', 'new-key', '--reference', 'CHANGE-7'], settings)
    assert.equal(accepted.code, 0, accepted.stderr)
    const restored = await serve(settings)
    try {
      for (const id of ids)
        assert.deepEqual(
          differences(decisions[id]?.audit, await get(restored.url, `/api/v1/audit/${id}`)),
          [],
        )
    } finally {
      assert.equal(await restored.stop(), 0)
      await database.drop()
    }
  })
}
