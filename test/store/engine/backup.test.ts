/** A backup, restored on either engine, is the database that it was made of: every row of every table, the guards, and a log that goes on. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openBackups } from '../../../src/adapters/backup/open.ts'
import type { CheckedCopy } from '../../../src/app/ports/operate/backup.ts'
import { received, unlimited } from '../../helpers/access.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { report } from '../../helpers/outcomes.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'
import { testKey } from '../../helpers/installation-key.ts'

const settings = { ...trial, ...unlimited, FAIRWAY_SEAL_KEY: Buffer.alloc(32, 7).toString('base64') }

/** Something of everything, over two months; some of it sealed, some of it not. */
async function fill(harness: Harness): Promise<string> {
  const { key } = await harness.issue()
  await received(harness)
  const id = await degraded(harness, key, { correlation_id: 'größer – 決済 \u2028' })
  await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 }, { headers: { 'idempotency-key': 'k-1' } })
  await override(harness, key, id)
  await report(harness, key, id, { outcome: 'PENDING' })
  await report(harness, key, id, { outcome: 'FAILED' })
  await harness.probe()
  await harness.seal()
  harness.clock.advance(20 * 24 * 60 * 60 * 1000)
  await harness.verify(key, { corridor: 'NG-GB', amount: 12.34 })
  await harness.seal()
  harness.clock.advance(20 * 24 * 60 * 60 * 1000)
  // A receiver that takes nothing: its event waits in the outbox.
  await withReceiver(
    async (receiver) => {
      await register(harness, key, receiver.url)
      await harness.verify(key, { corridor: 'GB-NG', amount: 0.1 })
      await harness.deliver()
    },
    () => 500,
  )
  await harness.noteKeyUses()
  return key
}

const check = async ({ store }: CheckedCopy): Promise<number> => (await checkedLog(store)).findings.length
const options = { check, isIntact: (found: number) => found === 0, onProgress: () => undefined }

const backupsOf = (url: string, { clock }: Harness) => openBackups(url, { clock })

/** Every row of every table, read by a stranger: tables that only one engine has are of no account where they are empty. */
async function everything(url: string): Promise<Record<string, unknown>> {
  const listed = await rowsOf(
    url,
    url.startsWith('sqlite:')
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
          AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'limit\\_%'`,
  )
  const tables: Record<string, unknown> = {}
  for (const name of listed.map((row) => String(row['name'])).toSorted()) {
    const rows = (await rowsOf(url, `SELECT * FROM ${name}`)).map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([column, value]) => [column, value === null ? null : String(value as string | number)])
          .toSorted(([left], [right]) => String(left).localeCompare(String(right))),
      ),
    )
    if (rows.length > 0) tables[name] = rows.toSorted()
  }
  return tables
}

for (const from of engines) {
  for (const to of engines) {
    test(`every row is there after a restore, guarded, and the service goes on with it (${from} to ${to})`, async () => {
      await withFolder((folder) =>
        withHarness({ engine: from, settings }, async (harness) => {
          const key = await fill(harness)
          const path = join(folder, 'copy.gz')
          const written = await backupsOf(harness.databaseUrl, harness).write(path, options)
          assert.equal(written.found, 0)
          assert.equal(statSync(path).mode & 0o077, 0, 'nobody else may read it')
          const target = await freshDatabase(to)
          const restored = await backupsOf(target.url, harness).restore(path, options)
          assert.deepEqual(restored.tables, written.tables)
          const before = await everything(harness.databaseUrl)
          assert.ok(Object.keys(before).length >= 18, Object.keys(before).join())
          assert.deepEqual(await everything(target.url), before)
          await checkGoesOn(target.url, harness, key)
          await target.drop()
        }),
      )
    })
  }
}

for (const engine of engines) {
  test(`a backup holds neither the key of the installation nor a secret of an endpoint as it is (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { secret } = await register(harness, key, 'http://127.0.0.1:9/hook')
        // As an earlier version left it.
        const [seed] = testKey.keys
        await rowsOf(harness.databaseUrl, `UPDATE log_keys SET seed = '${seed}'`)
        const path = join(folder, 'copy.gz')
        await backupsOf(harness.databaseUrl, harness).write(path, options)
        const text = gunzipSync(readFileSync(path)).toString('utf8')
        assert.ok(text.includes('sealed1.'), 'the encrypted secret is in it')
        for (const hidden of [seed, secret, 'whsec_']) assert.ok(!text.includes(hidden))
        const target = await freshDatabase(engine)
        await backupsOf(target.url, harness).restore(path, options)
        assert.deepEqual(
          (await rowsOf(target.url, 'SELECT seed FROM log_keys')).map((row) => row['seed']),
          [null],
        )
        await target.drop()
      }),
    )
  })
}

async function checkGoesOn(url: string, { clock }: Harness, key: string): Promise<void> {
  const again = await assemble(url, clock, { settings })
  const { isWriteOnce, schema, schemaKnown } = await again.store.selfCheck(clock.nowMs())
  assert.deepEqual([isWriteOnce, schema], [true, schemaKnown])
  await assert.rejects(withDirectDatabase(url, ({ run }) => run("UPDATE verifications SET decision = 'GO'")))
  await assert.rejects(withDirectDatabase(url, ({ run }) => run('DELETE FROM log_blocks')))
  const replay = await again.verify(
    key,
    { corridor: 'GB-NG', amount: 600_000 },
    { headers: { 'idempotency-key': 'k-1' } },
  )
  assert.equal(replay.body.idempotency_hit, true)
  assert.equal((await again.verify(key, { corridor: 'GB-NG', amount: 5 })).status, 200)
  assert.equal(await again.seal(), 2)
  assert.equal(await check({ store: again.store, detachedMonths: [] }), 0)
  await again.close()
}

const damages: Readonly<Record<string, (path: string) => void>> = {
  'its end is missing': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'it is empty': (path) => truncateSync(path, 0),
  'one letter of a record was changed': (path) => rewrite(path, (text) => text.replace('12.34', '12.35')),
  'a row was taken out': (path) => rewrite(path, (text) => text.replace(/^\[.*\n/m, '')),
  'a table was taken out whole': (path) =>
    rewrite(path, (text) => text.replace(/^\{"table":"overrides"[^]*?"sum"[^\n]*\n/m, '')),
  'a table has a name that is none of ours': (path) =>
    rewrite(path, (text) => text.replace('"table":"api_keys"', '"table":"api_keys; DROP TABLE overrides"')),
  'its schema is of a later program': (path) =>
    rewrite(path, (text) => text.replace(/"schema":\d+/, '"schema":99')),
  'something was put behind its end': (path) => rewrite(path, (text) => `${text}[1]\n`),
  'it is no backup at all': (path) => writeFileSync(path, 'hello'),
}

function rewrite(path: string, change: (text: string) => string): void {
  const text = gunzipSync(readFileSync(path)).toString()
  const changed = change(text)
  assert.notEqual(changed, text, 'nothing was changed')
  writeFileSync(path, gzipSync(changed))
}

async function tablesIn(engine: Engine, url: string): Promise<number> {
  if (engine === 'sqlite') return existsSync(url.slice('sqlite:'.length)) ? 1 : 0
  const [row] = await rowsOf(
    url,
    'SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = current_schema()::regnamespace',
  )
  return Number(row?.['count'])
}

for (const engine of engines) {
  test(`a file that is damaged is refused with a reason, and nothing is left of it (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ settings }, async (harness) => {
        await fill(harness)
        const whole = join(folder, 'whole.gz')
        await backupsOf(harness.databaseUrl, harness).write(whole, options)
        const target = await freshDatabase(engine)
        for (const [name, damage] of Object.entries(damages)) {
          const path = join(folder, 'damaged.gz')
          writeFileSync(path, readFileSync(whole))
          damage(path)
          await assert.rejects(
            backupsOf(target.url, harness).restore(path, options),
            { name: 'FileFault' },
            name,
          )
          assert.equal(await tablesIn(engine, target.url), 0, name)
        }
        await target.drop()
      }),
    )
  })

  test(`what is there is not overwritten, neither a file nor a database (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine, settings }, async (harness) => {
        await fill(harness)
        const path = join(folder, 'copy.gz')
        const backups = backupsOf(harness.databaseUrl, harness)
        await backups.write(path, options)
        const before = await everything(harness.databaseUrl)
        await assert.rejects(backups.write(path, options), /already exists/)
        await assert.rejects(backups.restore(path, options), /already exists|is not empty/)
        assert.deepEqual(await everything(harness.databaseUrl), before)
        assert.deepEqual(readdirSync(folder), ['copy.gz'], 'no part of a copy is left')
      }),
    )
  })
}

test('a record that somebody changed is found before a backup counts as sound, and is not restored', async () => {
  await withFolder((folder) =>
    withHarness({ settings }, async (harness) => {
      await fill(harness)
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await run('DROP TRIGGER verifications_no_update')
        await run("UPDATE verifications SET amount = 1 WHERE corridor = 'NG-GB'")
      })
      const path = join(folder, 'copy.gz')
      assert.equal((await backupsOf(harness.databaseUrl, harness).write(path, options)).found, 1)
      const target = `sqlite:${join(folder, 'restored.db')}`
      await assert.rejects(backupsOf(target, harness).restore(path, options), /do not match their log/)
      assert.deepEqual(readdirSync(folder), ['copy.gz'])
    }),
  )
})
