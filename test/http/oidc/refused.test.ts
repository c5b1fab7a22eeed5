/** Answers of a provider that prove nothing, and callbacks that are not of this browser: nobody is signed in. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../../src/core/time/durations.ts'
import { forgeries, type Forgery } from '../../helpers/peers/forgeries.ts'
import { withSite, type Site } from '../../helpers/peers/identity-provider.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'
import { rowCounts } from '../../helpers/post.ts'

const email = 'ada@example.com'
const refused = { path: '/sign-in?problem=provider_refused&from=%2Foverview', problem: 'provider_refused' }
const restart = { path: '/sign-in?problem=restart&from=%2Foverview', problem: 'restart' }
const signedIn = { path: '/overview', problem: null }

/** With an account that may sign in. */
function withAccount(work: (site: Site) => Promise<void>): Promise<void> {
  return withSite(async (site) => {
    await site.provider.account(email, { name: 'Ada Example', roles: ['viewer'], owner_id: site.ownerId })
    await work(site)
  })
}

/** No session, no person, no act of one. */
function expectNobody({ harness }: Site, visitor: Visitor): void {
  const { people, sessions } = rowCounts(harness)
  assert.deepEqual({ people, sessions }, { people: 0, sessions: 0 })
  const names = [...visitor.cookies.keys()].filter((name) => name.startsWith('fairway-'))
  assert.deepEqual(names, [])
}

const forgeryNames = (Object.keys(forgeries) as Forgery[]).filter((how) => how !== 'no fault')

for (const how of forgeryNames) {
  test(`an ID token with ${how} signs nobody in`, async () => {
    await withAccount(async (site) => {
      const visitor = new Visitor(site.harness)
      await site.provider.forge(how)
      assert.deepEqual(await visitor.signIn(email), refused)
      expectNobody(site, visitor)
      // The account itself is good, and so is a token that was only made again.
      await site.provider.forge('no fault')
      assert.deepEqual(await visitor.signIn(email), signedIn)
    })
  })
}

test('the user info of another account signs nobody in', async () => {
  await withAccount(async (site) => {
    const { ownerId } = site
    const userInfo = { sub: 'admin@example.com', roles: ['viewer'], owner_id: ownerId }
    await site.provider.account(email, { idToken: {}, userInfo })
    const visitor = new Visitor(site.harness)
    assert.deepEqual(await visitor.signIn(email), refused)
    expectNobody(site, visitor)
  })
})

test('an expired code signs nobody in', async () => {
  await withAccount(async (site) => {
    const visitor = new Visitor(site.harness)
    await site.provider.expireCodes(true)
    assert.deepEqual(await visitor.signIn(email), refused)
    expectNobody(site, visitor)
    await site.provider.expireCodes(false)
    assert.deepEqual(await visitor.signIn(email), signedIn)
  })
})

test('a code works once, even with the cookie of its sign-in', async () => {
  await withAccount(async (site) => {
    const visitor = new Visitor(site.harness)
    const callback = await visitor.authorise(await visitor.start(), email)
    const kept = visitor.copy()
    assert.deepEqual(await visitor.finish(callback), signedIn)
    assert.deepEqual(await visitor.finish(callback), { ...restart, path: '/sign-in?problem=restart' })
    assert.deepEqual(await kept.finish(callback), refused)
    assert.equal(rowCounts(site.harness)['sessions'], 1)
  })
})

test('a code of another sign-in is refused, because its challenge is another', async () => {
  await withAccount(async (site) => {
    const [visitor, other] = [new Visitor(site.harness), new Visitor(site.harness)]
    const own = await visitor.authorise(await visitor.start(), email)
    const foreign = await other.authorise(await other.start(), email)
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '')
    assert.deepEqual(await visitor.finish(own), refused)
    expectNobody(site, visitor)
  })
})

test("a callback without this browser's cookie must be started again", async () => {
  await withAccount(async (site) => {
    const visitor = new Visitor(site.harness)
    const callback = await visitor.authorise(await visitor.start(), email)
    const stranger = new Visitor(site.harness)
    assert.equal((await stranger.finish(callback)).path, '/sign-in?problem=restart')
    expectNobody(site, stranger)
    // It was not used up by the stranger.
    assert.deepEqual(await visitor.finish(callback), signedIn)
  })
})

test('a callback with another state must be started again', async () => {
  await withAccount(async (site) => {
    const visitor = new Visitor(site.harness)
    const callback = await visitor.authorise(await visitor.start(), email)
    const state = callback.searchParams.get('state') ?? assert.fail('no state')
    // The first characters choose the cookie; the others must be right, too.
    for (const other of [`${state.slice(0, 30)}${'A'.repeat(13)}`, 'A'.repeat(43), '']) {
      const changed = new URL(callback)
      changed.searchParams.set('state', other)
      assert.equal((await visitor.copy().finish(changed)).problem, 'restart', other)
    }
    const without = new URL(callback)
    without.searchParams.delete('state')
    assert.equal((await visitor.copy().finish(without)).problem, 'restart')
    expectNobody(site, new Visitor(site.harness))
    assert.deepEqual(await visitor.finish(callback), signedIn)
  })
})

test('a sign-in that takes longer than ten minutes must be started again', async () => {
  await withAccount(async (site) => {
    const { clock } = site.harness
    const visitor = new Visitor(site.harness)
    const inTime = await visitor.authorise(await visitor.start(), email)
    const late = visitor.copy()
    const tooLate = await late.authorise(await late.start(), email)
    clock.advance(10 * minuteMs - 1)
    assert.deepEqual(await visitor.finish(inTime), signedIn)
    clock.advance(1)
    assert.equal((await late.finish(tooLate)).path, '/sign-in?problem=restart')
  })
})

test('a cookie that this site has not sealed must be started again', async () => {
  await withAccount(async (site) => {
    const visitor = new Visitor(site.harness)
    const callback = await visitor.authorise(await visitor.start(), email)
    const [name = '', sealed = ''] = [...visitor.cookies].find(([key]) => key.startsWith('fairway-')) ?? []
    const state = callback.searchParams.get('state')
    const plain = JSON.stringify({ state, nonce: 'n', codeVerifier: 'v', returnTo: '/', expiresAtMs: 1e15 })
    const forged = [
      '',
      'sealed1.',
      'sealed1.0',
      'null',
      `${sealed.slice(0, 60)}AAAA${sealed.slice(64)}`,
      `${sealed.slice(0, -4)}AAAA`,
      plain,
    ]
    for (const value of forged) {
      const copy = visitor.copy()
      copy.setCookie(name, value)
      assert.equal((await copy.finish(callback)).path, '/sign-in?problem=restart', value)
    }
    assert.deepEqual(await visitor.finish(callback), signedIn)
  })
})

test('an answer of another provider, or a refusal by this one, signs nobody in', async () => {
  await withAccount(async (site) => {
    for (const change of [
      { iss: 'https://other.example' },
      { error: 'access_denied', code: '' },
      { code: '' },
      { code: 'unknown' },
    ]) {
      const visitor = new Visitor(site.harness)
      const callback = await visitor.authorise(await visitor.start(), email)
      for (const [name, value] of Object.entries(change)) callback.searchParams.set(name, value)
      assert.deepEqual(await visitor.finish(callback), refused, JSON.stringify(change))
      expectNobody(site, visitor)
    }
  })
})

test('a provider that says it is out of order is not said to have refused', async () => {
  await withAccount(async (site) => {
    for (const error of ['server_error', 'temporarily_unavailable']) {
      const visitor = new Visitor(site.harness)
      const callback = await visitor.authorise(await visitor.start(), email)
      callback.searchParams.delete('code')
      callback.searchParams.set('error', error)
      assert.equal((await visitor.finish(callback)).problem, 'provider_unavailable', error)
    }
  })
})
