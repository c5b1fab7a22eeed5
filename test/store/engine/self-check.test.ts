/** What the store says of itself is looked up: each member turns when its cause does. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfCheck } from '../../../src/adapters/store/engine/self-check.ts'
import { migrations } from '../../../src/adapters/store/engine/migrations.ts'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import type { Driver } from '../../../src/adapters/store/engine/driver.ts'
import { openSqlite } from '../../../src/adapters/store/engine/sqlite.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { revokeKey, rotateKey } from '../../../src/app/access/keys.ts'
import type { SelfCheck } from '../../../src/app/ports/store.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase, type DirectDatabase } from '../../helpers/database/sql.ts'
import { ask, publicUrl, register, webhooksUrl } from '../../helpers/webhooks.ts'

const look = ({ store, clock }: Harness): Promise<SelfCheck> => store.selfCheck(clock.nowMs())
const isWriteOnce = async (harness: Harness): Promise<boolean> => (await look(harness)).isWriteOnce

const guardsInSqlite =
  "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%!_no!_%' ESCAPE '!'"

/** Takes every guard away in turn, and puts it back. */
async function dropEachInSqlite(harness: Harness, { run }: DirectDatabase): Promise<number> {
  const guards = await run(guardsInSqlite)
  for (const { name, sql } of guards) {
    await run(`DROP TRIGGER ${String(name)}`)
    assert.equal(await isWriteOnce(harness), false, `without ${String(name)}`)
    await run(String(sql))
    assert.equal(await isWriteOnce(harness), true, `with ${String(name)} again`)
  }
  return guards.length
}

async function dropEachInPostgres(harness: Harness, { run }: DirectDatabase): Promise<number> {
  const guards = await run(
    `SELECT c.relname AS name, t.tgname AS guard, pg_get_triggerdef(t.oid) AS sql
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgname LIKE '%!_no!_%' ESCAPE '!' AND NOT c.relispartition`,
  )
  for (const { name, guard, sql } of guards) {
    const always = `ALTER TABLE ${String(name)} ENABLE ALWAYS TRIGGER ${String(guard)}`
    for (const [without, again] of [
      [`ALTER TABLE ${String(name)} DISABLE TRIGGER ${String(guard)}`, always],
      [`ALTER TABLE ${String(name)} ENABLE REPLICA TRIGGER ${String(guard)}`, always],
      [`ALTER TABLE ${String(name)} ENABLE TRIGGER ${String(guard)}`, always],
      [`DROP TRIGGER ${String(guard)} ON ${String(name)}`, `${String(sql)}; ${always}`],
    ] as const) {
      await run(without)
      assert.equal(await isWriteOnce(harness), false, without)
      for (const statement of again.split('; ')) await run(statement)
      assert.equal(await isWriteOnce(harness), true, again)
    }
  }
  return guards.length
}

/** Puts in place of every guard one of its name that guards nothing, and puts it back. */
async function swapEachInSqlite(harness: Harness, { run }: DirectDatabase): Promise<number> {
  const guards = await run(guardsInSqlite)
  for (const { name, tbl_name: table, sql } of guards) {
    const [, moment] = /BEFORE (UPDATE|DELETE|INSERT)/.exec(String(sql)) ?? assert.fail(String(sql))
    for (const instead of [
      `CREATE TRIGGER ${String(name)} BEFORE ${moment} ON api_keys BEGIN SELECT RAISE(ABORT, 'write-once'); END`,
      `CREATE TRIGGER ${String(name)} BEFORE ${moment} ON ${String(table)} BEGIN SELECT 1; END`,
      `CREATE TRIGGER ${String(name)} BEFORE ${moment} ON ${String(table)} BEGIN SELECT 'RAISE(ABORT'; END`,
      `CREATE TRIGGER ${String(name)} BEFORE ${moment} ON ${String(table)} WHEN 0 BEGIN SELECT RAISE(ABORT, 'x'); END`,
    ]) {
      await run(`DROP TRIGGER ${String(name)}`)
      await run(instead)
      assert.equal(await isWriteOnce(harness), false, instead)
      await run(`DROP TRIGGER ${String(name)}`)
      await run(String(sql))
      assert.equal(await isWriteOnce(harness), true, `with ${String(name)} again`)
    }
  }
  return guards.length
}

/** Replaces every function that refuses by one that lets pass, and puts it back. */
async function swapEachInPostgres(harness: Harness, { run }: DirectDatabase): Promise<number> {
  const refusing = await run(
    `SELECT DISTINCT p.proname AS name, pg_get_functiondef(p.oid) AS sql
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgname LIKE '%!_no!_%' ESCAPE '!' AND NOT c.relispartition`,
  )
  for (const { name, sql } of refusing) {
    const head = `CREATE OR REPLACE FUNCTION ${String(name)}() RETURNS trigger LANGUAGE plpgsql`
    for (const body of [
      'BEGIN RETURN NEW; END',
      "BEGIN IF false THEN RAISE EXCEPTION 'x'; END IF; RETURN NEW; END",
      "BEGIN RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN RETURN NEW; END",
    ]) {
      await run(`${head} AS $$ ${body} $$`)
      assert.equal(await isWriteOnce(harness), false, `${String(name)}: ${body}`)
    }
    await run(String(sql))
    assert.equal(await isWriteOnce(harness), true, `${String(name)} refuses again`)
  }
  return refusing.length
}

/** A driver of its own on the database, whose connections no longer wait for the disk. */
async function withCareless(
  engine: Engine,
  url: string,
  work: (driver: Driver, spoil: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (engine === 'sqlite') {
    const driver = openSqlite({ leafHashes, path: url.slice('sqlite:'.length) })
    const spoil = async (): Promise<void> => driver.database.exec('PRAGMA synchronous = NORMAL')
    await work(driver, spoil).finally(() => driver.close())
    return
  }
  const driver = openPostgres({ leafHashes, url, onIdleError: () => {}, onMissingPartition: async () => {} })
  const spoil = async (): Promise<void> => {
    const { max } = driver.pool.options
    const clients = await Promise.all(Array.from({ length: max }, () => driver.pool.connect()))
    for (const client of clients) await client.query('SET synchronous_commit TO off')
    for (const client of clients) client.release()
  }
  await work(driver, spoil).finally(() => driver.close())
}

for (const engine of engines) {
  test(`${engine}: a new database has today's schema, is durable and guarded, and holds nothing`, async () => {
    await withHarness({ engine }, async (harness) => {
      assert.deepEqual(await look(harness), {
        schema: migrations.length,
        schemaKnown: migrations.length,
        isShared: engine === 'postgres',
        isDurable: true,
        isWriteOnce: true,
        hasKey: false,
        hasLiveKey: false,
        hasWebhook: false,
      })
    })
  })

  test(`${engine}: a schema newer than the program is seen`, async () => {
    await withHarness({ engine }, async (harness) => {
      const newer = migrations.length + 1
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run('INSERT INTO schema_migrations (number, name, applied_at_ms) VALUES ($1, $2, $3)', [
          newer,
          'x',
          0,
        ]),
      )
      const { schema, schemaKnown } = await look(harness)
      assert.deepEqual([schema, schemaKnown], [newer, migrations.length])
    })
  })

  test(`${engine}: without any one of its guards the database is not write-once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const dropEach = { sqlite: dropEachInSqlite, postgres: dropEachInPostgres }[engine]
      const guards = await withDirectDatabase(harness.databaseUrl, (stranger) => dropEach(harness, stranger))
      assert.equal(guards, engine === 'sqlite' ? 31 : 22)
    })
  })

  test(`${engine}: a guard that does not refuse is none`, async () => {
    await withHarness({ engine }, async (harness) => {
      const swapEach = { sqlite: swapEachInSqlite, postgres: swapEachInPostgres }[engine]
      const swapped = await withDirectDatabase(harness.databaseUrl, (stranger) => swapEach(harness, stranger))
      assert.equal(swapped, engine === 'sqlite' ? 31 : 9)
    })
  })

  test(`${engine}: a connection that does not wait for the disk is not durable`, async () => {
    await withHarness({ engine }, async ({ databaseUrl, clock }) => {
      await withCareless(engine, databaseUrl, async (driver, spoil) => {
        const isDurable = async (): Promise<boolean> =>
          (await driver.read(() => selfCheck(driver, clock.nowMs()))).isDurable
        assert.equal(await isDurable(), true)
        await spoil()
        assert.equal(await isDurable(), false)
      })
    })
  })

  test(`${engine}: only a key that can be used counts, and only a live one as live`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock, issue } = harness
      const deps = { keys: store.keys, clock, random: systemRandom }
      const keys = async (): Promise<boolean[]> => {
        const { hasKey, hasLiveKey } = await look(harness)
        return [hasKey, hasLiveKey]
      }
      const { record: trial } = await issue()
      assert.deepEqual(await keys(), [true, false])
      await revokeKey(deps, trial.keyId)
      assert.deepEqual(await keys(), [false, false], 'revoked')

      const { record: live } = await issue({ prefix: 'pk_live_' })
      assert.deepEqual(await keys(), [true, true])
      const endsAtMs = live.expiresAtMs ?? assert.fail('a live key ends')
      clock.setWall(endsAtMs - 1)
      assert.deepEqual(await keys(), [true, true])
      clock.setWall(endsAtMs)
      assert.deepEqual(await keys(), [false, false], 'expired')

      const { record: sandbox } = await issue({ prefix: 'svc-sandbox-' })
      assert.deepEqual(await keys(), [true, false])
      const rotated = await rotateKey(deps, sandbox.keyId, 0)
      assert.deepEqual(await keys(), [true, false], 'the new one counts')
      await revokeKey(deps, rotated.kind === 'rotated' ? rotated.issued.record.keyId : '')
      assert.deepEqual(await keys(), [false, false], 'neither the old one nor the new one is left')
    })
  })

  test(`${engine}: an endpoint counts until it is removed, whoever's it is`, async () => {
    await withHarness({ engine }, async (harness) => {
      const hasWebhook = async (): Promise<boolean> => (await look(harness)).hasWebhook
      const { key } = await harness.issue()
      const { key: another } = await harness.issue()
      assert.equal(await hasWebhook(), false)
      const first = await register(harness, key, publicUrl)
      const second = await register(harness, another, publicUrl)
      assert.equal(await hasWebhook(), true)
      await ask(harness, key, 'DELETE', `${webhooksUrl}/${first.webhook_id}`)
      assert.equal(await hasWebhook(), true)
      await ask(harness, another, 'DELETE', `${webhooksUrl}/${second.webhook_id}`)
      assert.equal(await hasWebhook(), false)
    })
  })
}

test('postgres: without any one guard of any one partition the database is not write-once', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      const partitions = await run(
        "SELECT relid::regclass::text AS name FROM pg_partition_tree('verifications') WHERE level > 0",
      )
      assert.ok(partitions.length > 1, `${partitions.length} partitions`)
      for (const { name } of partitions) {
        for (const guard of ['verifications_no_change', 'verifications_no_truncate']) {
          for (const state of ['DISABLE', 'ENABLE', 'ENABLE REPLICA']) {
            const without = `ALTER TABLE ${String(name)} ${state} TRIGGER ${guard}`
            await run(without)
            assert.equal(await isWriteOnce(harness), false, without)
            await run(`ALTER TABLE ${String(name)} ENABLE ALWAYS TRIGGER ${guard}`)
            assert.equal(await isWriteOnce(harness), true, `${without}, and back`)
          }
        }
        // What belongs to the partition alone can also be dropped.
        await run(`DROP TRIGGER verifications_no_truncate ON ${String(name)}`)
        assert.equal(await isWriteOnce(harness), false, `dropped on ${String(name)}`)
        await run(
          `CREATE TRIGGER verifications_no_truncate BEFORE TRUNCATE ON ${String(name)}
            FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
        )
        await run(`ALTER TABLE ${String(name)} ENABLE ALWAYS TRIGGER verifications_no_truncate`)
        assert.equal(await isWriteOnce(harness), true, `made again on ${String(name)}`)
      }
    })
  })
})

test('postgres: a guard of another kind, with a condition, or without its table is none', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const trigger = 'CREATE OR REPLACE TRIGGER overrides_no_change BEFORE'
    const refusing = 'EXECUTE FUNCTION fairway_refuse_override_change()'
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      for (const [instead, isGuard] of [
        [`${trigger} UPDATE ON overrides FOR EACH ROW ${refusing}`, false],
        [`${trigger} UPDATE OR DELETE ON overrides FOR EACH ROW WHEN (false) ${refusing}`, false],
        [`${trigger} UPDATE OR DELETE ON overrides FOR EACH ROW ${refusing}`, true],
      ] as const) {
        await run(instead)
        await run('ALTER TABLE overrides ENABLE ALWAYS TRIGGER overrides_no_change')
        assert.equal(await isWriteOnce(harness), isGuard, instead)
      }
      await run('DROP TABLE cip_transitions')
      assert.equal(await isWriteOnce(harness), false, 'the table itself is gone')
    })
  })
})
