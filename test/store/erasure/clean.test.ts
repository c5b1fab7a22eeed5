/** Cleaning after an erasure: all of it, whatever clock its host has, and it fails where somebody may still read the texts. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import { openSqlite } from '../../../src/adapters/store/engine/sqlite.ts'
import { createStore } from '../../../src/adapters/store/engine/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { erase } from '../../helpers/erasure.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

/** The store of a command that does not wait for readers. */
function impatient(context: TestContext, { databaseUrl }: Harness) {
  const driver = databaseUrl.startsWith('sqlite:')
    ? openSqlite({ leafHashes, path: databaseUrl.slice('sqlite:'.length), cleanTimeoutMs: 0 })
    : openPostgres({
        leafHashes,
        url: databaseUrl,
        onIdleError: () => {},
        onMissingPartition: () => Promise.resolve(),
        cleanTimeoutMs: 0,
      })
  context.after(() => driver.close())
  return createStore(driver).erasures
}

for (const engine of engines) {
  test(`${engine}: an erasure is cleaned, although one of a host whose clock is ahead was cleaned before`, () =>
    withHarness({ engine }, async (harness) => {
      const { clock, store } = harness
      const { key, record } = await harness.issue()
      const nowMs = clock.nowMs()
      const eraseAt = async (atMs: number, text: string): Promise<void> => {
        await harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: text })
        clock.setWall(atMs)
        assert.equal(await erase(harness, record.ownerId, text), 1)
        clock.setWall(nowMs)
        assert.equal(await store.erasures.needsCleaning(), true, text)
        await store.erasures.clean()
        assert.equal(await store.erasures.needsCleaning(), false, text)
      }
      await eraseAt(nowMs + 400 * 86_400_000, 'ahead')
      await eraseAt(nowMs, 'on time')
      await eraseAt(nowMs - 3_600_000, 'behind')
    }))

  test(`${engine}: cleaning fails while somebody may still read the text, and the next one does it`, (context) =>
    withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      await harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: 'order-of-jane-doe' })
      const erasures = impatient(context, harness)
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await run(engine === 'sqlite' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ')
        assert.equal((await run('SELECT * FROM personal_texts')).length, 1)
        await erase(harness, record.ownerId, 'order-of-jane-doe')
        await assert.rejects(erasures.clean(), StoreUnavailable)
        assert.equal(await erasures.needsCleaning(), true)
        assert.equal((await run('SELECT * FROM personal_texts')).length, 1, 'it can still be read')
        await run('COMMIT')
        await erasures.clean()
        assert.equal(await erasures.needsCleaning(), false)
      })
    }))
}

test('postgres: cleaning fails for a role that may not vacuum the tables, which PostgreSQL skips with a warning', (context) =>
  withHarness({ engine: 'postgres' }, async (harness) => {
    const url = new URL(harness.databaseUrl)
    const role = `reader_${url.pathname.slice(1).replaceAll(/\W/g, '_')}`
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      await run(`CREATE ROLE ${role} LOGIN`)
      await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`)
      url.username = role
      await assert.rejects(impatient(context, { ...harness, databaseUrl: url.href }).clean(), /does not own/)
      await run(`DROP OWNED BY ${role}`)
      await run(`DROP ROLE ${role}`)
    })
  }))
