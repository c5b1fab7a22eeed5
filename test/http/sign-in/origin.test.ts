/** Requests of other sites: with a session, nothing changes unless it comes from a page of this site. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { accept, goodPassword, invite, person, plainCookie, unlimited } from '../../helpers/people.ts'
import { stopAll } from '../../helpers/policies.ts'
import { post, rowCounts } from '../../helpers/post.ts'
import { degraded, goodOverride, publicUrl } from '../../helpers/webhooks.ts'

const host = '127.0.0.1:3000'
const ownOrigin = `http://${host}`

/** Of pages that are not ours, however alike, and of pages that do not say. */
const otherOrigins: readonly (string | undefined)[] = [
  undefined,
  'null',
  '',
  'http://evil.example',
  `${ownOrigin}.evil.example`,
  'http://127.0.0.1.evil.example:3000',
  'http://evil.example:3000',
  'http://127.0.0.1:3001',
  'http://127.0.0.1',
  'https://127.0.0.1:3000',
  'http://localhost:3000',
  'http://[::1]:3000',
  `${ownOrigin}/`,
  `${ownOrigin} `.concat('http://evil.example'),
  `http://evil.example, ${ownOrigin}`,
  `http://user@${host}`,
  'HTTP://127.0.0.1:3000',
  'file://',
]

interface Change {
  readonly method: 'POST' | 'DELETE'
  readonly url: string
  readonly payload?: object
}

interface Scene {
  readonly cookie: string
  readonly changes: readonly Change[]
}

/** One that may do everything, and every kind of change. */
async function sceneOn(harness: Harness): Promise<Scene> {
  const { key, record } = await harness.issue()
  const requestId = await degraded(harness, key)
  await harness.journal.passed('reviews')
  const reviewUrl = `/api/v1/reviews/rev_${requestId.slice(-26).toLowerCase()}`
  const roles = ['approver', 'policy_author', 'admin'] as const
  const { cookie, sessionId } = await person(harness, roles, record.ownerId)
  const changes: readonly Change[] = [
    { method: 'POST', url: '/api/v1/verify', payload: { corridor: 'GB-NG' } },
    { method: 'POST', url: `${reviewUrl}/propose`, payload: goodOverride },
    { method: 'POST', url: `/api/v1/decision/${requestId}/outcome`, payload: { outcome: 'PENDING' } },
    { method: 'POST', url: '/api/v1/webhooks', payload: { url: publicUrl } },
    { method: 'POST', url: '/api/v1/policies', payload: stopAll },
    { method: 'DELETE', url: `/api/v1/me/sessions/${sessionId}` },
    { method: 'POST', url: '/auth/logout' },
  ]
  return { cookie, changes }
}

const ask = (harness: Harness, change: Change, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  harness.send({
    method: change.method,
    url: change.url,
    headers: {
      host,
      ...headers,
      ...(change.payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(change.payload === undefined ? {} : { payload: JSON.stringify(change.payload) }),
  })

const originOf = (origin: string | undefined): Readonly<Record<string, string>> =>
  origin === undefined ? {} : { origin }

test('a change with a session from any other origin, or from none, is 403 and changes nothing', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { cookie, changes } = await sceneOn(harness)
    const before = rowCounts(harness)
    for (const change of changes) {
      for (const origin of otherOrigins) {
        const { status, body, headers } = await ask(harness, change, { cookie, ...originOf(origin) })
        assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], `${change.url} from ${origin}`)
        assert.match(body.message, /must come from a page of this site/)
        assert.equal(headers['set-cookie'], undefined)
        assert.equal(headers['access-control-allow-origin'], undefined)
      }
    }
    assert.deepEqual(rowCounts(harness), before)
    const me = await harness.send({ method: 'GET', url: '/api/v1/me', headers: { host, cookie } })
    assert.equal(me.status, 200, 'the session goes on')
  })
})

test('the same changes from a page of this site are made, each once', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { cookie, changes } = await sceneOn(harness)
    const before = rowCounts(harness)
    for (const change of changes) {
      const { status, text } = await ask(harness, change, { cookie, origin: ownOrigin })
      assert.equal(status, 200, `${change.url}: ${text}`)
    }
    const after = rowCounts(harness)
    for (const table of ['verifications', 'outcomes', 'webhooks', 'policies', 'review_changes'])
      assert.equal(after[table], (before[table] ?? 0) + 1, table)
  })
})

test('reads with a session need no origin: a link or another tab may open them', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { cookie } = await sceneOn(harness)
    for (const method of ['GET', 'HEAD'] as const) {
      for (const origin of otherOrigins) {
        for (const url of ['/api/v1/me', '/api/verifications', '/api/v1/webhooks']) {
          const headers = { host, cookie, ...originOf(origin) }
          const answer = await harness.send({ method, url, headers })
          assert.equal(answer.status, 200, `${method} ${url} from ${origin}`)
          assert.equal(answer.headers['access-control-allow-origin'], undefined, 'no script of it may read')
        }
      }
    }
  })
})

test('a sign-in, an invitation and a password from another origin are refused: nobody is signed in unasked', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person: invited } = await invite(harness, { ownerId })
    const accepted = await accept(harness, token, {}, { headers: { host, origin: ownOrigin } })
    assert.equal(accepted.status, 200)
    const { token: other } = await invite(harness, { ownerId })
    const before = rowCounts(harness)
    const bodies: readonly (readonly [string, object])[] = [
      ['/auth/login', { email: invited.email, password: goodPassword }],
      ['/auth/invitation', { token: other }],
      ['/auth/password', { token: other, name: 'Eve', password: goodPassword }],
    ]
    for (const [url, body] of bodies) {
      for (const origin of otherOrigins) {
        const answer = await post(harness, url, body, { headers: { host, ...originOf(origin) } })
        assert.equal(answer.status, 403, `${url} from ${origin}`)
        assert.equal(answer.headers['set-cookie'], undefined)
      }
    }
    assert.deepEqual(rowCounts(harness), before)
  })
})

/** Names that another site can give to this machine, or that this machine has on a network. */
const otherHosts = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example:3000',
  '127.0.0.1.evil.example',
  '127.0.0.1:3000.evil.example',
  '192.168.1.10:3000',
  '[::2]:3000',
  '0.0.0.0:3000',
]

test('under another host name there is no session and no sign-in, and the refusal says how to set it up', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { cookie, changes } = await sceneOn(harness)
    const { ownerId } = (await harness.issue()).record
    const { token } = await invite(harness, { ownerId })
    const before = rowCounts(harness)
    for (const other of otherHosts) {
      for (const origin of [`http://${other}`, ownOrigin]) {
        const headers = { host: other, cookie, origin }
        const me = await harness.send({ method: 'GET', url: '/api/v1/me', headers })
        assert.equal(me.status, 401, other)
        const session = await harness.send({ method: 'GET', url: '/auth/session', headers })
        assert.deepEqual(session.body, { signed_in: null, ways: { provider: null, password: false } })
        for (const change of changes) {
          const { status } = await ask(harness, change, headers)
          assert.equal(status, change.url === '/auth/logout' ? 403 : 401, `${change.url} at ${other}`)
        }
        const bodies = {
          '/auth/login': { email: 'a@example.com', password: 'x' },
          '/auth/password': { token, name: 'x', password: goodPassword },
        }
        for (const [url, body] of Object.entries(bodies)) {
          const { status, body: problem } = await post(harness, url, body, { headers })
          assert.equal(status, 403, `${url} at ${other}`)
          assert.match(
            problem.message,
            /^People sign in over https, or on this machine\. Set FAIRWAY_PUBLIC_URL/,
          )
        }
      }
    }
    assert.deepEqual(rowCounts(harness), before)
  })
})

test('on this machine every name of it is a site of its own', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token } = await person(harness, 'viewer', ownerId)
    const cookie = `${plainCookie}=${token}`
    const hosts = ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.9.9.9', '[::1]:3000']
    for (const name of hosts) {
      for (const other of hosts) {
        const headers = { host: name, cookie, origin: `http://${other.toLowerCase()}` }
        const { status } = await post(harness, '/api/v1/verify', { corridor: 'GB-NG' }, { headers })
        assert.equal(status, name === other ? 200 : 403, `${other} at ${name}`)
      }
    }
  })
})

test('with FAIRWAY_PUBLIC_URL its origin alone is the site, whatever the host header says', async () => {
  const settings = { ...unlimited, FAIRWAY_PUBLIC_URL: 'https://fairway.example' }
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token } = await person(harness, 'viewer', ownerId)
    const cookie = `__Host-${plainCookie}=${token}`
    const statusFrom = async (origin: string, name: string): Promise<number> => {
      const headers = { host: name, cookie, origin }
      return (await post(harness, '/api/v1/verify', { corridor: 'GB-NG' }, { headers })).status
    }
    assert.equal(await statusFrom('https://fairway.example', 'fairway.example'), 200)
    assert.equal(await statusFrom('https://fairway.example', '10.0.0.7:3000'), 200, 'behind a proxy')
    for (const [origin, name] of [
      ['http://fairway.example', 'fairway.example'],
      ['https://fairway.example:8443', 'fairway.example:8443'],
      ['https://evil.example', 'evil.example'],
      ['https://fairway.example.evil.example', 'fairway.example.evil.example'],
      ['http://localhost', 'localhost'],
    ] as const)
      assert.equal(await statusFrom(origin, name), 403, origin)
  })
})
