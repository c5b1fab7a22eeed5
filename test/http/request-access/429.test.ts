/**
 * The limits of request-access: five in 15 rolling minutes and ten active keys for a client address, three active keys
 * for an email address.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { revokeKey, rotateKey } from '../../../src/app/access/keys.ts'
import { askFor, received, unlimited } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

test('the sixth in 15 minutes from one address is refused before its form is read, and waiting Retry-After succeeds', async () => {
  await withHarness({}, async (harness) => {
    for (let left = 4; left >= 0; left -= 1) {
      const answer = await askFor(harness, { email: `ada${left}@example.com` })
      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['ratelimit']), new RegExp(`^"request-access";r=${left};t=\\d+$`))
    }
    const refused = await askFor(harness, { email: 'not even one' })
    assert.equal(refused.status, 429)
    assert.equal(refused.body.code, 'RATE_LIMITED')
    assert.equal(refused.headers['retry-after'], '900')
    assert.equal((await askFor(harness, {}, { remoteAddress: '192.0.2.9' })).status, 200, 'another address')
    harness.clock.advance(899_999)
    assert.equal((await askFor(harness)).status, 429)
    harness.clock.advance(1)
    assert.equal((await askFor(harness)).status, 200)
  })
})

test('the limit is its own: demo routes have another, and the setting changes it', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_ACCESS: '1/60' } }, async (harness) => {
    assert.equal((await askFor(harness)).headers['ratelimit-policy'], '"request-access";q=1;w=60')
    assert.equal((await askFor(harness)).status, 429)
    const demo = await harness.send({ method: 'POST', url: '/api/v1/demo-verify' })
    assert.equal(demo.status, 200)
    assert.equal(demo.headers['ratelimit-policy'], '"demo-verify";q=15;w=900')
  })
})

for (const engine of engines) {
  test(`a fourth active sandbox key of one email address is refused, in any spelling, and nothing is ended for it (${engine})`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const keys: string[] = []
      for (const email of ['payments@example.com', 'PAYMENTS@example.com', 'Payments@Example.Com']) {
        keys.push((await received(harness, { email })).key)
      }
      const refused = await askFor(harness, { email: 'paymentS@examplE.com' })
      assert.equal(refused.status, 429)
      assert.equal(refused.body.code, 'RATE_LIMITED')
      assert.match(refused.body.message, /3 active sandbox keys/)
      assert.match(refused.body.message, /operator/)
      assert.equal(refused.headers['retry-after'], '86400')
      assert.match(String(refused.headers['ratelimit']), /^"request-access";r=\d+;t=\d+$/)
      assert.equal((await harness.store.access.list(null)).length, 3, 'what is refused is not recorded')
      for (const key of keys) assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
      assert.equal(
        (await askFor(harness, { email: 'payments+2@example.com' })).status,
        200,
        'another address',
      )
    })
  })

  test(`an eleventh active sandbox key for one client address is refused, whatever the email (${engine})`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      for (let taken = 0; taken < 10; taken += 1) {
        await received(harness, { email: `developer${taken}@example.com` })
      }
      const refused = await askFor(harness, { email: 'one-more@example.com' })
      assert.equal(refused.status, 429)
      assert.match(refused.body.message, /network address already has 10 active sandbox keys/)
      // Before the other address has one, too.
      const [{ keyId } = assert.fail()] = await harness.store.keys.list()
      const more = { email: 'one-more@example.com' }
      assert.equal((await askFor(harness, more, { remoteAddress: '192.0.2.9' })).status, 200)
      await revokeKey({ keys: harness.store.keys, clock: harness.clock }, keyId)
      assert.equal((await askFor(harness, { email: 'again@example.com' })).status, 200, 'one was revoked')
    })
  })

  test(`a key that was revoked or has run out makes room for another (${engine})`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { store, clock } = harness
      for (let taken = 0; taken < 3; taken += 1) await received(harness)
      const [one, two] = await store.keys.list()
      assert.ok(one !== undefined && two !== undefined)
      assert.equal((await askFor(harness)).status, 429)
      await revokeKey({ keys: store.keys, clock }, one.keyId)
      assert.equal((await askFor(harness)).status, 200)
      assert.equal((await askFor(harness)).status, 429)
      // While both hold, a rotated key and its successor are two; afterwards they are one.
      const rotated = await rotateKey({ keys: store.keys, clock, random: systemRandom }, two.keyId, 60_000)
      assert.ok(rotated.kind === 'rotated')
      assert.equal((await askFor(harness)).status, 429)
      clock.advance(60_000)
      assert.equal((await askFor(harness)).status, 429, 'three still hold: the successor is one of them')
      await revokeKey({ keys: store.keys, clock }, rotated.issued.record.keyId)
      assert.equal((await askFor(harness)).status, 200, 'the one that has run out does not count')
    })
  })

  test(`of many requests of one address at once, on two instances, exactly three get a key (${engine})`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const other = await harness.sibling()
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) => askFor(index % 2 === 0 ? harness : other)),
      )
      await other.close()
      const statuses = Map.groupBy(answers, ({ status }) => status)
      assert.deepEqual(
        [...statuses.keys()].toSorted((left, right) => left - right),
        [200, 429],
      )
      assert.equal(statuses.get(200)?.length, 3)
      assert.equal((await harness.store.keys.list()).length, 3)
      assert.equal((await harness.store.access.list('received')).length, 3)
    })
  })
}
