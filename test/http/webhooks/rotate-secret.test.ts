/** POST /api/v1/webhooks/{webhook_id}/rotate-secret: a new secret at once, and a day for the old one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { ask, publicUrl, register, signs, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const day = 24 * 60 * 60 * 1000

const rotate = (harness: Harness, key: string, id: string): Promise<Answer> =>
  ask(harness, key, 'POST', `${webhooksUrl}/${id}/rotate-secret`)

/** Sends a test event and says which of the secrets sign it. */
async function signers(
  harness: Harness,
  receiver: TestReceiver,
  { key, id }: { key: string; id: string },
  secrets: readonly string[],
): Promise<{ contract: boolean[]; standard: boolean[]; count: number }> {
  await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
  await harness.deliver()
  const last = receiver.requests.at(-1) ?? assert.fail('nothing arrived')
  const found = secrets.map((secret) => signs(secret, last))
  return {
    contract: found.map(({ contract }) => contract),
    standard: found.map(({ standard }) => standard),
    count: String(last.headers['webhook-signature']).split(' ').length,
  }
}

for (const engine of engines) {
  test(`the new secret signs at once, and for 24 hours the old one signs beside it (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id, secret: old, ...shown } = await register(harness, key, receiver.url)
        const of = { key, id }
        assert.deepEqual(await signers(harness, receiver, of, [old]), {
          contract: [true],
          standard: [true],
          count: 1,
        })
        harness.clock.advance(5_000)
        const answer = await rotate(harness, key, id)
        assert.equal(answer.status, 200, answer.text)
        const { secret, previous_secret_expires_at: expiresAt, ...rest } = answer.body
        assert.deepEqual(rest, { webhook_id: id, ...shown })
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.notEqual(secret, old)
        assert.equal(expiresAt, '2026-03-02T12:00:05.000Z')
        const both = { contract: [false, true], standard: [true, true], count: 2 }
        assert.deepEqual(await signers(harness, receiver, of, [old, secret]), both)
        harness.clock.advance(day - 1)
        assert.deepEqual(await signers(harness, receiver, of, [old, secret]), both)
        harness.clock.advance(1)
        const after = { contract: [false, true], standard: [false, true], count: 1 }
        assert.deepEqual(await signers(harness, receiver, of, [old, secret]), after)
      }),
    )
  })

  test(`rotations at once each get a secret that is stored and signs (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const other = engine === 'postgres' ? await harness.sibling() : harness
        try {
          const { key } = await harness.issue()
          const { webhook_id: id, secret } = await register(harness, key, receiver.url)
          const answers = await Promise.all([rotate(harness, key, id), rotate(other, key, id)])
          const secrets = [secret, ...answers.map(({ body }) => String(body.secret))]
          assert.equal(new Set(secrets).size, 3)
          const found = await signers(harness, receiver, { key, id }, secrets)
          assert.deepEqual(found.standard, [true, true, true])
          assert.equal(found.contract[0], false)
          assert.equal(found.contract.filter(Boolean).length, 1, 'the later of the two')
          assert.equal(found.count, 3)
        } finally {
          if (other !== harness) await other.close()
        }
      }),
    )
  })

  test(`a sixth secret within 24 hours is refused and changes nothing, until one has ended (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { webhook_id: id } = await register(harness, key, publicUrl)
      const secretsOf = async (): Promise<unknown> =>
        (await rowsOf(harness.databaseUrl, 'SELECT secrets FROM webhooks'))[0]?.['secrets']
      for (let rotation = 0; rotation < 4; rotation += 1) {
        assert.equal((await rotate(harness, key, id)).status, 200)
        harness.clock.advance(60_000)
      }
      const before = await secretsOf()
      for (const answer of [await rotate(harness, key, id), await rotate(harness, key, id)]) {
        assert.equal(answer.status, 422)
        assert.equal(answer.body.code, 'UNPROCESSABLE')
        assert.doesNotMatch(answer.text, /whsec_/)
      }
      assert.equal(await secretsOf(), before)
      harness.clock.advance(day - 4 * 60_000 - 1)
      assert.equal((await rotate(harness, key, id)).status, 422)
      harness.clock.advance(1)
      assert.equal((await rotate(harness, key, id)).status, 200, 'the first of them has ended')
      assert.equal((await rotate(harness, key, id)).status, 422)
    })
  })
}

test('a retry is signed with the secrets of its own moment', async () => {
  let status = 500
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id, secret: old } = await register(harness, key, receiver.url)
        await harness.verify(key, { corridor: 'GB-NG' })
        await harness.deliver()
        const { body } = await rotate(harness, key, id)
        status = 200
        harness.clock.advance(60_000)
        await harness.deliver()
        const [first, second] = receiver.requests
        assert.ok(first !== undefined && second !== undefined)
        assert.deepEqual(signs(old, first), { contract: true, standard: true })
        assert.deepEqual(signs(body.secret, second), { contract: true, standard: true })
        assert.deepEqual(signs(old, second), { contract: false, standard: true })
      }),
    () => status,
  )
})
