/** GET and DELETE /api/v1/me/sessions: a person's own sessions, and nobody else's. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import {
  accept,
  anotherSession,
  cookieOf,
  invite,
  person,
  read,
  unlimited,
  type SignedInPerson,
} from '../../helpers/people.ts'
import { anonymous } from '../../helpers/webhooks.ts'

const url = '/api/v1/me/sessions'

const end = (harness: Harness, { headers }: SignedInPerson, sessionId: string): Promise<Answer> =>
  harness.send({ method: 'DELETE', url: `${url}/${sessionId}`, headers })

for (const engine of engines) {
  test(`${engine}: the open sessions are listed, newest first, with the current one marked and when each was used`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock } = harness
      const { ownerId } = (await harness.issue()).record
      const first = await person(harness, 'viewer', ownerId)
      clock.advance(60_000)
      const second = await anotherSession(harness, first.personId)
      const ended = await anotherSession(harness, first.personId)
      await end(harness, second, ended.sessionId)
      const { body } = await read(harness, second, url)
      const at = (ms: number): string => new Date(clock.nowMs() + ms).toISOString()
      const rowOf = ({ sessionId }: SignedInPerson, createdMs: number) => ({
        session_id: sessionId,
        is_current: sessionId === second.sessionId,
        method: 'password',
        client_address: '192.0.2.1',
        user_agent: 'Browser/1',
        created_at: at(createdMs),
        expires_at: at(createdMs + 43_200_000),
        last_used_at: null,
      })
      assert.deepEqual(body, { sessions: [rowOf(second, 0), rowOf(first, -60_000)] })
      await harness.noteKeyUses()
      const used = (await read(harness, first, url)).body.sessions
      assert.deepEqual(
        used.map((one: { is_current: boolean; last_used_at: string | null }) => [
          one.is_current,
          one.last_used_at,
        ]),
        [
          [false, at(0)],
          [true, null],
        ],
      )
    })
  })

  test(`${engine}: a session of another person is neither listed nor ended: it answers as an unknown one does`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const one = await person(harness, 'admin', ownerId)
      const other = await person(harness, 'viewer', ownerId)
      const { body } = await read(harness, one, url)
      assert.deepEqual(
        body.sessions.map(({ session_id: id }: { session_id: string }) => id),
        [one.sessionId],
      )
      const theirs = await end(harness, one, other.sessionId)
      assert.equal(theirs.status, 404)
      const unknown = await end(harness, one, 'ses_00000000000000000000000000')
      assert.equal(anonymous(theirs), anonymous(unknown))
      assert.equal((await read(harness, other, url)).status, 200)
      assert.equal((await end(harness, other, other.sessionId)).status, 200)
      assert.equal((await read(harness, other, url)).status, 401)
      assert.equal(anonymous(await end(harness, one, other.sessionId)), anonymous(unknown), 'ended, too')
    })
  })
}

test('a session keeps the address and the start of the name of the browser that signed in', async () => {
  const settings = { ...unlimited, FAIRWAY_TRUST_PROXY: '1' }
  await withHarness({ settings }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { token } = await invite(harness, { ownerId })
    const headers = { 'user-agent': `Browser/${'9'.repeat(300)}`, 'x-forwarded-for': '203.0.113.7' }
    const cookie = `fairway-session=${cookieOf(await accept(harness, token, {}, { headers })).value}`
    const [session] = (await read(harness, { headers: { cookie } }, url)).body.sessions
    assert.equal(session.client_address, '203.0.113.7')
    assert.equal(session.user_agent, `Browser/${'9'.repeat(192)}`)
  })
})
