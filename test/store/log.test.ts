/** The log of all that was recorded: everything is in it once, in an order that holds, and whatever is changed is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../src/adapters/system.ts'
import { readNote, readVerifierKey } from '../../src/app/log/checkpoint.ts'
import { openSigning, Sealer, verifierOf } from '../../src/app/log/sealer.ts'
import { verifyLog, type VerifiedLog } from '../../src/app/log/verify-log.ts'
import { engines } from '../helpers/databases.ts'
import { withHarness, type Harness } from '../helpers/harness.ts'

async function sealerOf({ store, clock }: Harness): Promise<Sealer> {
  const signing = await openSigning({ store, clock, random: systemRandom, seed: null })
  return new Sealer({ store, clock, signing })
}

async function checked(harness: Harness, kept: readonly string[] = []): Promise<VerifiedLog> {
  const { store, clock } = harness
  const signing = await openSigning({ store, clock, random: systemRandom, seed: null })
  const verifier = readVerifierKey(verifierOf(signing)) ?? assert.fail('no key')
  return verifyLog({
    store,
    verifiers: [verifier],
    kept: kept.flatMap((note) => readNote(note) ?? []),
    isAway: () => false,
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
      const before = await checked(harness)
      assert.deepEqual([before.size, before.waiting, before.findings], [0, 12, []])
      assert.equal(await sealer.turn(), 12)
      await decide(harness, key, 5)
      assert.equal(await (await sealerOf(harness)).turn(), 6, 'another goes on where the first has ended')
      assert.equal(await sealer.turn(), 0)
      const after = await checked(harness)
      assert.deepEqual(
        [after.size, after.records, after.overrides, after.waiting, after.checkpoints, after.findings],
        [18, 15, 3, 0, 2, []],
      )
    })
  })
}
