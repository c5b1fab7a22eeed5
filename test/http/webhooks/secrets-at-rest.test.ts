/** Secrets of endpoints are encrypted in the database; one that no key opens signs nothing, and says so. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { encryptStored, findLost } from '../../../src/app/events/stored-secrets.ts'
import { acceptNewKey, openInstallationKey } from '../../../src/app/log/installation-key.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { keyOf, testKey } from '../../helpers/installation-key.ts'
import { withReceiver, type Received } from '../../helpers/peers/receiver.ts'
import { ask, degraded, register, signs, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const stored = async ({ databaseUrl }: Harness): Promise<string> =>
  JSON.stringify(await rowsOf(databaseUrl, 'SELECT secrets FROM webhooks'))

const newest = (requests: readonly Received[]): Received => requests.at(-1) ?? assert.fail('nothing arrived')

for (const engine of engines) {
  test(`the database holds no secret as it is, and every delivery is signed with it (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id, secret } = await register(harness, key, receiver.url)
        assert.doesNotMatch(await stored(harness), /whsec_/)
        await degraded(harness, key)
        await harness.deliver()
        assert.ok(signs(secret, newest(receiver.requests)))
        const rotated = await ask(harness, key, 'POST', `${webhooksUrl}/${id}/rotate-secret`)
        assert.doesNotMatch(await stored(harness), /whsec_/)
        await degraded(harness, key)
        await harness.deliver()
        assert.ok(signs(rotated.body.secret, newest(receiver.requests)))
      }),
    )
  })

  test(`a secret of before works as it is, and is encrypted at the next start (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { secret } = await register(harness, key, receiver.url)
        const plain = JSON.stringify([{ secret, endsAtMs: null }])
        await rowsOf(harness.databaseUrl, `UPDATE webhooks SET secrets = '${plain}'`)
        await degraded(harness, key)
        await harness.deliver()
        assert.ok(signs(secret, newest(receiver.requests)))
        const { box } = await keyOf(harness.store, harness.clock)()
        assert.deepEqual(await encryptStored(harness.store.endpoints, box), [])
        assert.doesNotMatch(await stored(harness), /whsec_/)
        await degraded(harness, key)
        await harness.deliver()
        assert.ok(signs(secret, newest(receiver.requests)))
      }),
    )
  })

  test(`without the key nothing is sent unsigned, the endpoint is named, and a new secret mends it (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        await degraded(harness, key)
        // As after the loss of the key.
        const deps = {
          ...harness,
          random: systemRandom,
          ...testKey,
          keys: [Buffer.alloc(32, 1).toString('base64')],
        }
        await acceptNewKey(deps, { by: 'ada', reference: 'CHANGE-7' })
        const settings = { ...trial, FAIRWAY_SEAL_KEY: `${deps.keys[0]}` }
        const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings })
        try {
          const { box } = await openInstallationKey(deps)
          const lost = await findLost(restarted.store.endpoints, box)
          assert.deepEqual(
            lost.map(({ webhookId }) => webhookId),
            [id],
          )
          await restarted.deliver()
          assert.equal(receiver.requests.length, 0)
          for (let hour = 0; hour < 5; hour += 1) {
            restarted.clock.advance(3_600_000)
            await restarted.deliver()
          }
          const [waiting] = (await restarted.get(key, `${webhooksUrl}/${id}/deliveries`)).body
          assert.deepEqual(
            waiting.attempts.map(({ attempt, error }: { attempt: number; error: string }) => [
              attempt,
              error,
            ]),
            [[1, 'secret_unavailable']],
          )
          assert.deepEqual(
            [waiting.status, waiting.next_attempt.attempt],
            ['pending', 1],
            'nothing is counted',
          )
          const rotated = await ask(restarted, key, 'POST', `${webhooksUrl}/${id}/rotate-secret`)
          assert.equal(rotated.status, 200)
          restarted.clock.advance(60_000)
          await restarted.deliver()
          assert.ok(signs(rotated.body.secret, newest(receiver.requests)))
          assert.equal(newest(receiver.requests).json.attempt, 1)
        } finally {
          await restarted.close()
        }
      }),
    )
  })
}
