/** Signing in at an identity provider: the request, its cookie, the session, and the page that the person asked for. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSite } from '../../helpers/peers/identity-provider.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'

test('a sign-in gives a session with the name, the roles and the owner that the provider states', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    const claims = {
      name: 'Ada Example',
      email: 'ada@example.com',
      roles: ['approver', 'viewer'],
      owner_id: ownerId,
    }
    await provider.account('ada@example.com', claims)
    const visitor = new Visitor(harness)
    assert.deepEqual(await visitor.signIn('ada@example.com'), { path: '/overview', problem: null })
    const { body } = await visitor.read('/api/v1/me')
    assert.deepEqual(
      [body.kind, body.name, body.email, body.roles, body.owner_id, body.owner_name],
      ['person', 'Ada Example', 'ada@example.com', ['viewer', 'approver'], ownerId, 'Payments team'],
    )
    const state = (await visitor.read('/auth/session')).body
    assert.equal(state.signed_in.id, body.id)
    assert.equal(state.ways.provider, new URL(provider.issuer).host)
    const { sessions } = (await visitor.read('/api/v1/me/sessions')).body
    assert.deepEqual(
      sessions.map(({ method }: { method: string }) => method),
      ['provider'],
    )
  })
})

test('the authorisation request carries PKCE with S256, state and nonce, each new at every request', async () => {
  await withSite(async ({ harness }) => {
    const parameters = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await new Visitor(harness).start()).searchParams)
    const [first, second] = [await parameters(), await parameters()]
    const { code_challenge: challenge = '', state = '', nonce = '', ...fixed } = first
    assert.deepEqual(fixed, {
      client_id: 'fairway',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost/auth/callback',
      response_type: 'code',
      scope: 'openid profile email',
    })
    for (const value of [challenge, state, nonce]) assert.match(value, /^[\w-]{43}$/)
    const all = [challenge, state, nonce, second['code_challenge'], second['state'], second['nonce']]
    assert.equal(new Set(all).size, 6)
  })
})

test('the cookie of a sign-in is for this site alone, for ten minutes, and unreadable', async () => {
  await withSite(async ({ harness }) => {
    const visitor = new Visitor(harness)
    const { cookies, location } = await visitor.open('/auth/login')
    const [pair = '', ...attributes] = (cookies[0] ?? '').split('; ')
    assert.equal(cookies.length, 1)
    assert.match(pair, /^fairway-sign-in-[\w-]{16}=sealed1\.[\w.-]+$/)
    assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax'])
    const nonce = location?.searchParams.get('nonce') ?? assert.fail('no nonce')
    const sealed = pair
      .split('.')
      .slice(-1)
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    assert.equal(sealed.join('').includes(nonce), false)
  })
})

test('with an https address the cookies have the __Host- prefix and are secure, and the sign-in ends', async () => {
  const settings = { FAIRWAY_PUBLIC_URL: 'https://fairway.example' }
  await withSite(
    async ({ provider, harness, ownerId }) => {
      await provider.account('grace@example.com', { roles: ['viewer'], owner_id: ownerId })
      const visitor = new Visitor(harness, settings.FAIRWAY_PUBLIC_URL)
      const { cookies, location } = await visitor.open('/auth/login')
      assert.match(cookies[0] ?? '', /^__Host-fairway-sign-in-[\w-]{16}=\S+; /)
      assert.match(cookies[0] ?? '', /; Secure$/)
      const callback = await visitor.authorise(location ?? assert.fail(), 'grace@example.com')
      assert.equal(callback.href.startsWith('https://fairway.example/auth/callback?'), true)
      const seen = await visitor.open(callback)
      assert.equal(seen.location?.pathname, '/overview')
      const session = seen.cookies.find((text) => text.startsWith('__Host-fairway-session=')) ?? ''
      const attributes = session.split('; ').slice(1)
      const expected = ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure']
      assert.deepEqual(attributes.toSorted(), expected)
      assert.deepEqual([...visitor.cookies.keys()], ['__Host-fairway-session'])
    },
    { settings },
  )
})

test('a sign-in replaces the session that the browser had', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account('mary@example.com', { roles: ['viewer'], owner_id: ownerId })
    const visitor = new Visitor(harness)
    await visitor.signIn('mary@example.com')
    const before = visitor.cookie
    await visitor.signIn('mary@example.com')
    assert.notEqual(visitor.cookie, before)
    const answer = await harness.send({ method: 'GET', url: '/api/v1/me', headers: { cookie: before } })
    assert.equal(answer.status, 401)
    assert.equal((await visitor.read('/api/v1/me')).status, 200)
  })
})

test('two tabs sign in at the same time without disturbing each other', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account('joan@example.com', { roles: ['viewer'], owner_id: ownerId })
    const visitor = new Visitor(harness)
    const [first, second] = [await visitor.start('/status'), await visitor.start('/webhooks')]
    const secondBack = await visitor.authorise(second, 'joan@example.com')
    const firstBack = await visitor.authorise(first, 'joan@example.com')
    assert.equal((await visitor.finish(firstBack)).path, '/status')
    assert.equal((await visitor.finish(secondBack)).path, '/webhooks')
  })
})

test('a deep link is kept with its query', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account('edith@example.com', { roles: ['viewer'], owner_id: ownerId })
    const link = '/verifications?decision=NO-GO&corridor=GB-NG&q=a%20b%2Fc'
    const arrival = await new Visitor(harness).signIn('edith@example.com', link)
    assert.deepEqual(arrival, { path: link, problem: null })
  })
})

test('an address of another site is never followed', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account('edith@example.com', { roles: ['viewer'], owner_id: ownerId })
    const visitor = new Visitor(harness)
    const elsewhere = [
      '//evil.example',
      'https://evil.example',
      'https:evil.example',
      String.raw`/\evil.example`,
      String.raw`\/evil.example`,
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n//evil.example',
      ' //evil.example',
      'javascript:alert(1)',
      'data:text/html,evil',
      'evil.example',
      '',
    ]
    for (const from of elsewhere) {
      assert.equal((await visitor.signIn('edith@example.com', from)).path, '/overview', from)
    }
    // These are paths of this site, however strange.
    for (const from of ['/%09/evil.example', '/%5Cevil.example', '/.//evil.example', '/@evil.example']) {
      const back = await visitor.authorise(await visitor.start(from), 'edith@example.com')
      const { location } = await visitor.open(back)
      assert.equal(location?.origin, 'http://localhost', from)
    }
  })
})

test('it is kept while a sign-in fails, and leads to no other site then either', async () => {
  await withSite(async ({ provider, harness }) => {
    await provider.account('nobody@example.com', { roles: [] })
    const visitor = new Visitor(harness)
    const kept = await visitor.signIn('nobody@example.com', '/status?show=all')
    assert.equal(kept.path, '/sign-in?problem=no_role&from=%2Fstatus%3Fshow%3Dall')
    const elsewhere = await visitor.signIn('nobody@example.com', '//evil.example')
    assert.equal(elsewhere.path, '/sign-in?problem=no_role&from=%2Foverview')
    await provider.fault('down')
    const down = await visitor.signIn('nobody@example.com', '//evil.example')
    assert.equal(down.path, '/sign-in?problem=provider_unavailable&from=%2Foverview')
  })
})
