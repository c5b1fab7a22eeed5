/** A provider that is down, hangs, fails or changes its keys: the sign-in page says so, and all else works on. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { withSite, type Site } from '../../helpers/peers/identity-provider.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'
import { rowCounts } from '../../helpers/post.ts'

const email = 'ada@example.com'
const signedIn = { path: '/overview', problem: null }
const unavailable = {
  path: '/sign-in?problem=provider_unavailable&from=%2Foverview',
  problem: 'provider_unavailable',
}

const withAccount = (work: (site: Site) => Promise<void>): Promise<void> =>
  withSite(async (site) => {
    await site.provider.account(email, { name: 'Ada Example', roles: ['viewer'], owner_id: site.ownerId })
    await work(site)
  })

test('while the provider is down the sign-in says so, and keys and sessions work on', async () => {
  await withAccount(async ({ provider, harness, key }) => {
    const before = new Visitor(harness)
    await before.signIn(email)
    await provider.fault('down')
    const visitor = new Visitor(harness)
    assert.deepEqual(await visitor.signIn(email), unavailable)
    assert.deepEqual([...visitor.cookies], [])
    assert.equal((await before.read('/api/v1/me')).body.name, 'Ada Example')
    assert.equal((await harness.get(key, '/api/v1/me')).status, 200)
    const decided = await harness.verify(key, { corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
    assert.equal(decided.body.decision, 'GO')
    // The page offers the provider nevertheless: it may be back at any moment.
    assert.equal((await visitor.read('/auth/session')).body.ways.provider, new URL(provider.issuer).host)
    const lines = harness.log.filter((line) => line.includes('people: the identity provider cannot be used'))
    assert.match(lines.join('\n'), /ECONNREFUSED/)
    await provider.fault('none')
    assert.deepEqual(await visitor.signIn(email), signedIn)
  })
})

test('a provider that goes down before the callback says so, and the session starts at the next try', async () => {
  await withAccount(async ({ provider, harness }) => {
    const visitor = new Visitor(harness)
    const callback = await visitor.authorise(await visitor.start(), email)
    await provider.fault('down')
    assert.deepEqual(await visitor.finish(callback), unavailable)
    assert.equal(rowCounts(harness)['sessions'], 0)
    await provider.fault('none')
    assert.deepEqual(await visitor.signIn(email), signedIn)
  })
})

test('while the provider is down a person signs out here', async () => {
  await withAccount(async ({ provider, harness }) => {
    const visitor = new Visitor(harness)
    await visitor.signIn(email)
    const copy = visitor.copy()
    await provider.fault('down')
    const answer = await visitor.post('/auth/logout')
    assert.deepEqual([answer.status, answer.body], [200, { location: null }])
    assert.equal((await copy.read('/api/v1/me')).status, 401)
  })
})

for (const path of ['/.well-known', '/token', '/jwks', '/me']) {
  test(`an endless answer at ${path} is broken off, named in the log, and not the person's fault`, async () => {
    await withAccount(async ({ provider, harness }) => {
      await provider.account(email, { idToken: {}, userInfo: {} })
      await provider.fault('endless', path)
      const visitor = new Visitor(harness)
      assert.deepEqual(await visitor.signIn(email), unavailable)
      const lines = harness.log.filter((line) =>
        line.includes('people: the identity provider cannot be used'),
      )
      assert.match(lines.join('\n'), /an answer of more than 1048576 bytes/)
    })
  })
}

const faults = { error: 'answers 500', cut: 'breaks off', drop: 'hangs up' } as const
for (const [fault, name] of Object.entries(faults) as [keyof typeof faults, string][]) {
  for (const path of ['/.well-known', '/token', '/jwks', '/me']) {
    test(`a provider that ${name} at ${path} is said to be unavailable`, async () => {
      await withAccount(async ({ provider, harness }) => {
        // Without claims in the ID token the user info is read.
        await provider.account(email, { idToken: {}, userInfo: {} })
        await provider.fault(fault, path)
        const visitor = new Visitor(harness)
        assert.deepEqual(await visitor.signIn(email), unavailable)
        assert.equal(rowCounts(harness)['people'], 0)
      })
    })
  }
}

test('user info that fails stops nobody whose ID token has roles and owner', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
    await provider.fault('error', '/me')
    const visitor = new Visitor(harness)
    assert.deepEqual(await visitor.signIn(email), signedIn)
    assert.equal((await visitor.read('/api/v1/me')).body.name, email)
  })
})

test('a provider that hangs is waited for no longer than a limit, at the start, the callback and the logout', async () => {
  await withAccount(async ({ provider, harness }) => {
    const [visitor, signed, fresh] = [new Visitor(harness), new Visitor(harness), new Visitor(harness)]
    const callback = await visitor.authorise(await visitor.start(), email)
    await signed.signIn(email)
    await provider.fault('hang')
    const [started, finished, left] = await Promise.all([
      fresh.signIn(email),
      visitor.finish(callback),
      signed.post('/auth/logout'),
    ])
    assert.deepEqual([started, finished], [unavailable, unavailable])
    assert.deepEqual(left.body, { location: null })
    assert.match(harness.log.join('\n'), /timed out/)
  })
})

test('the settings of another issuer are noticed', async () => {
  await withSite(async ({ provider }) => {
    const other = provider.issuer.replace('localhost', '127.0.0.1')
    const settings = { ...provider.settings, FAIRWAY_OIDC_ISSUER: other }
    await withHarness({ settings }, async (harness) => {
      assert.deepEqual(await new Visitor(harness).signIn(email), unavailable)
    })
  })
})

test('a wrong client secret signs nobody in, and is no refusal of the person', async () => {
  await withSite(
    async ({ provider, harness, ownerId }) => {
      await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
      const { problem } = await new Visitor(harness).signIn(email)
      assert.equal(problem, 'provider_unavailable')
      assert.match(harness.log.join('\n'), /"level":"warn".*invalid_client/)
    },
    { settings: { FAIRWAY_OIDC_CLIENT_SECRET: 'another-secret' } },
  )
})

test('a new signing key counts at once, however often it changes', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
    for (let changes = 0; changes < 3; changes += 1) {
      assert.deepEqual(await new Visitor(harness).signIn(email), signedIn)
      await provider.rotate()
    }
    assert.deepEqual(await new Visitor(harness).signIn(email), signedIn)
  })
})

test('a session lives on when the key that signed its ID token is gone', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
    const visitor = new Visitor(harness)
    await visitor.signIn(email)
    await provider.rotate()
    assert.equal((await visitor.read('/api/v1/me')).status, 200)
  })
})
