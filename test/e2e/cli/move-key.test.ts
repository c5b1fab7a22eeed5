/** `fairway audit move-key`, and where a server keeps its key. */

import assert from 'node:assert/strict'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { serve } from '../../helpers/process/process.ts'

const seedsIn = async (url: string): Promise<unknown[]> =>
  (await rowsOf(url, 'SELECT seed FROM log_keys')).map(({ seed }) => seed)

interface CheckpointAnswer {
  readonly checkpoint: { readonly verifier_key: string }
}

async function verifierOf(url: string): Promise<string> {
  const answer = await checkedFetch(`${url}/api/v1/audit/checkpoint`)
  return ((await answer.json()) as CheckpointAnswer).checkpoint.verifier_key
}

test('on SQLite a server keeps its key in a file of its own, for its user alone', async () => {
  const database = await freshDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url })
  const path = `${database.url.slice('sqlite:'.length)}.key`
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const key = await verifierOf(server.url)
  assert.deepEqual(await seedsIn(database.url), [null])
  assert.equal(await server.stop(), 0)
  const again = await serveInProcess({ DATABASE_URL: database.url })
  assert.equal(await verifierOf(again.url), key, 'and finds it again')
  assert.equal(await again.stop(), 0)
  const none = await runInProcess(['audit', 'move-key'], { DATABASE_URL: database.url })
  assert.deepEqual([none.code, none.stdout], [1, ''])
  assert.match(none.stderr, /the signing key is not in the database/)
  await database.drop()
})

for (const engine of engines) {
  test(`a key in the database is reported, moves out in one command, and goes on signing (${engine})`, async () => {
    const database = await freshDatabase(engine)
    await withFolder(async (folder) => {
      // Where there is no file, a key is kept in the database, as earlier versions did.
      const inDatabase = { DATABASE_URL: database.url, FAIRWAY_SEAL_KEY_FILE: '' }
      if (engine === 'sqlite') await plantKey(database.url)
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
async function plantKey(url: string): Promise<void> {
  const { stop } = await serveInProcess({ DATABASE_URL: url })
  await stop()
  const path = `${url.slice('sqlite:'.length)}.key`
  const seed = readFileSync(path, 'utf8').trim()
  await rowsOf(url, `UPDATE log_keys SET seed = '${seed}'`)
  renameSync(path, `${path}.away`)
}

test('nothing is overwritten, and without a place nothing is moved', async () => {
  const database = await freshDatabase('postgres')
  const server = await serveInProcess({ DATABASE_URL: database.url })
  await verifierOf(server.url)
  await server.stop()
  await withFolder(async (folder) => {
    const settings = { DATABASE_URL: database.url }
    const nowhere = await runInProcess(['audit', 'move-key'], settings)
    assert.match(nowhere.stderr, /name the file to create: --out FILE/)
    const taken = join(folder, 'taken')
    writeFileSync(taken, 'mine')
    const refused = await runInProcess(['audit', 'move-key', '--out', taken], settings)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /taken already exists: nothing was moved/)
    assert.equal(readFileSync(taken, 'utf8'), 'mine')
    assert.equal((await seedsIn(database.url)).filter((seed) => seed !== null).length, 1)
  })
  await database.drop()
})
