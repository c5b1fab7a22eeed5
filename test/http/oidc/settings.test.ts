/** The settings of the identity provider and of the public address, and the words for its problems. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '../../../console/src/pages/sign-in/problems.ts'
import { signInProblems } from '../../../src/app/people/provider-accounts.ts'
import { readConfig } from '../../../src/config.ts'
import { BadSetting } from '../../../src/core/operate/settings.ts'
import { check } from '../../helpers/check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'

const client = { FAIRWAY_OIDC_CLIENT_ID: 'fairway' }

function refuses(environment: Readonly<Record<string, string>>, rule: RegExp): void {
  assert.throws(
    () => readConfig(environment),
    (error) => error instanceof BadSetting && rule.test(error.message) && !error.message.includes('\n'),
    JSON.stringify(environment),
  )
}

test('the issuer is https, or http on this machine, and nothing else', () => {
  const issuerOf = (text: string): unknown =>
    readConfig({ ...client, FAIRWAY_OIDC_ISSUER: text }).oidc?.issuer
  check<string, unknown>(
    [
      ['https://id.example.com', 'https://id.example.com'],
      ['https://id.example.com/realms/one', 'https://id.example.com/realms/one'],
      ['http://localhost:9090', 'http://localhost:9090'],
      ['http://127.0.0.1:9090', 'http://127.0.0.1:9090'],
      ['http://[::1]:9090', 'http://[::1]:9090'],
      ['', undefined],
    ],
    issuerOf,
  )
  for (const text of [
    'http://id.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'ftp://localhost',
    'javascript:alert(1)',
    'id.example.com',
    'https://user:password@id.example.com',
  ])
    refuses({ ...client, FAIRWAY_OIDC_ISSUER: text }, /^FAIRWAY_OIDC_ISSUER must be an https URL/)
})

test('an issuer needs a client', () => {
  refuses({ FAIRWAY_OIDC_ISSUER: 'https://id.example.com' }, /^FAIRWAY_OIDC_CLIENT_ID must be the id/)
})

test('a client secret that is none is refused, and is not repeated', () => {
  const secret = 'two words'
  const environment = { ...client, FAIRWAY_OIDC_ISSUER: 'https://id.example.com' }
  refuses(
    { ...environment, FAIRWAY_OIDC_CLIENT_SECRET: secret },
    /^FAIRWAY_OIDC_CLIENT_SECRET must be (?!.*two)/,
  )
})

test('by default the claims are roles and owner_id', () => {
  const environment = { ...client, FAIRWAY_OIDC_ISSUER: 'https://id.example.com' }
  assert.deepEqual(readConfig(environment).oidc, {
    issuer: 'https://id.example.com',
    clientId: 'fairway',
    clientSecret: null,
    claims: { roles: 'roles', owner: 'owner_id' },
  })
  const told = { FAIRWAY_OIDC_ROLES_CLAIM: 'realm_access.roles', FAIRWAY_OIDC_OWNER_CLAIM: 'tenant' }
  assert.deepEqual(readConfig({ ...environment, ...told }).oidc?.claims, {
    roles: 'realm_access.roles',
    owner: 'tenant',
  })
})

test('the public address is an origin: https, or http on this machine', () => {
  const originOf = (text: string): unknown => readConfig({ FAIRWAY_PUBLIC_URL: text }).publicUrl
  check<string, unknown>(
    [
      ['', null],
      ['https://fairway.example', 'https://fairway.example'],
      ['https://fairway.example:8443/', 'https://fairway.example:8443'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ],
    originOf,
  )
  for (const text of [
    'http://fairway.example',
    'https://fairway.example/console',
    'https://fairway.example?a=b',
    'https://fairway.example#top',
    'https://user@fairway.example',
    'fairway.example',
  ])
    refuses({ FAIRWAY_PUBLIC_URL: text }, /^FAIRWAY_PUBLIC_URL must be an https URL/)
})

test('without a provider there is no way to one', async () => {
  await withHarness({}, async (harness) => {
    const visitor = new Visitor(harness)
    assert.equal((await visitor.start('/status')).href, 'http://localhost/sign-in?from=%2Fstatus')
    const callback = new URL('http://localhost/auth/callback?code=a&state=b')
    assert.equal((await visitor.finish(callback)).path, '/sign-in?problem=restart')
    assert.equal((await visitor.read('/auth/session')).body.ways.provider, null)
  })
})

test('a site that is neither https nor on this machine offers no sign-in', async () => {
  const settings = { ...client, FAIRWAY_OIDC_ISSUER: 'https://id.example.com' }
  await withHarness({ settings }, async (harness) => {
    const visitor = new Visitor(harness, 'http://fairway.example')
    const { location, cookies } = await visitor.open('/auth/login')
    assert.equal(location?.href, 'http://fairway.example/sign-in?from=%2Foverview')
    assert.deepEqual(cookies, [])
    assert.equal((await visitor.read('/auth/session')).body.ways.provider, null)
  })
})

test('the sign-in page has words for every problem, and for nothing else', () => {
  assert.deepEqual(Object.keys(problems).toSorted(), signInProblems.toSorted())
})
