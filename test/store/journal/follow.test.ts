/** A follower's results are committed with its position: every entry takes effect once, whoever fails and whoever else follows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followAll, followTo, sequenceAll } from '../../../src/app/followers/catch-up.ts'
import type { ProjectionName } from '../../../src/app/ports/journal.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { rowsOf, unguarded, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { another, degraded, override, register, trial } from '../../helpers/webhooks.ts'

/** Nothing is sent to it: no test delivers. */
const url = 'http://127.0.0.1:1/'

interface Scene {
  readonly harness: Harness
  readonly key: string
  readonly keyId: string
  /** Records so many decisions, each at a moment of its own, so that each has a block of its own. */
  readonly decide: (count: number) => Promise<string[]>
}

async function withScene(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  await withHarness({ engine, settings: trial }, async (harness) => {
    const { key, record } = await harness.issue()
    await work({
      harness,
      key,
      keyId: record.keyId,
      async decide(count) {
        const ids: string[] = []
        for (let place = 0; place < count; place += 1) {
          harness.clock.advance(1_000)
          ids.push(await degraded(harness, key))
        }
        return ids
      },
    })
  })
}

async function positionOf({ store }: Harness, name: ProjectionName): Promise<number | undefined> {
  const { positions } = await store.journal.state()
  return positions.find((one) => one.name === name)?.position
}

/** As stored, past the readers that wait. */
async function counted({ databaseUrl }: Harness): Promise<{ usage: number; hours: number; days: number }> {
  const numberOf = async (sql: string): Promise<number> =>
    Number((await rowsOf(databaseUrl, sql))[0]?.['total'] ?? 0)
  const sum = 'SELECT COALESCE(SUM(go + degraded + no_go), 0) AS total FROM rollups WHERE span ='
  return {
    usage: await numberOf('SELECT COALESCE(SUM(verifications), 0) AS total FROM key_usage'),
    hours: await numberOf(`${sum} 'hour'`),
    days: await numberOf(`${sum} 'day'`),
  }
}

const all = (total: number) => ({ usage: total, hours: total, days: total })

/** The events of an endpoint, oldest first: their kinds, and the decisions that they tell of. */
async function eventsOf({ databaseUrl }: Harness, webhookId: string): Promise<[unknown, unknown][]> {
  const rows = await withDirectDatabase(databaseUrl, ({ run }) =>
    run(
      'SELECT event, request_id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY created_at_ms, event_id',
      [webhookId],
    ),
  )
  return rows.map((row) => [row['event'], row['request_id']])
}

const decided = (ids: readonly string[]): [string, string][] =>
  ids.map((id) => ['payment.decision.created', id])

async function rename(databaseUrl: string, from: string, to: string): Promise<void> {
  await withDirectDatabase(databaseUrl, ({ run }) => run(`ALTER TABLE ${from} RENAME TO ${to}`))
}

for (const engine of engines) {
  test(`${engine}: a follower that fails half-way leaves neither a result nor a new position, and goes on later`, async () => {
    await withScene(engine, async ({ harness, key, decide }) => {
      const { store, databaseUrl } = harness
      const { webhook_id } = await register(harness, key, url)
      const ids = await decide(3)
      await sequenceAll(store.journal)
      const tables = { totals: 'rollups', webhooks: 'webhook_deliveries' } as const
      for (const [name, table] of Object.entries(tables) as [ProjectionName, string][]) {
        await rename(databaseUrl, table, 'put_away')
        await assert.rejects(store.journal.follow(name))
        await assert.rejects(store.journal.follow(name), 'a second try is no better')
        assert.equal(await positionOf(harness, name), 0)
        await rename(databaseUrl, 'put_away', table)
        // Usage is counted before the rollups: it went back with them.
        if (name === 'totals') assert.deepEqual(await counted(harness), all(0))
        assert.equal((await store.journal.follow(name)).position, 3)
      }
      assert.deepEqual(await counted(harness), all(3))
      assert.deepEqual(await eventsOf(harness, webhook_id), decided(ids))
    })
  })

  test(`${engine}: a position that cannot be written takes its results with it`, async () => {
    await withScene(engine, async ({ harness, key, decide }) => {
      const { store, databaseUrl } = harness
      const { webhook_id } = await register(harness, key, url)
      const ids = await decide(2)
      await sequenceAll(store.journal)
      await withDirectDatabase(databaseUrl, ({ run }) => run("DELETE FROM followers WHERE name = 'webhooks'"))
      await assert.rejects(store.journal.follow('webhooks'), /webhooks has no position/)
      assert.deepEqual(await eventsOf(harness, webhook_id), [])
      await withDirectDatabase(databaseUrl, ({ run }) =>
        run("INSERT INTO followers (name, position) VALUES ('webhooks', 0)"),
      )
      const followed = await store.journal.follow('webhooks')
      assert.deepEqual(followed, { position: 2, webhookIds: [webhook_id], isIdle: false })
      assert.deepEqual(await eventsOf(harness, webhook_id), decided(ids))
    })
  })

  test(`${engine}: two instances that follow at once do nothing twice and leave nothing out`, async () => {
    await withScene(engine, async ({ harness, key, keyId, decide }) => {
      const other = await harness.sibling()
      try {
        const { webhook_id } = await register(harness, key, url)
        const ids = await decide(70)
        const both = [harness, other]
        const follow = (name: ProjectionName) =>
          both.flatMap(({ store }) =>
            Array.from({ length: 6 }, async () => {
              await store.journal.sequence()
              return store.journal.follow(name)
            }),
          )
        const [more] = await Promise.all([decide(10), ...follow('totals'), ...follow('webhooks')])
        await Promise.all(both.map(({ store }) => followAll(store.journal)))
        assert.deepEqual(await counted(harness), all(80))
        assert.equal(await harness.store.keys.usage(keyId), 80)
        assert.deepEqual(await eventsOf(harness, webhook_id), decided([...ids, ...more]))
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: records that another instance wrote are counted like its own, down to the last column`, async () => {
    await withScene(engine, async ({ harness, decide }) => {
      const { store, databaseUrl } = harness
      const rollups = () => rowsOf(databaseUrl, 'SELECT * FROM rollups ORDER BY span, starts_at_ms, corridor')
      const usage = () => rowsOf(databaseUrl, 'SELECT * FROM key_usage')
      await decide(5)
      await followAll(store.journal)
      const own = [await rollups(), await usage()]
      await withDirectDatabase(databaseUrl, async ({ run }) => {
        await run('DELETE FROM rollups')
        await run('DELETE FROM key_usage')
        await run("UPDATE followers SET position = 0 WHERE name = 'totals'")
      })
      const other = await harness.sibling()
      try {
        await followAll(other.store.journal)
      } finally {
        await other.close()
      }
      assert.deepEqual([await rollups(), await usage()], own)
    })
  })

  test(`${engine}: without any endpoint a follower says that nobody waits, and passes the entries`, async () => {
    await withScene(engine, async ({ harness, key, decide }) => {
      const { store } = harness
      await decide(2)
      await sequenceAll(store.journal)
      assert.deepEqual(await store.journal.follow('webhooks'), { position: 2, webhookIds: [], isIdle: true })
      const { webhook_id } = await register(harness, key, url)
      const ids = await decide(1)
      await sequenceAll(store.journal)
      const followed = await store.journal.follow('webhooks')
      assert.deepEqual(followed, { position: 3, webhookIds: [webhook_id], isIdle: false })
      assert.deepEqual(await eventsOf(harness, webhook_id), decided(ids))
    })
  })

  test(`${engine}: a batch is bounded, and the next one begins where it ended`, async () => {
    await withScene(engine, async ({ harness, decide }) => {
      const { journal } = harness.store
      await decide(40)
      const sequenced = await sequenceAll(journal)
      const positions: number[] = []
      for (let call = 0; call < 3; call += 1) positions.push((await journal.follow('totals')).position)
      assert.ok((positions[0] ?? 0) > 0 && (positions[0] ?? 0) < sequenced, String(positions))
      assert.deepEqual(positions.slice(1), [sequenced, sequenced])
      assert.deepEqual(await counted(harness), all(40))
    })
  })

  test(`${engine}: an entry that is missing stops a follower in front of it, and is never skipped`, async () => {
    await withScene(engine, async ({ harness, decide }) => {
      const { store, databaseUrl } = harness
      await decide(5)
      const target = await sequenceAll(store.journal)
      await unguarded(databaseUrl, async ({ run }) => {
        for (const missing of [0, 2, 4]) {
          const [block = assert.fail()] = await run('SELECT * FROM log_blocks WHERE first_leaf = $1', [
            missing,
          ])
          await run('DELETE FROM log_blocks WHERE first_leaf = $1', [missing])
          const message = new RegExp(`totals cannot pass entry ${missing}: it is missing`)
          await assert.rejects(followTo(store.journal, 'totals', { target }), message)
          await assert.rejects(followTo(store.journal, 'totals', { target }), message)
          assert.ok(((await positionOf(harness, 'totals')) ?? 5) <= missing)
          await run('INSERT INTO log_blocks (first_leaf, slot, entries) VALUES ($1, $2, $3)', [
            missing,
            String(block['slot']),
            String(block['entries']),
          ])
        }
      })
      await followTo(store.journal, 'totals', { target })
      assert.deepEqual(await counted(harness), all(5))
    })
  })

  test(`${engine}: an endpoint gets exactly the events that were recorded while it was registered`, async () => {
    await withScene(engine, async ({ harness, key, decide }) => {
      const { store, databaseUrl } = harness
      const { key: stranger } = await harness.issue()
      const foreign = await register(harness, stranger, url)
      // One that is followed, one that has a number only, and one that is still queued.
      await decide(1)
      await followAll(store.journal)
      await decide(1)
      await store.journal.sequence()
      await decide(1)
      const first = await register(harness, key, url)
      const between = await decide(2)
      await register(harness, key, another(url), { events: ['payment.override.created'] })
      const second = await register(harness, key, another(url))
      const after = await decide(1)
      await followAll(store.journal)
      assert.deepEqual(await eventsOf(harness, first.webhook_id), decided([...between, ...after]))
      assert.deepEqual(await eventsOf(harness, second.webhook_id), decided(after))
      assert.deepEqual(await eventsOf(harness, foreign.webhook_id), [])
      const starts = await rowsOf(databaseUrl, 'SELECT webhook_id, from_leaf FROM webhooks')
      const startOf = new Map(starts.map((row) => [row['webhook_id'], Number(row['from_leaf'])]))
      assert.deepEqual(
        [foreign, first, second].map(({ webhook_id }) => startOf.get(webhook_id)),
        [0, 3, 5],
      )
      assert.equal((await rowsOf(databaseUrl, 'SELECT 1 FROM webhook_deliveries')).length, 4)
      // What is recorded before it goes and followed after it is nobody's any more.
      await decide(1)
      const { status } = await harness.send({
        method: 'DELETE',
        url: `/api/v1/webhooks/${first.webhook_id}`,
        headers: { authorization: `Bearer ${key}` },
      })
      assert.ok(status < 300, String(status))
      await decide(1)
      await followAll(store.journal)
      const told = (await eventsOf(harness, first.webhook_id)).map(([, id]) => id)
      assert.deepEqual(told, [...between, ...after])
    })
  })

  test(`${engine}: an override has an event of its own, for endpoints that were there when it was recorded`, async () => {
    await withScene(engine, async ({ harness, key, decide }) => {
      const { store } = harness
      const early = await register(harness, key, url)
      const decisionsOnly = await register(harness, key, another(url), {
        events: ['payment.decision.created'],
      })
      const [id = assert.fail()] = await decide(1)
      const late = await register(harness, key, another(url))
      harness.clock.advance(1_000)
      assert.equal((await override(harness, key, id)).status, 200)
      const tooLate = await register(harness, key, another(url))
      await followAll(store.journal)
      const overridden = ['payment.override.created', id]
      assert.deepEqual(await eventsOf(harness, early.webhook_id), [...decided([id]), overridden])
      assert.deepEqual(await eventsOf(harness, decisionsOnly.webhook_id), decided([id]))
      assert.deepEqual(await eventsOf(harness, late.webhook_id), [overridden])
      assert.deepEqual(await eventsOf(harness, tooLate.webhook_id), [])
      assert.deepEqual(await counted(harness), all(1), 'an override is no decision')
    })
  })
}
