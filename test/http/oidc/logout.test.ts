/** Signing out ends the session here and at the provider. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSite, type Site } from '../../helpers/peers/identity-provider.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'

const email = 'ada@example.com'

const withSession = (
  work: (visitor: Visitor, site: Site) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withSite(
    async (site) => {
      await site.provider.account(email, { roles: ['viewer'], owner_id: site.ownerId })
      const visitor = new Visitor(site.harness, settings['FAIRWAY_PUBLIC_URL'])
      await visitor.signIn(email)
      await work(visitor, site)
    },
    { settings },
  )

/** The address at the provider that ends the session there. */
async function endSession(visitor: Visitor): Promise<URL> {
  const { status, body } = await visitor.post('/auth/logout')
  assert.equal(status, 200)
  return new URL(body.location as string)
}

test('it ends the session, and names the page of the provider that ends its own', async () => {
  await withSession(async (visitor, { provider }) => {
    const copy = visitor.copy()
    const address = await endSession(visitor)
    assert.equal(address.origin + address.pathname, `${provider.issuer}/session/end`)
    const { id_token_hint: hint = '', ...others } = Object.fromEntries(address.searchParams)
    assert.equal(others['post_logout_redirect_uri'], 'http://localhost/sign-in')
    const claims = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())
    assert.deepEqual([claims.sub, claims.iss, claims.aud], [email, provider.issuer, 'fairway'])
    assert.equal((await visitor.read('/auth/session')).body.signed_in, null)
    assert.equal((await copy.read('/api/v1/me')).status, 401)
  })
})

test('the provider accepts it, signs out, leads back, and asks for the account at the next sign-in', async () => {
  await withSession(async (visitor) => {
    // So far the provider knows the browser, and asks for nothing.
    const again = await visitor.copy().start()
    const { location } = await visitor.copy().open(again)
    assert.equal(location?.pathname, '/auth/callback')

    const page = await visitor.open(await endSession(visitor))
    assert.equal(page.status, 200, page.text)
    const ended = await visitor.submit(page, { logout: 'yes' })
    assert.equal(ended.location?.href, 'http://localhost/sign-in')
    const asked = await visitor.open(await visitor.start())
    assert.match(asked.location?.pathname ?? '', /^\/interaction\//)
    const form = await visitor.open(asked.location ?? assert.fail())
    assert.match(form.text, /<input id="email"/)
  })
})

test('with a public address the provider leads back there', async () => {
  await withSession(
    async (visitor) => {
      const address = await endSession(visitor)
      const uri = 'https://fairway.example/sign-in'
      assert.equal(address.searchParams.get('post_logout_redirect_uri'), uri)
      const ended = await visitor.submit(await visitor.open(address), { logout: 'yes' })
      assert.equal(ended.location?.href, uri)
    },
    { FAIRWAY_PUBLIC_URL: 'https://fairway.example' },
  )
})

test('who is not signed in is not sent to the provider', async () => {
  await withSite(async ({ harness }) => {
    const { status, body } = await new Visitor(harness).post('/auth/logout')
    assert.deepEqual([status, body], [200, { location: null }])
  })
})

test('nothing secret is in the log: no code, token, secret, cookie or account', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    const claims = { name: 'Ada Example', email, roles: ['viewer'], owner_id: ownerId }
    await provider.account(email, claims)
    const secrets = new Set([provider.clientSecret, email, 'Ada Example'])
    const visitor = new Visitor(harness)
    const tryOnce = async (prepare: () => Promise<void>): Promise<void> => {
      const start = await visitor.start('/status?page=private')
      for (const name of ['state', 'nonce', 'code_challenge']) secrets.add(start.searchParams.get(name) ?? '')
      const callback = await visitor.authorise(start, email)
      secrets.add(callback.searchParams.get('code') ?? '')
      for (const value of visitor.cookies.values()) secrets.add(value)
      await prepare()
      await visitor.open(callback)
      for (const value of visitor.cookies.values()) secrets.add(value)
    }
    await tryOnce(async () => undefined)
    const { location } = (await visitor.post('/auth/logout')).body
    const hint = new URL(location as string).searchParams.get('id_token_hint') ?? ''
    for (const part of hint.split('.')) secrets.add(part)
    // A refusal and an outage are logged with their reason.
    await tryOnce(() => provider.forge('another nonce'))
    await tryOnce(() => provider.forge('the signature of another key'))
    await tryOnce(() => provider.fault('down'))
    const log = harness.log.join('\n')
    assert.match(log, /people: a sign-in at the identity provider was refused/)
    assert.match(log, /people: the identity provider cannot be used/)
    assert.ok([...secrets].every((secret) => secret.length > 8) && secrets.size > 15)
    assert.deepEqual(
      [...secrets].filter((secret) => log.includes(secret)),
      [],
    )
    assert.equal(log.includes('page=private'), false)
  })
})
