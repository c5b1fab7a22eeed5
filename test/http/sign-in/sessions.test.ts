/** The life of a session: 12 hours, ended at once and on every instance by whoever may end it, and never planted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionMs } from '../../../src/core/identity/person.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import {
  accept,
  anotherSession,
  cookieOf,
  invite,
  peopleOn,
  person,
  plainCookie,
  read,
  signIn,
  unlimited,
  type SignedInPerson,
} from '../../helpers/people.ts'

const settings = unlimited

const statusOf = async (harness: Harness, cookie: string): Promise<number> =>
  (await read(harness, { headers: { cookie } }, '/api/v1/me')).status

test('a session lasts 12 hours from the sign-in, however much it is used', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const viewer = await person(harness, 'viewer', ownerId)
    const { body } = await read(harness, viewer, '/api/v1/me')
    assert.equal(Date.parse(body.session.expires_at), harness.clock.nowMs() + 12 * 3_600_000)
    harness.clock.advance(sessionMs / 2)
    assert.equal(await statusOf(harness, viewer.cookie), 200)
    harness.clock.advance(sessionMs / 2 - 1)
    assert.equal(await statusOf(harness, viewer.cookie), 200)
    harness.clock.advance(1)
    const { status, headers } = await read(harness, viewer, '/api/v1/me')
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="fairway"'])
    assert.equal((await read(harness, viewer, '/auth/session')).body.signed_in, null)
  })
})

/** Every way to end the first session of a person, and whether the second ends with it. */
const endings: Readonly<
  Record<string, { endsAll: boolean; end: (harness: Harness, first: SignedInPerson) => Promise<unknown> }>
> = {
  'a logout': {
    endsAll: false,
    end: (harness, { headers }) => harness.send({ method: 'POST', url: '/auth/logout', headers }),
  },
  'the person, from the list': {
    endsAll: false,
    end: (harness, { headers, sessionId }) =>
      harness.send({ method: 'DELETE', url: `/api/v1/me/sessions/${sessionId}`, headers }),
  },
  'people end-sessions': {
    endsAll: true,
    end: (harness, { personId }) => peopleOn(harness).endSessions(personId),
  },
  'people remove': { endsAll: true, end: (harness, { personId }) => peopleOn(harness).remove(personId) },
  'people invite --reset': {
    endsAll: true,
    end: (harness, { personId }) => peopleOn(harness).reset(personId),
  },
}

for (const engine of engines) {
  for (const [what, { endsAll, end }] of Object.entries(endings)) {
    test(`${engine}: ended by ${what}, a session ends at once, on every instance`, async () => {
      await withHarness({ engine, settings }, async (harness) => {
        const { ownerId } = (await harness.issue()).record
        const first = await person(harness, 'viewer', ownerId)
        const second = await anotherSession(harness, first.personId)
        const stranger = await person(harness, 'viewer', ownerId)
        const other = await harness.sibling()
        try {
          const instances = [harness, other]
          // Both have met it, so that neither could have it from a cache.
          for (const instance of instances) assert.equal(await statusOf(instance, first.cookie), 200)
          await end(harness, first)
          for (const instance of instances) {
            assert.equal(await statusOf(instance, first.cookie), 401)
            assert.equal(await statusOf(instance, second.cookie), endsAll ? 401 : 200)
            assert.equal(await statusOf(instance, stranger.cookie), 200)
          }
        } finally {
          await other.close()
        }
      })
    })
  }
}

test('a logout without a session, or twice, says the same and clears the cookie', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const viewer = await person(harness, 'viewer', ownerId)
    const { cookie: _none, ...withoutCookie } = viewer.headers
    for (const headers of [viewer.headers, viewer.headers, withoutCookie]) {
      const answer = await harness.send({ method: 'POST', url: '/auth/logout', headers })
      assert.deepEqual([answer.status, answer.body], [200, { location: null }])
      const { name, value, attributes } = cookieOf(answer)
      assert.deepEqual([name, value, attributes.at(-1)], [plainCookie, '', 'Max-Age=0'])
    }
  })
})

test('a cookie that was planted before the sign-in is not the session afterwards', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person: victim } = await invite(harness, { ownerId })
    const invented = 'A'.repeat(43)
    const planted = `${plainCookie}=${invented}`
    const accepted = await accept(harness, token, {}, { headers: { cookie: planted } })
    assert.equal(accepted.status, 200)
    assert.notEqual(cookieOf(accepted).value, invented)
    assert.equal(await statusOf(harness, planted), 401)

    // A session of the attacker, so that the victim would work in it.
    const attacker = await person(harness, 'viewer', ownerId)
    const signedIn = await signIn(harness, victim.email, undefined, { headers: { cookie: attacker.cookie } })
    const { value } = cookieOf(signedIn)
    assert.notEqual(value, attacker.token)
    assert.equal(signedIn.body.id, victim.personId)
    assert.equal(await statusOf(harness, attacker.cookie), 401, 'it ends with the sign-in')
    assert.equal(await statusOf(harness, `${plainCookie}=${value}`), 200)
    assert.equal(
      await statusOf(harness, `${plainCookie}=${cookieOf(accepted).value}`),
      200,
      'another browser',
    )
  })
})

test('a second sign-in in the same browser ends the first session, and a failed one does not', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person: invited } = await invite(harness, { ownerId })
    const first = `${plainCookie}=${cookieOf(await accept(harness, token)).value}`
    const failed = await signIn(harness, invited.email, 'wrong but long enough', {
      headers: { cookie: first },
    })
    assert.deepEqual([failed.status, await statusOf(harness, first)], [401, 200])
    const again = await signIn(harness, invited.email, undefined, { headers: { cookie: first } })
    const second = `${plainCookie}=${cookieOf(again).value}`
    assert.deepEqual([await statusOf(harness, first), await statusOf(harness, second)], [401, 200])
  })
})

test('a key in a header wins over a cookie, and a bad key is 401 with a good cookie, too', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key, record } = await harness.issue()
    const { headers } = await person(harness, 'admin', record.ownerId)
    const other = await harness.issue()
    const me = (more: Readonly<Record<string, string>>) =>
      read(harness, { headers: { ...headers, ...more } }, '/api/v1/me')
    for (const one of [{ authorization: `Bearer ${other.key}` }, { 'x-api-key': other.key }]) {
      const { status, body } = await me(one)
      assert.deepEqual([status, body.kind, body.id], [200, 'key', other.record.keyId])
    }
    const bad: readonly Record<string, string>[] = [
      { authorization: `Bearer ${key.slice(0, -1)}x` },
      { authorization: 'Bearer ' },
      { authorization: 'Basic YTpi' },
      { authorization: '' },
      { 'x-api-key': '' },
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': key, authorization: `Bearer ${other.key}` },
    ]
    for (const one of bad) {
      const { status, headers: told } = await me(one)
      assert.deepEqual(
        [status, told['www-authenticate']],
        [401, 'Bearer realm="fairway"'],
        JSON.stringify(one),
      )
    }
    const { origin: _own, ...withoutOrigin } = headers
    const byKey = await harness.verify(
      key,
      { corridor: 'GB-NG' },
      { headers: { ...withoutOrigin, origin: 'null' } },
    )
    assert.equal(byKey.status, 200, 'a key needs no origin')
  })
})
