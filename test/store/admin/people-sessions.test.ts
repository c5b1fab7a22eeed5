/** Sessions in the store, on every engine: found by the hash of their token, for 12 hours, until they are ended. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { sessionMs } from '../../../src/core/identity/person.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { anotherSession, invite, peopleOn, person, sessionsOn, setRoles } from '../../helpers/people.ts'
import { revokeKey } from '../../../src/app/access/keys.ts'

const hashOf = (token: string): string => hash('sha256', token, 'hex')

for (const engine of engines) {
  test(`${engine}: a session is found for exactly 12 hours, and its token is nowhere in the store`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { token, sessionId } = await person(harness, 'viewer', ownerId)
      const found = async (): Promise<string | undefined> =>
        (await store.sessions.findByToken(hashOf(token), clock.nowMs()))?.session.sessionId
      clock.advance(sessionMs - 1)
      assert.equal(await found(), sessionId)
      clock.advance(1)
      assert.equal(await found(), undefined)
      const rows = await rowsOf(harness.databaseUrl, 'SELECT * FROM sessions')
      assert.equal(rows.length, 1)
      assert.equal(rows[0]?.['token_hash'], hashOf(token))
      assert.ok(!JSON.stringify(rows).includes(token))
    })
  })

  test(`${engine}: each session of a person ends once and by itself, and another person's not at all`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const first = await person(harness, 'viewer', ownerId)
      clock.advance(1_000)
      const second = await anotherSession(harness, first.personId)
      const stranger = await person(harness, 'viewer', ownerId)
      const { sessions } = store
      const open = async (): Promise<string[]> =>
        (await sessions.list(first.personId, clock.nowMs())).map(({ sessionId }) => sessionId)
      assert.deepEqual(await open(), [second.sessionId, first.sessionId], 'newest first')
      assert.equal(await sessions.end(stranger.personId, first.sessionId, clock.nowMs()), false)
      assert.equal(await sessions.end(first.personId, 'ses_none', clock.nowMs()), false)
      assert.equal((await open()).length, 2)
      assert.equal(await sessions.end(first.personId, first.sessionId, clock.nowMs()), true)
      assert.equal(await sessions.end(first.personId, first.sessionId, clock.nowMs()), false)
      assert.deepEqual(await open(), [second.sessionId])
      assert.equal(await sessions.findByToken(hashOf(first.token), clock.nowMs()), null)
    })
  })

  test(`${engine}: ending all sessions of a person counts those that were open, and leaves others alone`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { personId } = await person(harness, 'viewer', ownerId)
      clock.advance(sessionMs)
      const open = [await anotherSession(harness, personId), await anotherSession(harness, personId)]
      const stranger = await person(harness, 'viewer', ownerId)
      const people = peopleOn(harness)
      assert.equal(await people.endSessions(personId), 2, 'the first has expired')
      assert.equal(await people.endSessions(personId), 0)
      for (const { token } of open)
        assert.equal(await store.sessions.findByToken(hashOf(token), clock.nowMs()), null)
      assert.notEqual(await store.sessions.findByToken(hashOf(stranger.token), clock.nowMs()), null)
    })
  })

  test(`${engine}: of a removal and 10 sign-ins at once no session is open afterwards`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const { person: known } = await invite(harness, { ownerId })
      const starting = Array.from({ length: 10 }, () =>
        anotherSession(harness, known.personId).catch(() => null),
      )
      const removing = peopleOn(harness).remove(known.personId)
      await Promise.all([...starting, removing])
      const tokens = await rowsOf(harness.databaseUrl, 'SELECT token_hash FROM sessions')
      for (const { token_hash: of } of tokens) {
        const found = await harness.store.sessions.findByToken(String(of), harness.clock.nowMs())
        assert.equal(found, null)
      }
    })
  })

  test(`${engine}: roles are read anew for every request, and the owner's live key with them`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { token, personId } = await person(harness, 'viewer', ownerId)
      const hasLiveKey = async (): Promise<boolean | undefined> =>
        (await store.keys.findOwner(ownerId, clock.nowMs()))?.hasLiveKey
      assert.equal(await hasLiveKey(), false)
      await harness.issue({ prefix: 'svc-live-' })
      assert.equal(await hasLiveKey(), false, "another owner's")
      const live = await harness.issue({ prefix: 'svc-live-', ownerId })
      assert.equal(await hasLiveKey(), true)
      await revokeKey({ keys: store.keys, clock }, live.record.keyId)
      assert.equal(await hasLiveKey(), false)
      await setRoles(harness, personId, ['approver'])
      const found = await store.sessions.findByToken(hashOf(token), clock.nowMs())
      assert.deepEqual(found?.person.roles, ['approver'])
    })
  })

  test(`${engine}: a session with a password starts only while that is the password of the person`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const { person: known } = await invite(harness, { ownerId })
      const start = (passwordHash: string | null): Promise<string | null> =>
        sessionsOn(harness).start({
          person: known,
          method: 'password',
          idToken: null,
          passwordHash,
          browser: { address: '', group: '', userAgent: '' },
        })
      assert.equal(await start('scrypt1.some.hash'), null, 'it has none')
      assert.notEqual(await start(null), null, 'at the provider')
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT session_id FROM sessions')).length, 1)
    })
  })
}
