/** A database of schema 8 with a backlog: the upgrade counts, announces and seals nothing twice, and nothing too little. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { journal as migration } from '../../../src/adapters/store/engine/schema/log/journal.ts'
import { rollupSums } from '../../../src/adapters/store/engine/schema/rollups/summary.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { followAll } from '../../../src/app/followers/catch-up.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import type { Verification } from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import { engines, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase, type SqlRow } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { testKeySetting } from '../../helpers/installation-key.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'
import { copyRows, earlierHashes, insertRow, migrateTo, olderDatabase } from './older-schema.ts'

const olderSchema = migration.number - 1
const corridor = 'GB-NG' as Corridor

/** Two owners, the first of them with an endpoint. */
interface Keys {
  readonly keys: readonly { readonly key: string; readonly keyId: string; readonly ownerId: string }[]
  readonly webhookId: string
}

/** What the queue holds: rows of entries that have no place in the log yet. */
type Waiting = readonly string[]

/** Decisions and overrides of both owners, live ones among them; returns how many entries. */
async function record(harness: Harness, { keys }: Pick<Keys, 'keys'>, count: number): Promise<number> {
  const { store, clock } = harness
  const ids = createIds({ clock, random: systemRandom })
  let entries = 0
  for (const [place, { key, keyId, ownerId }] of keys.entries()) {
    for (let one = 0; one < count + place; one += 1) {
      clock.advance(20 * 60_000)
      await harness.verify(key, { corridor: one % 2 === 0 ? 'NG-GB' : 'FR-DE', amount: one + 1 })
    }
    const id = await degraded(harness, key)
    clock.advance(1_000)
    assert.equal((await override(harness, key, id)).status, 200)
    const sample = (await store.forOwner(ownerId).find(id as Verification['requestId'])) ?? assert.fail()
    const { override: _override, outcome: _outcome, ...plain } = sample
    // The last one repeats another under a cooldown, and adds no score.
    for (const [number, source] of [null, null, sample.requestId].entries()) {
      const next = { ...plain, ...ids.nextRequest(), keyId, mode: 'live', corridor } as const
      const live: Verification = { ...next, scoreHundredths: 60 + number, cooldownSourceId: source }
      const rollup = { reasonCodes: [], latencyUs: 100 }
      await store.commit({ record: live, idempotency: null, block: null, rollup })
    }
    entries += count + place + 2 + 3
  }
  return entries
}

const laterReasons = [
  'reason_below_go_threshold',
  'reason_policy_rule_applied',
  'reason_no_partner_available',
]

const sameTables = [
  'api_keys',
  'idempotency_keys',
  'cooldowns',
  'verifications',
  'overrides',
  'outcomes',
  'webhooks',
  'webhook_deliveries',
  'log_head',
  'log_keys',
  'log_nodes',
  'log_checkpoints',
]

/** The state of this service, as the version before would have left it: counted in shards, announced, and partly sealed. */
async function makeOlder(engine: Engine, harness: Harness, waiting: Waiting): Promise<FreshDatabase> {
  const { databaseUrl: from, clock, store } = harness
  const older = await olderDatabase(engine, olderSchema, clock.nowMs())
  await withDirectDatabase(older.url, ({ run }) => run('DELETE FROM log_head'))
  for (const table of sameTables) await copyRows(from, older.url, table)
  const { size } = await store.log.head()
  const blocks = await rowsOf(from, `SELECT * FROM log_blocks WHERE first_leaf < ${size}`)
  const scores = await rowsOf(
    from,
    "SELECT owner_id, corridor, request_id, score_hundredths FROM verifications WHERE mode = 'live' AND cooldown_source_id IS NULL",
  )
  const rollups = await rowsOf(from, 'SELECT * FROM rollups')
  const usage = await rowsOf(from, 'SELECT key_id, verifications FROM key_usage')
  const total = await store.countVerifications()
  await withDirectDatabase(older.url, async (stranger) => {
    for (const row of blocks) await insertRow(stranger, 'log_blocks', row)
    for (const entries of waiting) await insertRow(stranger, 'log_waiting', { entries })
    for (const row of scores) await insertRow(stranger, 'live_scores', row)
    for (const row of rollups) {
      for (const name of laterReasons)
        assert.equal(Number(row[name]), 0, 'the version before does not have it')
      const earlier = Object.entries(row).filter(([name]) => !laterReasons.includes(name))
      await insertShards(stranger, Object.fromEntries(earlier))
    }
    for (const { key_id, verifications } of usage) {
      await insertRow(stranger, 'key_usage', { key_id, shard: 0, verifications: Number(verifications) - 2 })
      for (const shard of [7, 31]) await insertRow(stranger, 'key_usage', { key_id, shard, verifications: 1 })
    }
    await stranger.run('UPDATE verification_counts SET total = $1 WHERE shard = 3', [total - 4])
    await stranger.run('UPDATE verification_counts SET total = 2 WHERE shard IN (0, 31)')
  })
  return older
}

/** Splits each sum over three shards. */
async function insertShards(
  stranger: Parameters<Parameters<typeof withDirectDatabase>[1]>[0],
  row: SqlRow,
): Promise<void> {
  const split = (part: (value: number) => number): SqlRow =>
    Object.fromEntries(rollupSums.map((name) => [name, part(Number(row[name]))]))
  const half = (value: number): number => Math.floor(value / 2)
  const parts = { 0: half, 2: (value: number) => value - half(value), 15: () => 0 }
  for (const [shard, part] of Object.entries(parts)) {
    await insertRow(stranger, 'rollups', { ...row, shard: Number(shard), ...split(part) })
  }
}

/** Everything that readers are shown of what was followed. */
async function shown({ get, store }: Harness, { keys, webhookId }: Keys): Promise<object> {
  const [{ key } = assert.fail()] = keys
  const perKey = await Promise.all(
    keys.map(async (one) => ({
      usage: await store.keys.usage(one.keyId),
      summary: (await get(one.key, '/api/v1/verifications/summary')).body,
      scores: await store.forOwner(one.ownerId).liveScores(corridor, 50),
    })),
  )
  const { body: deliveries } = await get(key, `/api/v1/webhooks/${webhookId}/deliveries`)
  const list = (deliveries as { event_id: string; status: string }[]).map((one) => [one.event_id, one.status])
  return { perKey, deliveries: list, total: await store.countVerifications() }
}

interface Older extends Keys {
  readonly database: FreshDatabase
  /** What the version before has shown. */
  readonly shown: object
  readonly waiting: number
  readonly receiver: TestReceiver
  readonly clock: Harness['clock']
}

/** Some delivered and sealed, some pending and waiting. */
async function withOlder(engine: Engine, work: (older: Older) => Promise<void>): Promise<void> {
  await withReceiver((receiver) =>
    withHarness({ engine, settings: trial, leafHashes: earlierHashes }, async (harness) => {
      const issued = [await harness.issue(), await harness.issue()]
      const keys = issued.map(({ key, record: { keyId, ownerId } }) => ({ key, keyId, ownerId }))
      const { webhook_id: webhookId } = await register(harness, keys[0]?.key ?? '', receiver.url)
      await record(harness, { keys }, 5)
      await harness.deliver()
      await harness.seal()
      const waiting = await record(harness, { keys }, 3)
      const queued = await rowsOf(harness.databaseUrl, 'SELECT entries FROM journal_queue ORDER BY number')
      await announceOnly(harness)
      const before = await shown(harness, { keys, webhookId })
      const database = await makeOlder(
        engine,
        harness,
        queued.map(({ entries }) => String(entries)),
      )
      try {
        const { clock } = harness
        await work({ keys, webhookId, database, shown: before, waiting, receiver, clock })
      } finally {
        await database.drop()
      }
    }),
  )
}

/** Follows without a dispatcher, so that nothing is sent yet. */
async function announceOnly({ databaseUrl, clock }: Harness): Promise<void> {
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault: assert.fail })
  await followAll(store.journal)
  await store.close()
}

const eventsAt = ({ requests }: TestReceiver): string[] =>
  requests.map(({ headers }) => String(headers['webhook-id']))

async function checkUpgraded(harness: Harness, older: Older): Promise<void> {
  const { keys, receiver, waiting } = older
  assert.deepEqual(await shown(harness, older), older.shown, 'what was shown is shown')
  const delivered = eventsAt(receiver)
  const { rows, pending } = await outbox(harness)
  assert.ok(delivered.length > 0 && pending > 0)
  assert.equal(await harness.seal(), waiting, 'what waited is sealed, once')
  const log = await checkedLog(harness.store)
  assert.deepEqual([log.findings, log.waiting], [[], 0])
  assert.equal(log.records, (older.shown as { total: number }).total)
  await harness.deliver()
  assert.equal(receiver.requests.length, delivered.length + pending, 'what was pending is sent')
  assert.equal(new Set(eventsAt(receiver)).size, receiver.requests.length, 'and nothing is sent again')
  assert.equal((await outbox(harness)).rows, rows, 'nothing is announced again')
  await checkNewIsFollowed(harness, older)
  assert.deepEqual((await checkedLog(harness.store)).findings, [])
  assert.equal(keys.length, 2)
}

async function outbox({ databaseUrl }: Harness): Promise<{ rows: number; pending: number }> {
  const states = await rowsOf(databaseUrl, 'SELECT state FROM webhook_deliveries')
  return { rows: states.length, pending: states.filter(({ state }) => state === 'pending').length }
}

/** New decisions and overrides are counted, announced and sealed, also to an endpoint that is new. */
async function checkNewIsFollowed(harness: Harness, { keys, receiver }: Older): Promise<void> {
  const [{ key, keyId } = assert.fail()] = keys
  const usage = await harness.store.keys.usage(keyId)
  const total = await harness.store.countVerifications()
  const { body: before } = await harness.get(key, '/api/v1/verifications/summary')
  const sent = receiver.requests.length
  await withReceiver(async (other) => {
    await register(harness, key, other.url)
    const id = await degraded(harness, key)
    assert.equal((await override(harness, key, id)).status, 200)
    await harness.deliver()
    const told = receiver.requests.slice(sent).map(({ json }) => String(json.data.request_id))
    assert.deepEqual(told, [id, id])
    assert.deepEqual(eventsAt(other).toSorted(), eventsAt(receiver).slice(sent).toSorted())
  })
  assert.equal(await harness.store.keys.usage(keyId), usage + 1)
  assert.equal(await harness.store.countVerifications(), total + 1)
  const { body: after } = await harness.get(key, '/api/v1/verifications/summary')
  assert.equal(after.total, before.total + 1)
  assert.equal(await harness.seal(), 2)
}

/** Every row of every table, in no order. */
async function everything(engine: Engine, url: string): Promise<Record<string, string[]>> {
  const tables =
    engine === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
  const found: Record<string, string[]> = {}
  for (const { name } of await rowsOf(url, tables)) {
    const rows = await rowsOf(url, `SELECT * FROM ${String(name)}`)
    found[String(name)] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return found
}

for (const engine of engines) {
  test(`${engine}: a database of schema 8 with a backlog is upgraded without counting or announcing anything again`, async () => {
    await withOlder(engine, async (older) => {
      const { database, clock } = older
      // Two instances that start at once are as good as one.
      const [harness, other] = await Promise.all([
        assemble(database.url, clock, { engine, settings: { ...trial, ...testKeySetting } }),
        assemble(database.url, clock, { engine, settings: { ...trial, ...testKeySetting } }),
      ])
      try {
        const { schema, schemaKnown, isWriteOnce } = await harness.store.selfCheck(clock.nowMs())
        assert.deepEqual([schema, isWriteOnce], [schemaKnown, true])
        await checkUpgraded(harness, older)
      } finally {
        await Promise.all([harness.close(), other.close()])
      }
    })
  })

  test(`${engine}: an upgrade that is killed half-way leaves the schema before as it was, and the next one succeeds`, async () => {
    await withOlder(engine, async (older) => {
      const { url } = older.database
      const nowMs = older.clock.nowMs()
      const target = { engine, schema: migration.number, nowMs }
      const before = await everything(engine, url)
      assert.ok(before['log_waiting']?.length, 'something waits')
      const all = migration.shared.length + migration[engine].length
      // In the middle of it, and before its last statement.
      for (const statementsMax of [4, Math.floor(all / 3), Math.floor(all / 2), all - 3, all + 2]) {
        await withDirectDatabase(url, async ({ run }) => {
          await run('BEGIN')
          // It goes away without a commit.
          assert.equal(await migrateTo({ ...target, statementsMax }, run), statementsMax)
        })
        assert.deepEqual(await everything(engine, url), before, `after ${statementsMax} statements`)
      }
      const harness = await assemble(url, older.clock, { engine, settings: { ...trial, ...testKeySetting } })
      try {
        await checkUpgraded(harness, older)
      } finally {
        await harness.close()
      }
    })
  })
}
