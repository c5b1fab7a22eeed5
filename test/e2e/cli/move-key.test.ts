/** `fairway audit move-key`, `audit new-key`, and where a server keeps its key. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { engines, freshDatabase, migratedDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { run, serve } from '../../helpers/process/process.ts'

const seedsIn = async (url: string): Promise<unknown[]> =>
  (await rowsOf(url, 'SELECT seed FROM log_keys')).map(({ seed }) => seed)

interface CheckpointAnswer {
  readonly checkpoint: { readonly verifier_key: string }
}

async function verifierOf(url: string): Promise<string> {
  const answer = await checkedFetch(`${url}/api/v1/audit/checkpoint`)
  return ((await answer.json()) as CheckpointAnswer).checkpoint.verifier_key
}

for (const engine of engines) {
  test(`a server keeps its key in a file of its own, says so, and does not start without it (${engine})`, async () => {
    const database = await freshDatabase(engine)
    await withFolder(async (folder) => {
      const path = join(folder, 'data', 'fairway.key')
      const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY_FILE: path }
      const server = await serve(settings)
      assert.equal(statSync(path).mode & 0o777, 0o600)
      await server.said(/created the key of this installation in \S+fairway\.key: keep a copy elsewhere/)
      const key = await verifierOf(server.url)
      assert.deepEqual(await seedsIn(database.url), [null])
      assert.equal(await server.stop(), 0)
      const again = await serveInProcess(settings)
      assert.equal(await verifierOf(again.url), key, 'and finds it again')
      assert.doesNotMatch(again.output(), /created the key/)
      assert.equal(await again.stop(), 0)
      const none = await runInProcess(['audit', 'move-key'], settings)
      assert.deepEqual([none.code, none.stdout], [1, ''])
      assert.match(none.stderr, /the signing key is not in the database/)

      renameSync(path, `${path}.lost`)
      const refused = await run(['serve'], { PORT: '0', ...settings })
      assert.equal(refused.code, 1)
      assert.match(
        refused.stderr,
        /^fairway: the key of this database is missing: .*fairway audit new-key --reference/m,
      )
      assert.ok(!existsSync(path))
      const without = await runInProcess(['audit', 'new-key'], settings)
      assert.match(without.stderr, /--reference <change-id>/)
      const made = await runInProcess(['audit', 'new-key', '--reference', 'CHANGE-7'], settings)
      assert.equal(made.code, 0, made.stderr)
      assert.match(made.stdout, /^Created \S+fairway\.key\. Keep a copy elsewhere/)
      assert.ok(!made.stdout.includes(readFileSync(path, 'utf8').trim()), 'the key is shown nowhere')
      const twice = await runInProcess(['audit', 'new-key', '--reference', 'CHANGE-8'], settings)
      assert.deepEqual([twice.code, twice.stdout], [1, ''])
      assert.match(twice.stderr, /already is the last of the log/)
      const lost = await run(['serve'], {
        PORT: '0',
        ...settings,
        FAIRWAY_SEAL_KEY_FILE: '',
        FAIRWAY_SEAL_KEY: Buffer.alloc(32).toString('base64'),
      })
      assert.equal(lost.code, 1)
      assert.match(lost.stderr, /the key in FAIRWAY_SEAL_KEY is not the last key of the log/)
      const after = await serveInProcess(settings)
      await after.said(/another key signs from now on/)
      assert.equal(await after.stop(), 0)
    })
    await database.drop()
  })

  test(`a start that fails at its port has signed nothing (${engine})`, async () => {
    const database = await migratedDatabase(engine)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await runInProcess(['serve'], { DATABASE_URL: database.url, PORT: String(port) })
    other.close()
    assert.equal(code, 1)
    assert.match(stderr, /the address 127\.0\.0\.1:\d+ is in use/)
    assert.deepEqual(await rowsOf(database.url, 'SELECT note FROM log_checkpoints'), [])
    await database.drop()
  })
}

for (const engine of engines) {
  test(`a key in the database is reported, moves out in one command, and goes on signing (${engine})`, async () => {
    const database = await freshDatabase(engine)
    await withFolder(async (folder) => {
      const inDatabase = {
        DATABASE_URL: database.url,
        FAIRWAY_SEAL_KEY_FILE: join(folder, 'installation.key'),
      }
      await plantKey(inDatabase)
      const before = await serveInProcess(inDatabase)
      const key = await verifierOf(before.url)
      assert.match(before.output(), /a signing key is in the database/)
      assert.equal(await before.stop(), 0)

      const out = join(folder, 'fairway.key')
      const moved = await runInProcess(['audit', 'move-key', '--out', out], inDatabase)
      assert.equal(moved.code, 0, moved.stderr)
      assert.match(moved.stdout, /no longer in the database/)
      assert.match(moved.stdout, /FAIRWAY_SEAL_KEY/)
      const text = readFileSync(out, 'utf8')
      assert.ok(!`${moved.stdout}${moved.stderr}`.includes(text.trim()), 'it is shown nowhere')
      assert.equal(statSync(out).mode & 0o777, 0o600)
      assert.ok((await seedsIn(database.url)).every((seed) => seed === null))
      const [act] = await rowsOf(database.url, "SELECT kind FROM acts WHERE kind = 'seal_key.moved'")
      assert.notEqual(act, undefined, 'it is an entry of the log')

      // As after a move that was interrupted: it is finished, and needs no other file.
      await rowsOf(database.url, `UPDATE log_keys SET seed = '${text.trim()}'`)
      const again = await runInProcess(['audit', 'move-key', '--out', out], inDatabase)
      assert.equal(again.code, 0, again.stderr)
      assert.ok((await seedsIn(database.url)).every((seed) => seed === null))

      for (const settings of [{ FAIRWAY_SEAL_KEY: text.trim() }, { FAIRWAY_SEAL_KEY_FILE: out }]) {
        const after = await serveInProcess({ DATABASE_URL: database.url, ...settings })
        assert.equal(await verifierOf(after.url), key)
        assert.doesNotMatch(after.output(), /a signing key is in the database/)
        assert.equal(await after.stop(), 0)
      }
    })
    await database.drop()
  })
}

/** As an earlier version left it. */
async function plantKey(settings: { readonly DATABASE_URL: string; readonly FAIRWAY_SEAL_KEY_FILE: string }) {
  const { stop } = await serveInProcess(settings)
  await stop()
  const path = settings.FAIRWAY_SEAL_KEY_FILE
  const seed = readFileSync(path, 'utf8').trim()
  await rowsOf(settings.DATABASE_URL, `UPDATE log_keys SET seed = '${seed}'`)
  renameSync(path, `${path}.away`)
}

test('nothing is overwritten, and without --out the key moves to where the server looks for it', async () => {
  const database = await freshDatabase('postgres')
  await withFolder(async (folder) => {
    const path = join(folder, 'installation.key')
    const settings = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY_FILE: path }
    await plantKey(settings)
    const taken = join(folder, 'taken')
    writeFileSync(taken, 'mine')
    const refused = await runInProcess(['audit', 'move-key', '--out', taken], settings)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /taken already exists: nothing was moved/)
    assert.equal(readFileSync(taken, 'utf8'), 'mine')
    assert.equal((await seedsIn(database.url)).filter((seed) => seed !== null).length, 1)
    const moved = await runInProcess(['audit', 'move-key'], settings)
    assert.equal(moved.code, 0, moved.stderr)
    assert.equal(readFileSync(path, 'utf8'), readFileSync(`${path}.away`, 'utf8'))
    assert.deepEqual(await seedsIn(database.url), [null])
  })
  await database.drop()
})
