/** The cookie of a session: its attributes on this machine and behind https, and which one counts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import {
  accept,
  cookieOf,
  hostCookie,
  invite,
  person,
  plainCookie,
  read,
  signIn,
  unlimited,
} from '../../helpers/people.ts'

const publicUrl = 'https://fairway.example'
const secure = { ...unlimited, FAIRWAY_PUBLIC_URL: publicUrl }
const fromPublicPage = { headers: { origin: publicUrl, host: 'fairway.example' } }

const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=43200']

/** The status of a request with these cookies, and who is signed in by them. */
async function seenWith(harness: Harness, cookie: string): Promise<[number, string | null]> {
  const { status } = await read(harness, { headers: { cookie } }, '/api/v1/me')
  const { body } = await read(harness, { headers: { cookie } }, '/auth/session')
  return [status, body.signed_in?.id ?? null]
}

test('on this machine the cookie is for all paths, for 12 hours, out of reach of scripts and of other sites', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person: invited } = await invite(harness, { ownerId })
    for (const answer of [await accept(harness, token), await signIn(harness, invited.email)]) {
      assert.equal(answer.status, 200)
      const cookie = cookieOf(answer)
      assert.deepEqual([cookie.name, cookie.attributes], [plainCookie, attributes])
      assert.match(cookie.value, /^[A-Za-z0-9_-]{43}$/)
      assert.ok(!answer.text.includes(cookie.value), 'scripts never see the token')
      assert.deepEqual(await seenWith(harness, `${plainCookie}=${cookie.value}`), [200, invited.personId])
    }
  })
})

test('behind https the cookie is bound to the host and to https, and the plain one counts no more', async () => {
  await withHarness({ settings: secure }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person: invited } = await invite(harness, { ownerId })
    assert.equal((await accept(harness, token)).status, 403, 'from a page of http://localhost')
    const answer = await accept(harness, token, {}, fromPublicPage)
    const { name, value, attributes: found } = cookieOf(answer)
    assert.deepEqual([name, found], [hostCookie, [...attributes, 'Secure']])
    const nobody = [401, null]
    assert.deepEqual(await seenWith(harness, `${hostCookie}=${value}`), [200, invited.personId])
    assert.deepEqual(await seenWith(harness, `${plainCookie}=${value}`), nobody)
    assert.deepEqual(await seenWith(harness, `__Secure-${plainCookie}=${value}`), nobody)
    assert.deepEqual(await seenWith(harness, `${hostCookie.toLowerCase()}=${value}`), nobody)
    const both = `${plainCookie}=${'x'.repeat(43)}; ${hostCookie}=${value}`
    assert.deepEqual(await seenWith(harness, both), [200, invited.personId])
    const headers = { ...fromPublicPage.headers, cookie: `${hostCookie}=${value}` }
    const out = await harness.send({ method: 'POST', url: '/auth/logout', headers })
    const ended = cookieOf(out)
    assert.deepEqual([ended.name, ended.value], [hostCookie, ''])
    assert.deepEqual(ended.attributes, ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=0', 'Secure'])
    assert.deepEqual(await seenWith(harness, `${hostCookie}=${value}`), nobody)
  })
})

test('on this machine the cookie of an https site does not count', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token } = await person(harness, 'viewer', ownerId)
    assert.deepEqual(await seenWith(harness, `${hostCookie}=${token}`), [401, null])
  })
})

test('the cookie is found among others, by its whole name, and one of another form is none', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, personId } = await person(harness, 'viewer', ownerId)
    for (const cookie of [
      `theme=dark; ${plainCookie}=${token}; x`,
      `a=b=c;${plainCookie}=${token}`,
      `x${plainCookie}=y;   ${plainCookie} = ${token} `,
    ])
      assert.deepEqual(await seenWith(harness, cookie), [200, personId], cookie)
    for (const cookie of [
      `x${plainCookie}=${token}`,
      `${plainCookie}x=${token}`,
      `${plainCookie}="${token}"`,
      `${plainCookie}=${token}=`,
      `${plainCookie}=${token.slice(1)}`,
      `${plainCookie}=`,
      plainCookie,
      ';;;=',
    ])
      assert.deepEqual(await seenWith(harness, cookie), [401, null], cookie)
  })
})

test('a session that has ended or never was gets 401 with a challenge, not a page for some other caller', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const headers = { cookie: `${plainCookie}=${'A'.repeat(43)}` }
    const { status, body, headers: told } = await read(harness, { headers }, '/api/v1/me')
    assert.deepEqual(
      [status, body.code, told['www-authenticate']],
      [401, 'UNAUTHORIZED', 'Bearer realm="fairway"'],
    )
    assert.equal(told['set-cookie'], undefined)
  })
})
