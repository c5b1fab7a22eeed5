/** The installation's key: where it comes from, where it is kept, and that it is one. */

import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openKeyFile } from '../../../src/adapters/key-file.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { readVerifierKey } from '../../../src/app/log/checkpoint.ts'
import {
  acceptNewKey,
  findFit,
  KeyRefusal,
  openInstallationKey,
  wayOut,
} from '../../../src/app/log/installation-key.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { testKey } from '../../helpers/installation-key.ts'

const seedsIn = async ({ databaseUrl }: Harness) =>
  (await rowsOf(databaseUrl, 'SELECT seed FROM log_keys')).map(({ seed }) => seed)

const publicKeyOf = ({ signing }: Awaited<ReturnType<typeof openInstallationKey>>): string =>
  Buffer.from(signing.signer.publicKey).toString('base64')

const keys = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string, string]

const approval = { by: 'ada', reference: 'CHANGE-7' }

const changesOf = async ({ databaseUrl }: Harness) =>
  (
    await rowsOf(
      databaseUrl,
      "SELECT made_by, detail FROM acts WHERE kind = 'seal_key.changed' ORDER BY act_id",
    )
  ).map((row) => ({ by: row['made_by'], detail: JSON.parse(String(row['detail'])) as unknown }))

for (const engine of engines) {
  test(`a new key is kept in a file for its owner alone, never in the database, and is found again (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine }, async (harness) => {
        const path = join(folder, 'data', 'fairway.key')
        const open = () => openInstallationKey({ ...harness, random, keys: [], file: openKeyFile(path) })
        // Two processes at their first start.
        const [first, second] = await Promise.all([open(), open()])
        assert.equal(publicKeyOf(first), publicKeyOf(second))
        assert.deepEqual([first.place, first.madeIn ?? second.madeIn], ['file', path])
        assert.equal(statSync(path).mode & 0o777, 0o600)
        assert.match(readFileSync(path, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
        assert.deepEqual(await seedsIn(harness), [null])
        const again = await open()
        assert.deepEqual([publicKeyOf(again), again.madeIn], [publicKeyOf(first), null])
      }),
    )
  })

  test(`a key file that is missing where there is a log is not created, and the start is refused (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine }, async (harness) => {
        const open = (name: string) =>
          openInstallationKey({ ...harness, random, keys: [], file: openKeyFile(join(folder, name)) })
        await open('first.key')
        await assert.rejects(open('second.key'), (error: Error) => {
          assert.ok(error instanceof KeyRefusal)
          assert.match(error.message, /the key of this database is missing/)
          assert.match(error.message, /every instance needs the same key/)
          assert.match(error.message, /fairway audit new-key --reference CHANGE-ID/)
          return true
        })
        assert.ok(!existsSync(join(folder, 'second.key')))
        assert.equal((await harness.store.log.keys()).length, 1)
      }),
    )
  })

  test(`of two instances with other keys at an empty database, one is refused and leaves nothing (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const open = (key: string) => openInstallationKey({ ...harness, random, ...testKey, keys: [key] })
      const opened = await Promise.allSettled([open(keys[0]), open(keys[1])])
      assert.deepEqual(opened.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      assert.equal((await harness.store.log.keys()).length, 1)
    })
  })

  test(`a key in the database still works, and so do its secrets after a new one was accepted (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const deps = { ...harness, random, ...testKey }
      await openInstallationKey({ ...deps, keys: [keys[0]] })
      // As an earlier version left it.
      await rowsOf(harness.databaseUrl, `UPDATE log_keys SET seed = '${keys[0]}'`)
      const stored = await openInstallationKey({ ...deps, keys: [] })
      assert.equal(stored.place, 'database')
      const sealed = stored.box.seal('whsec_old', 'whk_1')
      const replaced = { ...deps, keys: [keys[1]] }
      await assert.rejects(openInstallationKey(replaced), KeyRefusal)
      assert.equal((await acceptNewKey(replaced, approval)).kind, 'changed')
      const own = await openInstallationKey(replaced)
      assert.equal(own.place, 'settings')
      assert.notEqual(publicKeyOf(own), publicKeyOf(stored))
      assert.equal(own.signing.origin, stored.signing.origin, 'the name of the log stays')
      assert.equal(own.box.open(sealed, 'whk_1'), 'whsec_old', 'what the earlier one sealed still opens')
      assert.deepEqual(await seedsIn(harness), [keys[0], null])
    })
  })

  test(`another key than the log's last is refused, until an operator accepts it; then the earlier is (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_SEAL_KEY: keys[0] } }, async (harness) => {
      const { key } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 20 })
      await harness.seal()
      const holding = (...held: string[]) => ({ ...harness, random, ...testKey, keys: held })
      const [first, second] = keys
      const verifier = (await harness.get(null, '/api/v1/audit/checkpoint')).body.checkpoint.verifier_key
      const refused = async (...held: string[]): Promise<void> => {
        const { refusal } = await findFit(holding(...held))
        await assert.rejects(openInstallationKey(holding(...held)), {
          name: 'KeyRefusal',
          message: `${refusal}. ${wayOut}`,
        })
      }
      // Also where the earlier one is behind it.
      for (const held of [[second], [second, first]]) await refused(...held)
      await assert.rejects(openInstallationKey(holding(second)), (error: Error) => {
        assert.ok(
          error.message.includes(`the key in FAIRWAY_SEAL_KEY is not the last key of the log, ${verifier}`),
        )
        assert.ok(!error.message.includes(second), 'the key is shown nowhere')
        return true
      })
      assert.equal((await harness.store.log.keys()).length, 1)
      assert.deepEqual(await changesOf(harness), [])

      assert.deepEqual(await acceptNewKey(holding(first), approval), { kind: 'unchanged', key: verifier })
      const accepted = await acceptNewKey(holding(second, first), approval)
      assert.ok(accepted.kind === 'changed')
      assert.deepEqual(await changesOf(harness), [
        { by: 'ada', detail: { from: verifier, reference: 'CHANGE-7', to: accepted.to } },
      ])
      // An instance that starts before the new key has signed still may have the earlier one.
      assert.equal((await openInstallationKey(holding(first, second))).changedFrom, null)
      assert.equal((await openInstallationKey(holding(second, first))).changedFrom, verifier)

      const settings = { FAIRWAY_SEAL_KEY: `${second},${first}` }
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings })
      try {
        harness.clock.advance(1_000)
        await restarted.seal()
        await restarted.seal()
        const newest = (await restarted.get(null, '/api/v1/audit/checkpoint')).body.checkpoint.verifier_key
        assert.equal(newest, accepted.to)
        await refused(first, second)
        await refused(keys[2])
        // One that runs on with the earlier key changes nothing back.
        await harness.seal()
        assert.equal((await changesOf(harness)).at(-1)?.by, 'server')
        assert.equal((await openInstallationKey(holding(second))).changedFrom, null)
      } finally {
        await restarted.close()
      }
    })
  })

  test(`a lost key: a new one is made in its file, with an entry of the log, and the start goes on (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine }, async (harness) => {
        await harness.seal()
        const path = join(folder, 'fairway.key')
        const deps = { ...harness, random, keys: [], file: openKeyFile(path) }
        await assert.rejects(openInstallationKey(deps), KeyRefusal)
        const made = await acceptNewKey(deps, approval)
        assert.ok(made.kind === 'changed' && made.madeIn === path)
        const opened = await openInstallationKey(deps)
        assert.deepEqual([opened.place, opened.madeIn], ['file', null])
        assert.ok(opened.held.has(made.to))
        assert.equal((await changesOf(harness)).length, 1)
      }),
    )
  })

  test(`before the first start there is no key to change (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({ engine }, async (harness) => {
        const path = join(folder, 'fairway.key')
        const deps = { ...harness, random, keys: [], file: openKeyFile(path) }
        assert.deepEqual(await acceptNewKey(deps, approval), { kind: 'no_log' })
        assert.ok(!existsSync(path))
      }),
    )
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
  test(`while a key changes, exports are signed as their log is (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_SEAL_KEY: keys[0] } }, async (harness) => {
      const { key } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 20 })
      const url = `/api/v1/audit/export/${body.request_id}`
      const before = readVerifierKey((await harness.get(key, url)).body.integrity.signature.verifier_key)
      const held = [keys[1], keys[0]]
      await acceptNewKey({ ...harness, random, ...testKey, keys: held }, approval)
      const settings = { FAIRWAY_SEAL_KEY: held.join() }
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings })
      try {
        const meanwhile = await restarted.get(key, url)
        assert.deepEqual(verifyBundle(meanwhile.text, before).findings, [], 'as the newest checkpoint is')
        await restarted.seal()
        const exported = await restarted.get(key, url)
        const after = readVerifierKey(exported.body.proof.checkpoint.verifier_key) ?? assert.fail('no key')
        assert.notDeepEqual(after, before)
        assert.deepEqual(verifyBundle(exported.text, after).findings, [])
      } finally {
        await restarted.close()
      }
    })
  })
}
