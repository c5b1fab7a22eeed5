/** The log of all that was recorded: everything is in it once, in an order that holds, and whatever is changed is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { isSignedBy, readNote, readVerifierKey, verifierKey } from '../../../src/app/log/checkpoint.ts'
import { acceptNewKey, openInstallationKey } from '../../../src/app/log/installation-key.ts'
import { Sealer } from '../../../src/app/log/sealer.ts'
import { verifyLog, type VerifiedLog } from '../../../src/app/log/verify-log.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { keyOf, testKey } from '../../helpers/installation-key.ts'

async function sealerOf({ store, clock }: Harness): Promise<Sealer> {
  const { signing } = await keyOf(store, clock)()
  return new Sealer({ store, clock, signing })
}

async function checked(harness: Harness, kept: readonly string[] = []): Promise<VerifiedLog> {
  const { store, clock } = harness
  const { signing } = await keyOf(store, clock)()
  const verifier =
    readVerifierKey(verifierKey(signing.origin, signing.signer.publicKey)) ?? assert.fail('no key')
  return verifyLog({
    store,
    verifiers: [verifier],
    savedCheckpoints: kept.flatMap((note) => readNote(note) ?? []),
    isDetached: () => false,
    onProgress: () => {},
  })
}

/** So many decisions, every fifth of them blocked and overridden. */
async function decide(harness: Harness, key: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    const overrides = place % 5 === 0
    const corridor = overrides ? 'GB-NG' : 'NG-GB'
    const { body } = await harness.verify(key, { corridor, amount: overrides ? 60_000 : place + 1 })
    ids.push(body.request_id)
    if (overrides) assert.equal((await override(harness, key, body.request_id)).status, 200)
  }
  return ids
}

function override(harness: Harness, key: string, requestId: string) {
  return harness.send({
    method: 'POST',
    url: '/api/v1/override',
    headers: { 'x-api-key': key },
    payload: {
      request_id: requestId,
      action: 'EXECUTE',
      reason_code: 'SEEN_BEFORE',
      justification: 'The payee is known.',
    },
  })
}

for (const engine of engines) {
  test(`${engine}: every record and override is sealed once, in a tree whose checkpoints are signed`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const sealer = await sealerOf(harness)
      assert.equal(await sealer.turn(), 0)
      await decide(harness, key, 10)
      for (const state of ['queued', 'numbered']) {
        const before = await checked(harness)
        assert.deepEqual([before.size, before.waiting, before.findings], [0, 12, []], state)
        await harness.store.journal.sequence()
      }
      assert.equal(await sealer.turn(), 12)
      await decide(harness, key, 5)
      await harness.store.journal.sequence()
      assert.equal(await (await sealerOf(harness)).turn(), 6, 'another goes on where the first has ended')
      assert.equal(await sealer.turn(), 0)
      const after = await checked(harness)
      assert.deepEqual(
        [after.size, after.records, after.overrides, after.waiting, after.checkpoints, after.findings],
        [18, 15, 3, 0, 2, []],
      )
    })
  })

  test(`${engine}: instances that seal at once take turns, and nothing is sealed twice`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const other = await harness.sibling()
      const sealers = [await sealerOf(harness), await sealerOf(other)]
      const seal = async (sealer: Sealer): Promise<number> => {
        await harness.store.journal.sequence()
        return sealer.turn()
      }
      let added = 0
      for (let round = 0; round < 6; round += 1) {
        await Promise.all(
          Array.from({ length: 30 }, (_, place) =>
            (place % 2 === 0 ? harness : other).verify(key, { corridor: 'NG-GB', amount: place }),
          ),
        )
        const turns = await Promise.all(sealers.map(seal))
        for (const turn of turns) added += turn
      }
      for (const sealer of sealers) added += await seal(sealer)
      assert.equal(added, 180)
      const { size, records, waiting, findings } = await checked(harness)
      assert.deepEqual([size, records, waiting, findings], [180, 180, 0, []])
      await other.close()
    })
  })

  test(`${engine}: a key from the settings signs from then on, under the name that the log has`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { key } = await harness.issue()
      await decide(harness, key, 1)
      await harness.seal()
      const before = readNote((await store.log.head()).note ?? '') ?? assert.fail('no checkpoint')
      const seed = systemRandom.bytes(32)
      const keys = [Buffer.from(seed).toString('base64')]
      const deps = { store, clock, random: systemRandom, ...testKey, keys }
      await acceptNewKey(deps, { by: 'ada', reference: 'CHANGE-7' })
      const { signing } = await openInstallationKey(deps)
      assert.equal(signing.origin, before.origin)
      await decide(harness, key, 1)
      await store.journal.sequence()
      await new Sealer({ store, clock, signing }).turn()
      const verifier =
        readVerifierKey(verifierKey(signing.origin, signing.signer.publicKey)) ?? assert.fail('no key')
      assert.ok(isSignedBy((await store.log.head()).note ?? '', verifier))
      const kept = await store.log.keys()
      const own = kept.find((one) => one.publicKey === Buffer.from(verifier.publicKey).toString('base64'))
      assert.deepEqual([kept.length, own?.seed], [2, null], 'and is not kept in the database')
    })
  })

  test(`${engine}: the database itself refuses to change what is sealed`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      await decide(harness, key, 1)
      await harness.seal()
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        for (const table of ['log_blocks', 'log_checkpoints']) {
          const column = table === 'log_blocks' ? 'entries' : 'note'
          await assert.rejects(run(`UPDATE ${table} SET ${column} = 'x'`), /write-once/)
          await assert.rejects(run(`DELETE FROM ${table}`), /write-once/)
        }
      })
    })
  })
}
