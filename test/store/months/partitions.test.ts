/** Months that an operator takes away and brings back, on PostgreSQL: when they may go, and what becomes of them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthAt } from '../../../src/core/time/month.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withHarness } from '../../helpers/harness.ts'
import { dayMs, pastOf, withPast, type Past } from '../../helpers/database/months.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'
import { register } from '../../helpers/webhooks.ts'

const awayTable = 'verifications_detached_2020_03'

async function readinessOf({ get }: Past): Promise<unknown> {
  const { body } = await get(null, '/api/v1/readiness')
  return (body.checklist as { item: string; status: string }[]).find(
    ({ item }) => item === 'records_write_once',
  )?.status
}

test('sqlite: a store that keeps all records in one table has no months', async () => {
  await withHarness({ engine: 'sqlite' }, async ({ store }) => assert.equal(store.partitions, null))
})

test('a month goes a day after its end and not before, and no month that is not there', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 1)
    const endMs = Date.UTC(2020, 3, 1)
    past.clock.setWall(endMs + dayMs - 1)
    const tooNew = { kind: 'too_new', fromMs: endMs + dayMs }
    assert.deepEqual(await past.detach('2020-03'), tooNew)
    assert.equal((await past.detach('2020-04')).kind, 'too_new', 'the month in which we are')
    assert.equal((await past.detach('2020-06')).kind, 'too_new', 'a month to come')
    assert.equal((await past.detach('2019-01')).kind, 'unknown')
    past.clock.setWall(endMs + dayMs)
    assert.equal((await past.detach('2020-03', { isDryRun: true })).kind, 'would_detach')
    assert.equal((await past.detach('2020-03')).kind, 'detached')
  })
})

test('a command whose clock is ahead takes no month away that is not over by the clock of the database', async () => {
  const clock = new ManualClock(new Date().toISOString())
  await withHarness({ engine: 'postgres', clock }, async (harness) => {
    const { key } = await harness.issue()
    const month = monthAt(clock.nowMs())
    clock.advance(62 * dayMs)
    assert.equal((await pastOf(harness, key).detach(month)).kind, 'too_new')
  })
})

test('a month goes once, with who and when, what it had, and is listed where it is', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 3)
    await past.record('2020-05', 1)
    const stateOf = async (): Promise<unknown> => (await past.store.partitions?.list())?.[0]
    const detached = await past.detach('2020-03')
    assert.ok(detached.kind === 'detached')
    const { away, table } = detached
    assert.deepEqual(
      [table, away.records, away.detachedBy, away.detachedAtMs],
      [awayTable, 3, 'Ops on call', past.clock.nowMs()],
    )
    assert.match(away.fingerprint, /^[0-9a-f]{64}$/)
    assert.deepEqual(await past.detach('2020-03'), { kind: 'away', away })
    const [{ bytes } = { bytes: 0 }] = (await past.store.partitions?.list()) ?? []
    assert.ok(Number(bytes) > 0)
    const listed = { month: '2020-03', state: 'detached', table, records: 3, bytes, away }
    assert.deepEqual(await stateOf(), listed)
    await withDirectDatabase(past.databaseUrl, ({ run }) => run(`DROP TABLE ${awayTable}`))
    assert.deepEqual(await stateOf(), { ...listed, state: 'moved', table: null, bytes: null })
    assert.deepEqual(await past.attach('2020-03'), { kind: 'missing', table: awayTable })
  })
})

test('a month stays while a delivery of its records is pending', async () => {
  await withPast(async (past) => {
    let status = 503
    await withReceiver(
      async (receiver) => {
        await register(past, past.key, receiver.url)
        await past.record('2020-03', 2)
        await past.deliver()
        past.clock.setWall(Date.UTC(2020, 4, 10))
        const needed = await past.detach('2020-03')
        assert.ok(needed.kind === 'needed')
        assert.equal(needed.needs.pendingDeliveries, 2)
        status = 200
        await past.deliver()
        assert.equal((await past.detach('2020-03')).kind, 'detached')
      },
      () => status,
    )
  })
})

test('a month stays while a cooldown that one of its records set is open', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 1)
    const blocked = await past.verify(past.key, { corridor: 'GB-NG', amount: 600_000 })
    assert.equal(blocked.body.decision, 'NO-GO')
    past.clock.setWall(Date.UTC(2020, 4, 10))
    // As with a window that is set to months, or a block by a clock that was ahead.
    const blockAt = (atMs: number): Promise<unknown> =>
      withDirectDatabase(past.databaseUrl, ({ run }) => run(`UPDATE cooldowns SET blocked_at_ms = ${atMs}`))
    await blockAt(past.clock.nowMs() - 89_999)
    const needed = await past.detach('2020-03')
    assert.ok(needed.kind === 'needed')
    assert.equal(needed.needs.openCooldowns, 1)
    await blockAt(past.clock.nowMs() - 90_000)
    assert.equal((await past.detach('2020-03')).kind, 'detached')
  })
})

test('what is away cannot be changed, deleted or truncated either', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 1)
    await past.record('2020-05', 1)
    await past.detach('2020-03')
    await withDirectDatabase(past.databaseUrl, async ({ run }) => {
      for (const role of ['origin', 'replica']) {
        await run(`SET session_replication_role = ${role}`)
        for (const sql of [
          `UPDATE ${awayTable} SET decision = 'NO-GO'`,
          `DELETE FROM ${awayTable}`,
          `TRUNCATE ${awayTable}`,
        ]) {
          await assert.rejects(run(sql), /write-once/, `${role}: ${sql}`)
        }
      }
    })
    assert.equal(await readinessOf(past), 'ready')
  })
})

test('a clock that is set back makes no empty month in the place of one that is away', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 1)
    await past.record('2020-05', 1)
    await past.detach('2020-03')
    past.clock.setWall(Date.UTC(2020, 2, 20))
    const refused = await past.verify(past.key, { corridor: 'GB-NG', amount: 9 })
    assert.deepEqual([refused.status, refused.body.code], [503, 'STORE_UNAVAILABLE'])
    const made = await rowsOf(past.databaseUrl, "SELECT to_regclass('verifications_2020_03') AS name")
    assert.deepEqual(made, [{ name: null }])
    past.clock.setWall(Date.UTC(2020, 4, 20))
    assert.equal((await past.attach('2020-03')).kind, 'attached')
  })
})

test('a month that came back has its guards, indexes and storage, and can go and come again', async () => {
  await withPast(async (past) => {
    await past.record('2020-03', 2)
    await past.record('2020-05', 1)
    const described = (): Promise<unknown> =>
      rowsOf(
        past.databaseUrl,
        `SELECT c.reloptions, pg_get_expr(c.relpartbound, c.oid) AS bounds,
            ARRAY(SELECT tgname::text || tgenabled::text FROM pg_trigger WHERE tgrelid = c.oid ORDER BY 1) AS triggers,
            ARRAY(SELECT contype::text || conname::text FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n' ORDER BY 1) AS constraints,
            ARRAY(SELECT indexrelid::regclass::text || p.inhparent::regclass::text FROM pg_index i
              JOIN pg_inherits p ON p.inhrelid = i.indexrelid WHERE indrelid = c.oid ORDER BY 1) AS indexes
          FROM pg_class c WHERE oid = 'verifications_2020_03'::regclass`,
      )
    const before = await described()
    for (const turn of ['once', 'twice']) {
      assert.equal((await past.detach('2020-03')).kind, 'detached', turn)
      assert.equal(await readinessOf(past), 'ready', turn)
      const attached = { kind: 'attached', table: 'verifications_2020_03', records: 2 }
      assert.deepEqual(await past.attach('2020-03'), attached, turn)
      assert.equal(await readinessOf(past), 'ready', turn)
      assert.deepEqual(await described(), before, turn)
    }
    assert.deepEqual(await past.attach('2020-03'), { kind: 'present' })
    const moves = await rowsOf(past.databaseUrl, 'SELECT detached_by, attached_by FROM partition_moves')
    const move = { detached_by: 'Ops on call', attached_by: 'Ops on call' }
    assert.deepEqual(moves, [move, move])
  })
})
