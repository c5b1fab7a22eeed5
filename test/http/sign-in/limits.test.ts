/** Attempts to sign in are limited for each account and for each address, whether an account exists or not. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../../src/core/time/durations.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { accept, goodPassword, invite, joined, postFromPage, signIn } from '../../helpers/people.ts'
import { post } from '../../helpers/post.ts'
import { anonymous } from '../../helpers/webhooks.ts'

const windowMs = 15 * minuteMs

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const [here, elsewhere] = [from('198.51.100.1'), from('198.51.100.2')]

/** Ten wrong passwords for one account, in several spellings, from one address, on these instances in turn. */
async function exhaust(instances: readonly Harness[], email: string): Promise<void> {
  for (let place = 0; place < 10; place += 1) {
    const instance = instances[place % instances.length] ?? assert.fail()
    const spelled = place % 2 === 0 ? email : email.toUpperCase()
    const { status } = await signIn(instance, spelled, 'wrong but long enough', here)
    assert.equal(status, 401, `attempt ${place + 1}`)
  }
}

const settings = { FAIRWAY_TRUST_PROXY: '1' }

test('the 11th attempt of an address on an account in 15 minutes is refused, whether the account exists or not', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { email } = await joined(harness, { ownerId })
    const { email: calm } = await joined(harness, { ownerId })
    await exhaust([harness], email)
    await exhaust([harness], 'nobody@example.com')
    // The right password does not get in, either.
    const refused = [
      await signIn(harness, email, goodPassword, here),
      await signIn(harness, email, 'wrong but long enough', here),
      await signIn(harness, 'nobody@example.com', goodPassword, here),
    ]
    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
      assert.equal(headers['retry-after'], '900')
      assert.equal(headers['set-cookie'], undefined)
    }
    assert.equal(new Set(refused.map(anonymous)).size, 1, 'one and the same answer')
    assert.equal((await signIn(harness, calm, goodPassword, here)).status, 200, 'another account')
    const own = await signIn(harness, email, goodPassword, elsewhere)
    assert.equal(own.status, 200, 'nobody is locked out by a stranger')
    harness.clock.advance(windowMs - 1)
    assert.equal((await signIn(harness, email, goodPassword, here)).status, 429)
    harness.clock.advance(1)
    assert.equal((await signIn(harness, email, goodPassword, here)).status, 200)
  })
})

test('attempts on one account are counted together on all instances', async () => {
  await withHarness({ engine: 'postgres', settings }, async (one) => {
    const other = await one.sibling()
    try {
      await exhaust([one, other], 'nobody@example.com')
      for (const instance of [one, other])
        assert.equal((await signIn(instance, 'nobody@example.com', goodPassword, here)).status, 429)
    } finally {
      await other.close()
    }
  })
})

test('attempts of one address are limited across accounts and links, and those of another are not', async () => {
  await withHarness({ settings: { ...settings, FAIRWAY_LIMIT_SIGN_IN: '4/900' } }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person } = await invite(harness, { ownerId })
    const policy = '"sign-in";q=4;w=900'
    const first = await accept(harness, token, {}, here)
    assert.deepEqual([first.status, first.headers['ratelimit-policy']], [200, policy])
    assert.equal((await signIn(harness, 'one@example.com', 'x', here)).status, 401)
    assert.equal((await signIn(harness, 'two@example.com', 'x', here)).status, 401)
    assert.equal((await postFromPage(harness, '/auth/invitation', { token }, here)).status, 422)
    const refused = [
      await signIn(harness, person.email, goodPassword, here),
      await signIn(harness, 'three@example.com', 'x', here),
      await postFromPage(harness, '/auth/invitation', { token }, here),
      await accept(harness, token, {}, here),
    ]
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, headers['retry-after'], headers['set-cookie']]),
      refused.map(() => [429, '900', undefined]),
    )
    assert.equal((await signIn(harness, person.email, goodPassword, elsewhere)).status, 200)
    harness.clock.advance(windowMs)
    assert.equal((await signIn(harness, person.email, goodPassword, here)).status, 200)
  })
})

test('sign-ins that succeed count as well, and a limit on people leaves keys alone', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_SIGN_IN: '2/900' } }, async (harness) => {
    const { key, record } = await harness.issue()
    await joined(harness, { ownerId: record.ownerId })
    const left = async (): Promise<unknown> =>
      (await postFromPage(harness, '/auth/invitation', { token: 'x' })).headers['ratelimit']
    assert.equal(await left(), '"sign-in";r=0;t=900')
    assert.equal((await postFromPage(harness, '/auth/invitation', { token: 'x' })).status, 429)
    assert.equal((await harness.get(key, '/api/v1/me')).status, 200)
    assert.equal((await harness.get(null, '/auth/session')).status, 200)
  })
})

test('attempts from pages of other sites do not use up what an address may do', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_SIGN_IN: '1/900' } }, async (harness) => {
    for (const url of ['/auth/login', '/auth/invitation', '/auth/password']) {
      const headers = { origin: 'http://evil.example' }
      for (let count = 0; count < 3; count += 1)
        assert.equal((await post(harness, url, {}, { headers })).status, 403)
    }
    assert.equal((await postFromPage(harness, '/auth/invitation', { token: 'x' })).status, 422)
    assert.equal((await postFromPage(harness, '/auth/invitation', { token: 'x' })).status, 429)
  })
})
