/** The installation's key: where it comes from, where it is kept, and that it is one. */

import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openKeyFile } from '../../../src/adapters/key-file.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import { openInstallationKey } from '../../../src/app/log/installation-key.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'

const seedsIn = async ({ databaseUrl }: Harness) =>
  (await rowsOf(databaseUrl, 'SELECT seed FROM log_keys')).map(({ seed }) => seed)

const publicKeyOf = ({ signing }: Awaited<ReturnType<typeof openInstallationKey>>): string =>
  Buffer.from(signing.signer.publicKey).toString('base64')

test('a new key is kept in a file for its owner alone, never in the database, and is found again', async () => {
  await withFolder((folder) =>
    withHarness({}, async (harness) => {
      const path = join(folder, 'fairway.db.key')
      const open = () => openInstallationKey({ ...harness, random, keys: [], file: openKeyFile(path) })
      // Two processes at their first start.
      const [first, second] = await Promise.all([open(), open()])
      assert.equal(publicKeyOf(first), publicKeyOf(second))
      assert.equal(first.place, 'file')
      assert.equal(statSync(path).mode & 0o777, 0o600)
      assert.match(readFileSync(path, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
      assert.deepEqual(await seedsIn(harness), [null])
      assert.equal(publicKeyOf(await open()), publicKeyOf(first))
    }),
  )
})

for (const engine of engines) {
  test(`a key in the database still works, and one from the settings comes before it (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const deps = { ...harness, random, keys: [] as string[], file: null }
      const stored = await openInstallationKey(deps)
      assert.equal(stored.place, 'database')
      const sealed = stored.box.seal('whsec_old', 'whk_1')
      const own = await openInstallationKey({ ...deps, keys: [Buffer.alloc(32, 1).toString('base64')] })
      assert.equal(own.place, 'settings')
      assert.notEqual(publicKeyOf(own), publicKeyOf(stored))
      assert.equal(own.signing.origin, stored.signing.origin, 'the name of the log stays')
      assert.equal(own.box.open(sealed, 'whk_1'), 'whsec_old', 'what the earlier one sealed still opens')
      assert.equal((await seedsIn(harness)).filter((seed) => seed !== null).length, 1)
    })
  })
}

test('a file that others can read, or that holds something else, is refused by name', async () => {
  await withFolder((folder) =>
    withHarness({}, async (harness) => {
      const path = join(folder, 'key')
      const open = () => openInstallationKey({ ...harness, random, keys: [], file: openKeyFile(path) })
      writeFileSync(path, 'not a key\n', { mode: 0o600 })
      await assert.rejects(open(), /key must hold 32 bytes in base64/)
      writeFileSync(path, `${Buffer.alloc(32, 1).toString('base64')}\n`)
      chmodSync(path, 0o640)
      await assert.rejects(open(), /key can be read by others: run chmod 600/)
      chmodSync(path, 0o600)
      assert.equal((await open()).place, 'file')
    }),
  )
})

test('a link that somebody planted in place of the file is not followed to write', async () => {
  await withFolder((folder) =>
    withHarness({}, async (harness) => {
      const path = join(folder, 'key')
      symlinkSync('target', path)
      const file = openKeyFile(path)
      await assert.rejects(openInstallationKey({ ...harness, random, keys: [], file }))
      assert.throws(() => statSync(join(folder, 'target')), { code: 'ENOENT' })
    }),
  )
})

for (const engine of engines) {
  test(`a change of the key is told, is an entry of the log, and exports are signed as their log is (${engine})`, async () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
    await withHarness({ engine, settings: { FAIRWAY_SEAL_KEY: keys[0] } }, async (harness) => {
      const { key } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 20 })
      const url = `/api/v1/audit/export/${body.request_id}`
      const before = readVerifierKey((await harness.get(key, url)).body.integrity.signature.verifier_key)
      const settings = { FAIRWAY_SEAL_KEY: `${keys[1]},${keys[0]}` }
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings })
      try {
        const meanwhile = await restarted.get(key, url)
        assert.deepEqual(verifyBundle(meanwhile.text, before).findings, [], 'as the newest checkpoint is')
        await restarted.seal()
        const exported = await restarted.get(key, url)
        const after = readVerifierKey(exported.body.proof.checkpoint.verifier_key) ?? assert.fail('no key')
        assert.notDeepEqual(after, before)
        assert.deepEqual(verifyBundle(exported.text, after).findings, [])
        const acts = await rowsOf(
          harness.databaseUrl,
          "SELECT detail FROM acts WHERE kind = 'seal_key.changed'",
        )
        assert.equal(acts.length, 1)
        const deps = { ...restarted, random, keys: [keys[1], keys[0]], file: null }
        assert.equal((await openInstallationKey(deps)).changedFrom, null, 'the change is reported once')
      } finally {
        await restarted.close()
      }
    })
  })
}
