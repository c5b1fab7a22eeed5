/** The sealer ends its turns, and the check of the log knows which records were taken away. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sealer } from '../../../src/app/log/sealer.ts'
import { verifyLog } from '../../../src/app/log/verify-log.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { keyOf } from '../../helpers/installation-key.ts'

/** The store, with something done before it appends to the log. */
const withAppend = (store: Store, before: () => Promise<void>): Store => ({
  ...store,
  log: {
    ...store.log,
    async append(growth) {
      await before()
      return store.log.append(growth)
    },
  },
})

const signingOf = async ({ clock }: Harness, store: Store) => (await keyOf(store, clock)()).signing

test('a turn seals what waited at its beginning, and ends although more comes all the time', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const decide = async (): Promise<void> => {
      await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      await harness.store.journal.sequence()
    }
    for (let place = 0; place < 3; place += 1) await decide()
    const store = withAppend(harness.store, decide)
    const sealer = new Sealer({ store, clock: harness.clock, signing: await signingOf(harness, store) })
    assert.equal(await sealer.turn(), 3)
    assert.equal(await sealer.turn(), 1, 'what came meanwhile is for the next')
  })
})

test('a turn ends when `isEnough` returns true, and the next one goes on', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    await harness.store.journal.sequence()
    const { store } = harness
    const sealer = new Sealer({ store, clock: harness.clock, signing: await signingOf(harness, store) })
    assert.equal(await sealer.turn(() => true), 0)
    assert.equal(await sealer.turn(), 1)
  })
})

test('a record of a month that was taken away is counted apart; any other that is gone is a finding', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    await harness.seal()
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      await run('DROP TRIGGER verifications_no_delete')
      await run('DELETE FROM verifications')
    })
    const { signer, origin } = await signingOf(harness, harness.store)
    const check = (isAway: boolean) =>
      verifyLog({
        store: harness.store,
        verifiers: [{ origin, publicKey: Buffer.from(signer.publicKey) }],
        savedCheckpoints: [],
        isDetached: (id) => isAway && id === body.request_id,
        onProgress: () => undefined,
      })
    const taken = await check(true)
    assert.deepEqual([taken.away, taken.findings], [1, []])
    const gone = await check(false)
    assert.deepEqual(
      [gone.away, gone.findings.map(({ message }) => message)],
      [0, ['the sealed record, override, outcome, act or change of a review is missing']],
    )
  })
})
