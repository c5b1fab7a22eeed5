/** POST /auth/invitation and /auth/password: a link sets one password, once, and a dead link is a dead link. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationMs } from '../../../src/core/identity/person.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import {
  accept,
  cookieOf,
  goodPassword,
  invite,
  peopleOn,
  postFromPage,
  read,
  signIn,
  unlimited,
} from '../../helpers/people.ts'
import { errorsOf } from '../../helpers/post.ts'
import { anonymous } from '../../helpers/webhooks.ts'

const settings = unlimited

const show = (harness: Harness, token: string): Promise<Answer> =>
  postFromPage(harness, '/auth/invitation', { token })

for (const engine of engines) {
  test(`${engine}: an invitation says whom it is for, and a name and a password make it an account that is signed in`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { ownerId } = (await harness.issue({ ownerLabel: 'Payments team' })).record
      const { token, person } = await invite(harness, {
        ownerId,
        roles: ['viewer', 'approver'],
        email: 'Ada@example.com',
      })
      assert.deepEqual((await show(harness, token)).body, {
        email: 'Ada@example.com',
        name: '',
        roles: ['viewer', 'approver'],
      })
      const accepted = await accept(harness, token, { name: '  Ada Example ' })
      assert.equal(accepted.status, 200, accepted.text)
      const { session, ...me } = accepted.body
      assert.deepEqual(me, {
        kind: 'person',
        id: person.personId,
        name: 'Ada Example',
        owner_id: ownerId,
        owner_name: 'Payments team',
        roles: ['viewer', 'approver'],
        scopes: [
          'decision:read',
          'audit:read',
          'outcome:write',
          'policy:read',
          'policy:approve',
          'review:read',
          'review:write',
          'review:approve',
        ],
        mode: 'shadow',
        email: 'Ada@example.com',
      })
      assert.equal(session.method, 'password')
      const headers = { cookie: `fairway-session=${cookieOf(accepted).value}` }
      assert.equal(
        (await read(harness, { headers }, '/api/v1/me')).body.session.session_id,
        session.session_id,
      )
      const again = await signIn(harness, 'aDA@EXAMPLE.com')
      assert.deepEqual([again.status, again.body.id], [200, person.personId], 'in any spelling')
    })
  })

  test(`${engine}: of two uses of one link at once, on two instances, one sets its password and the other is refused`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const { token, person } = await invite(harness, { ownerId })
      const other = await harness.sibling()
      const passwords = [`${goodPassword} mine`, `${goodPassword} stolen`]
      const [one, two] = await Promise.all([
        accept(harness, token, { password: passwords[0] }),
        accept(other, token, { password: passwords[1] }),
      ])
      await other.close()
      assert.deepEqual(new Set([one.status, two.status]), new Set([200, 422]))
      const winner = one.status === 200 ? 0 : 1
      assert.equal([one, two][1 - winner]?.headers['set-cookie'], undefined)
      assert.equal((await signIn(harness, person.email, passwords[winner])).status, 200)
      assert.equal((await signIn(harness, person.email, passwords[1 - winner])).status, 401)
    })
  })
}

test('a used, replaced, expired, foreign or malformed link, and one of a removed person, get one and the same answer', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const people = peopleOn(harness)
    const [used, replaced, removed, expired] = [
      await invite(harness, { ownerId }),
      await invite(harness, { ownerId }),
      await invite(harness, { ownerId }),
      await invite(harness, { ownerId }),
    ]
    assert.equal((await accept(harness, used.token)).status, 200)
    const fresh = (await people.reset(replaced.person.personId)) ?? assert.fail()
    await people.remove(removed.person.personId)
    assert.equal((await show(harness, expired.token)).status, 200)
    harness.clock.advance(invitationMs - 1)
    assert.equal((await show(harness, expired.token)).status, 200, 'for 3 days')
    assert.equal((await show(harness, fresh.token)).status, 200)
    harness.clock.advance(1)
    const dead = [used, replaced, removed, expired, fresh].map(({ token }) => token)
    const foreign = ['A'.repeat(43), 'nonsense', `${dead[0]}x`, ' ', '..', "' OR 1=1 --"]
    const answers = new Set<string>()
    for (const token of [...dead, ...foreign]) {
      for (const answer of [await show(harness, token), await accept(harness, token)]) {
        assert.equal(answer.status, 422, token)
        assert.equal(answer.headers['set-cookie'], undefined)
        answers.add(anonymous(answer))
      }
    }
    assert.equal(answers.size, 1)
    const rows = await rowsOf(harness.databaseUrl, 'SELECT password_hash FROM people')
    assert.equal(rows.filter(({ password_hash: stored }) => stored !== null).length, 1)
  })
})

test('a weak password or a bad name is refused with its place, and the link can still be used', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person } = await invite(harness, { ownerId, email: 'ada.example@example.com' })
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [{ password: 'short' }, '/password', /^must have at least 12 characters$/],
      [{ password: '' }, '/password', /^must not be empty$/],
      [{ password: `abcde${'x'.repeat(196)}` }, '/password', /^must have at most 200 characters$/],
      [{ password: 'x'.repeat(801) }, '/password', /800/],
      [{ password: 'aaaaaaaaaaaaaaaa' }, '/password', /^must have at least 5 different characters$/],
      [{ password: 'ADA.example@example.com' }, '/password', /^must not be the email address$/],
      [{ password: 7 }, '/password', /string/],
      [{ name: '' }, '/name', /^must not be empty$/],
      [{ name: ' \u00a0 ' }, '/name', /^must not be blank$/],
      [{ name: 'x'.repeat(201) }, '/name', /200/],
      [{ name: 'Ada\u0000' }, '/name', /control/],
      [{ name: 'Ada\nExample' }, '/name', /control/],
      [{ name: 'Ada\u001b[2J' }, '/name', /control/],
      [{ name: 'Ada\u0085' }, '/name', /control/],
    ]
    for (const [more, path, message] of cases) {
      const answer = await accept(harness, token, more)
      assert.equal(answer.status, 400, JSON.stringify(more))
      const [[where, why] = []] = errorsOf(answer)
      assert.equal(where, path, JSON.stringify(more))
      assert.match(String(why), message)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal((await harness.store.people.findLocal(person.email))?.passwordHash, null)
    assert.equal((await accept(harness, token)).status, 200)
  })
})

test('a reset ends the password and the sessions at once, and its link sets another', async () => {
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token, person } = await invite(harness, { ownerId })
    const accepted = await accept(harness, token)
    const headers = { cookie: `fairway-session=${cookieOf(accepted).value}` }
    const { token: fresh } = (await peopleOn(harness).reset(person.personId)) ?? assert.fail()
    assert.equal((await read(harness, { headers }, '/api/v1/me')).status, 401)
    assert.equal((await signIn(harness, person.email)).status, 401)
    assert.equal((await show(harness, fresh)).body.name, 'Ada Example', 'the name is kept')
    assert.equal((await accept(harness, fresh, { password: `${goodPassword} 2` })).status, 200)
    assert.equal((await signIn(harness, person.email)).status, 401, 'the old one is gone')
    assert.equal((await signIn(harness, person.email, `${goodPassword} 2`)).status, 200)
  })
})
