/** What each key has used: every record once, for the key that wrote it, whoever wrote at the same time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intelligence } from '../../../src/adapters/store/engine/schema/intelligence.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import type { Verification } from '../../../src/app/ports/records.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { copyRows, olderDatabase } from '../engine/older-schema.ts'

async function withTwo(engine: Engine, work: (one: Harness, other: Harness) => Promise<void>): Promise<void> {
  await withHarness({ engine }, async (one) => {
    const other = await one.sibling()
    try {
      await work(one, other)
    } finally {
      await other.close()
    }
  })
}

/** The records that there are, by key, counted in the table itself. */
async function recordsByKey({ databaseUrl }: Harness): Promise<Record<string, number>> {
  const rows = await rowsOf(
    databaseUrl,
    'SELECT key_id, count(*) AS total FROM verifications GROUP BY key_id',
  )
  return Object.fromEntries(rows.map((row) => [String(row['key_id']), Number(row['total'])]))
}

async function usageByKey({ store }: Harness, keyIds: readonly string[]): Promise<Record<string, number>> {
  const counts = await Promise.all(
    keyIds.map(async (keyId) => [keyId, await store.keys.usage(keyId)] as const),
  )
  return Object.fromEntries(counts)
}

for (const engine of engines) {
  test(`${engine}: every record counts for its key, once, across instances and racing batches`, async () => {
    await withTwo(engine, async (one, other) => {
      const issued = [await one.issue(), await one.issue(), await one.issue()]
      const keyIds = issued.map(({ record }) => record.keyId)
      assert.deepEqual(Object.values(await usageByKey(one, keyIds)), [0, 0, 0])
      const answers = await Promise.all(
        Array.from({ length: 180 }, (_, place) => {
          // A half, a third and a sixth of them.
          const key = issued[place % 2 === 0 ? 0 : place % 3 === 0 ? 2 : 1]?.key ?? ''
          const instance = place % 5 < 2 ? one : other
          return instance.verify(key, { corridor: 'GB-NG', amount: place })
        }),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      const [first = '', second = '', third = ''] = keyIds
      assert.deepEqual(await usageByKey(one, keyIds), { [first]: 90, [second]: 60, [third]: 30 })
      assert.deepEqual(await recordsByKey(one), { [first]: 90, [second]: 60, [third]: 30 })
    })
  })

  test(`${engine}: a command that spoils its batch is not counted, and the others are counted once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { key, record: owner } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      const taken = (await store.forOwner(owner.ownerId).find(body.request_id)) ?? assert.fail('not recorded')
      const ids = createIds({ clock, random: systemRandom })
      const { override: _none, ...record } = taken
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, place) => {
          const fresh: Verification = place === 11 ? record : { ...record, ...ids.nextRequest() }
          const rollup = { reasonCodes: [], latencyUs: null }
          return store.commit({ record: fresh, idempotency: null, block: null, rollup })
        }),
      )
      assert.deepEqual(
        outcomes.flatMap(({ status }, place) => (status === 'rejected' ? [place] : [])),
        [11],
      )
      assert.equal(await store.keys.usage(owner.keyId), 40)
      assert.deepEqual(await recordsByKey(harness), { [owner.keyId]: 40 })
    })
  })

  test(`${engine}: an answer that is replayed counts once, however many ask for it at once`, async () => {
    await withTwo(engine, async (one, other) => {
      const { key, record } = await one.issue()
      const body = { corridor: 'GB-NG', amount: 10, idempotency_key: 'the same' }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? one : other).verify(key, body)),
      )
      assert.equal(answers.filter((answer) => answer.body.idempotency_hit === true).length, 19)
      assert.equal(await one.store.keys.usage(record.keyId), 1)
      await other.verify(key, body)
      assert.equal(await one.store.keys.usage(record.keyId), 1)
    })
  })

  test(`${engine}: a request that is refused does not count`, async () => {
    await withHarness({ engine }, async ({ issue, verify, store }) => {
      const { key, record } = await issue()
      await verify(key, { corridor: 'GB-NG', amount: 10, idempotency_key: 'taken' })
      const refused = [
        await verify(key, { corridor: 'nowhere' }),
        await verify(key, { corridor: 'GB-NG', amount: -1 }),
        await verify(key, '{'),
        await verify(key, { corridor: 'GB-NG' }, { mode: 'live' }),
        await verify(key, { corridor: 'GB-NG', amount: 11, idempotency_key: 'taken' }),
        await verify(key, { corridor: 'GB-NG', amount: 10.09 }),
      ]
      assert.deepEqual(
        refused.map(({ status }) => status),
        [400, 400, 400, 403, 409, 503],
      )
      assert.equal(await store.keys.usage(record.keyId), 1)
      const limited = await issue({ limit: { count: 1, windowMs: 60_000 } })
      const statuses = [
        (await verify(limited.key, { corridor: 'GB-NG' })).status,
        (await verify(limited.key, { corridor: 'GB-NG' })).status,
      ]
      assert.deepEqual(statuses, [200, 429])
      assert.equal(await store.keys.usage(limited.record.keyId), 1)
      assert.equal(await store.keys.usage('key_nobody'), 0)
    })
  })

  test(`${engine}: a cooldown's hit is a record of its own, and counts`, async () => {
    await withHarness({ engine }, async ({ issue, verify, store }) => {
      const { key, record } = await issue()
      await verify(key, { corridor: 'GB-NG', amount: 600_000 })
      const hit = await verify(key, { corridor: 'GB-NG', amount: 5 })
      assert.ok('cooldown' in hit.body, hit.text)
      assert.equal(await store.keys.usage(record.keyId), 2)
    })
  })

  test(`${engine}: two keys of one owner are counted apart`, async () => {
    await withHarness({ engine }, async ({ issue, verify, store, clock }) => {
      const old = await issue()
      const deps = { keys: store.keys, clock, random: systemRandom }
      const rotated = await rotateKey(deps, old.record.keyId, 60_000)
      const next = rotated.kind === 'rotated' ? rotated.issued : assert.fail(rotated.kind)
      assert.equal(next.record.ownerId, old.record.ownerId)
      const body = { corridor: 'GB-NG', amount: 1, idempotency_key: 'of the old' }
      await verify(old.key, body)
      for (const amount of [1, 2, 3]) await verify(next.key, { corridor: 'GB-NG', amount })
      // The owner's own answer again: of the old key's record, and so for neither.
      assert.equal((await verify(next.key, body)).body.idempotency_hit, true)
      assert.equal(await store.keys.usage(old.record.keyId), 1)
      assert.equal(await store.keys.usage(next.record.keyId), 3)
    })
  })

  test(`${engine}: what was recorded before keys were counted is counted by the upgrade`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { issue, verify, databaseUrl, clock } = harness
      const issued = [await issue(), await issue(), await issue()]
      for (const [place, { key }] of issued.entries()) {
        for (let time = 0; time < place; time += 1) await verify(key, { corridor: 'GB-NG', amount: time })
      }
      const older = await olderDatabase(engine, intelligence.number - 1, clock.nowMs())
      for (const table of ['api_keys', 'verifications']) await copyRows(databaseUrl, older.url, table)
      const upgraded = await assemble(older.url, clock, { engine })
      try {
        const keyIds = issued.map(({ record }) => record.keyId)
        assert.deepEqual(Object.values(await usageByKey(upgraded, keyIds)), [0, 1, 2])
        await upgraded.verify(issued[1]?.key ?? '', { corridor: 'GB-NG', amount: 9 })
        assert.deepEqual(Object.values(await usageByKey(upgraded, keyIds)), [0, 2, 2])
      } finally {
        await upgraded.close()
        await older.drop()
      }
    })
  })
}
