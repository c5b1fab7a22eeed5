/** POST /api/v1/verify: a sandbox makes a bounded number of decisions in a day, because none can be deleted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { received } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

const settings = { FAIRWAY_SANDBOX_DAILY: '3', FAIRWAY_COOLDOWN_S: '90' }
const calm = { corridor: 'GB-NG', amount: 20 }

for (const engine of engines) {
  test(`the fourth decision of a sandbox in a day is refused and not recorded; replays go on (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await received(harness)
      const first = await harness.verify(key, { ...calm, idempotency_key: 'a' })
      // A replay is no decision; a repeat in a cooldown is one.
      assert.equal((await harness.verify(key, { ...calm, idempotency_key: 'a' })).status, 200)
      assert.equal((await harness.verify(key, { ...calm, amount: 1000.08 })).body.decision, 'NO-GO')
      assert.ok('cooldown' in (await harness.verify(key, calm)).body)

      const refused = await harness.verify(key, { ...calm, idempotency_key: 'b' })
      assert.equal(refused.status, 429)
      assert.equal(refused.body.code, 'RATE_LIMITED')
      assert.match(refused.body.message, /at most 3 decisions in 24 hours/)
      const seconds = Number(refused.headers['retry-after'])
      assert.ok(seconds > 86_300 && seconds <= 86_400, String(seconds))
      assert.equal((await harness.get(key, '/api/verifications')).body.length, 3)

      const replay = await harness.verify(key, { ...calm, idempotency_key: 'a' })
      assert.deepEqual([replay.status, replay.body.request_id], [200, first.body.request_id])
    })
  })

  test(`a successor of the key has the same total, other sandboxes and test keys have their own (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { store, clock } = harness
      const { key } = await received(harness)
      for (let made = 0; made < 3; made += 1) assert.equal((await harness.verify(key, calm)).status, 200)
      const [{ keyId } = assert.fail()] = await store.keys.list()
      const rotated = await rotateKey({ keys: store.keys, clock, random: systemRandom }, keyId, 0)
      assert.ok(rotated.kind === 'rotated')
      assert.equal((await harness.verify(rotated.issued.key, calm)).status, 429)
      assert.equal((await harness.verify((await received(harness)).key, calm)).status, 200)
      const { key: other } = await harness.issue()
      for (let made = 0; made < 5; made += 1) assert.equal((await harness.verify(other, calm)).status, 200)
    })
  })
}

test('a day later the sandbox decides again', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await received(harness)
    for (let made = 0; made < 3; made += 1) await harness.verify(key, calm)
    harness.clock.advance(86_399_000)
    assert.equal((await harness.verify(key, calm)).status, 429)
    harness.clock.advance(1_000)
    assert.equal((await harness.verify(key, calm)).status, 200)
  })
})
