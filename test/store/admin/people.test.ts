/** People and their invitations in the store, on every engine: one account for an address, one use for a link. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { PeopleStore } from '../../../src/app/ports/identity/people.ts'
import { invitationMs } from '../../../src/core/identity/person.ts'
import { isInstallationAdmin } from '../../../src/core/identity/roles.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { anotherSession, invite, peopleOn } from '../../helpers/people.ts'

const hashOf = (token: string): string => hash('sha256', token, 'hex')

/** Accepts without computing a hash: only the store is of interest. */
function use(
  { clock }: Harness,
  people: PeopleStore,
  token: string,
  passwordHash: string,
): ReturnType<PeopleStore['accept']> {
  const act = {
    actId: `act_${passwordHash}`,
    kind: 'person.joined',
    subject: 'someone',
    by: 'someone',
    atMs: clock.nowMs(),
    detail: {},
  } as const
  return people.accept(hashOf(token), { name: 'Ada', passwordHash, atMs: clock.nowMs() }, act)
}

const actKinds = async ({ databaseUrl }: Harness): Promise<unknown[]> =>
  (await rowsOf(databaseUrl, 'SELECT kind FROM acts ORDER BY act_id')).map(({ kind }) => kind)

for (const engine of engines) {
  test(`${engine}: of 20 uses of one link at once exactly one sets a password, and its is the one that is kept`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const { person, token } = await invite(harness, { ownerId })
      const other = await harness.sibling()
      const stores = [harness.store.people, other.store.people]
      const used = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          use(harness, stores[place % 2] ?? assert.fail(), token, `hash${place}`),
        ),
      )
      await other.close()
      const winners = used.flatMap((accepted, place) => (accepted === null ? [] : [place]))
      assert.equal(winners.length, 1)
      const found = await harness.store.people.findLocal(person.email)
      assert.equal(found?.passwordHash, `hash${winners[0]}`)
      assert.deepEqual(await actKinds(harness), ['person.invited', 'person.joined'], 'and one act')
    })
  })

  test(`${engine}: a link that was used, replaced or has expired, or is another's, leads to nobody`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const people = peopleOn(harness)
      const [used, replaced, lapsing] = [
        await invite(harness, { ownerId }),
        await invite(harness, { ownerId }),
        await invite(harness, { ownerId }),
      ]
      assert.notEqual(await use(harness, store.people, used.token, 'first'), null)
      const fresh = (await people.reset(replaced.person.personId)) ?? assert.fail()
      const leadsTo = async (token: string): Promise<string | null> =>
        (await store.people.findInvitation(hashOf(token), clock.nowMs()))?.personId ?? null
      const check = async (token: string): Promise<void> => {
        assert.equal(await leadsTo(token), null)
        assert.equal(await use(harness, store.people, token, 'again'), null)
      }
      await check(used.token)
      await check(replaced.token)
      await check('of nobody')
      assert.equal(await leadsTo(fresh.token), replaced.person.personId)
      clock.advance(invitationMs - 1)
      assert.equal(await leadsTo(lapsing.token), lapsing.person.personId, 'in its last millisecond')
      clock.advance(1)
      await check(lapsing.token)
      await check(fresh.token)
      assert.equal((await store.people.findLocal(used.person.email))?.passwordHash, 'first')
      assert.equal((await store.people.findLocal(lapsing.person.email))?.passwordHash, null)
    })
  })

  test(`${engine}: a reset ends the password, the sessions and every earlier link`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { person, token } = await invite(harness, { ownerId })
      const { personId } = person
      await use(harness, store.people, token, 'old')
      const session = await anotherSession(harness, personId)
      const first = (await peopleOn(harness).reset(personId)) ?? assert.fail()
      const second = (await peopleOn(harness).reset(personId)) ?? assert.fail()
      assert.equal((await store.people.findLocal(person.email))?.passwordHash, null)
      assert.equal(await store.sessions.findByToken(hashOf(session.token), clock.nowMs()), null)
      assert.equal(await use(harness, store.people, first.token, 'x'), null)
      assert.notEqual(await use(harness, store.people, second.token, 'new'), null)
      assert.equal((await store.people.findLocal(person.email))?.passwordHash, 'new')
    })
  })

  test(`${engine}: of admins who remove each other, or take the role from each other, at once, one stays`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const newAdmin = async () => (await invite(harness, { roles: ['admin'], ownerId: null })).person
      const changed = (change: unknown): boolean => change === true || change === 'changed'
      for (let turn = 0; turn < 6; turn += 1) {
        const admins = [await newAdmin(), await newAdmin()] as const
        const [ada, grace] = admins
        const acts = [
          peopleOn(harness, 'ops', ada.personId).remove(grace.personId),
          turn % 2 === 0
            ? peopleOn(harness, 'ops', grace.personId).remove(ada.personId)
            : harness.store.people.change(
                ada.personId,
                { ...ada, ownerId, roles: ['viewer'] },
                null,
                grace.personId,
              ),
        ]
        assert.deepEqual((await Promise.all(acts)).filter(changed).length, 1)
        const left = await Promise.all(admins.map(({ personId }) => harness.store.people.find(personId)))
        const stays = left.filter(
          (one) => one !== null && one.removedAtMs === null && isInstallationAdmin(one),
        )
        assert.equal(stays.length, 1)
      }
      const [known = assert.fail()] = await peopleOn(harness).find((await newAdmin()).personId)
      const removed = await newAdmin()
      await peopleOn(harness).remove(removed.personId)
      assert.equal(await peopleOn(harness, 'ops', removed.personId).setRoles(known, ['admin']), 'not_admin')
    })
  })

  test(`${engine}: a person who is removed loses password, sessions and links, and gets none again`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { person, token } = await invite(harness, { ownerId, email: 'Ada@example.com' })
      const { personId } = person
      await use(harness, store.people, token, 'old')
      const session = await anotherSession(harness, personId)
      const people = peopleOn(harness)
      assert.equal(await people.remove(personId), true)
      assert.equal(await people.remove(personId), false, 'once')
      assert.equal(await people.reset(personId), null)
      assert.equal(await store.people.findLocal('ada@example.com'), null)
      assert.equal(await store.people.hasLocal(), false)
      assert.equal(await store.sessions.findByToken(hashOf(session.token), clock.nowMs()), null)
      await assert.rejects(anotherSession(harness, personId), /no session was started/)
      const [row] = await rowsOf(harness.databaseUrl, 'SELECT password_hash FROM people')
      assert.equal(row?.['password_hash'], null)
      const again = await invite(harness, { ownerId, email: 'ada@EXAMPLE.com' })
      assert.notEqual(again.person.personId, personId, 'the same address is another person')
      assert.equal((await store.people.find(personId))?.removedAtMs, clock.nowMs(), 'records name it')
    })
  })

  test(`${engine}: a person who is restored has owner and roles again, but neither password, sessions nor links`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { person, token } = await invite(harness, { ownerId, roles: ['approver'] })
      const { personId, email } = person
      const people = peopleOn(harness)
      assert.equal(await people.restore(personId), false, 'not removed')
      const session = await anotherSession(harness, personId)
      await people.remove(personId)
      const { person: next } = await invite(harness, { ownerId, email })
      assert.equal(await people.restore(personId), false, 'the address has another account')
      await people.remove(next.personId)
      assert.equal(await people.restore(personId), true)
      assert.deepEqual(await store.people.find(personId), person)
      assert.equal((await store.people.findLocal(email))?.passwordHash, null)
      assert.equal(await store.sessions.findByToken(hashOf(session.token), clock.nowMs()), null)
      assert.equal(await use(harness, store.people, token, 'old link'), null)
      assert.equal(await people.restore(next.personId), false, 'one account for an address')
    })
  })

  test(`${engine}: of 10 invitations of one address at once, in any spelling, one is made`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const people = peopleOn(harness)
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, place) =>
          people.invite({
            email: place % 2 === 0 ? 'ada@example.com' : 'ADA@example.com',
            roles: ['viewer'],
            ownerId,
          }),
        ),
      )
      const kinds = Map.groupBy(outcomes, ({ kind }) => kind)
      assert.deepEqual([kinds.get('invited')?.length, kinds.get('exists')?.length], [1, 9])
      assert.deepEqual(await actKinds(harness), ['person.invited'])
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT token_hash FROM invitations')).length, 1)
    })
  })

  test(`${engine}: a person is read back as written, by any instance, and the list counts open sessions alone`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock } = harness
      const { ownerId } = (await harness.issue()).record
      const { person } = await invite(harness, {
        ownerId,
        roles: ['viewer', 'approver'],
        email: 'B@example.com',
      })
      clock.advance(5)
      const { person: admin } = await invite(harness, { ownerId: null, roles: ['admin'] })
      const account = { issuer: 'https://id.example', subject: 'a "subject" ☕' }
      const provided = { ...person, personId: 'prs_provided', email: '', name: 'Grace', account }
      const act = { actId: 'act_1', kind: 'person.joined', subject: '', by: '', atMs: 1, detail: {} } as const
      const { people } = harness.store
      assert.equal(await people.insert(provided, null, act), true)
      assert.equal(await people.insert({ ...provided, personId: 'prs_twice' }, null, act), false)
      const sessions = [
        await anotherSession(harness, person.personId),
        await anotherSession(harness, person.personId),
      ]
      await harness.store.sessions.end(person.personId, sessions[0]?.sessionId ?? '', clock.nowMs())
      const other = await harness.sibling()
      assert.deepEqual(await other.store.people.find(person.personId), person)
      assert.deepEqual(await other.store.people.find(admin.personId), admin)
      assert.deepEqual(await other.store.people.findAccount(account), provided)
      assert.equal(await other.store.people.findAccount({ ...account, subject: 'other' }), null)
      const listed = await other.store.people.list(clock.nowMs())
      await other.close()
      assert.deepEqual(
        listed.map(({ personId, hasJoined, sessions: open, lastSignInAtMs: at }) => [
          personId,
          hasJoined,
          open,
          at,
        ]),
        [
          ...[
            [person.personId, false, 1, clock.nowMs()],
            ['prs_provided', true, 0, null],
          ].toSorted(([one], [two]) => (String(one) < String(two) ? -1 : 1)),
          [admin.personId, false, 0, null],
        ],
      )
    })
  })
}

test('postgres: two instances that found one link in the same moment do not both use it', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const { databaseUrl } = harness
    const { ownerId } = (await harness.issue()).record
    const { person, token } = await invite(harness, { ownerId })
    const other = await harness.sibling()
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    try {
      const used = await withDirectDatabase(databaseUrl, async ({ run }) => {
        await run('BEGIN')
        await run(`SELECT 1 FROM people WHERE person_id = '${person.personId}' FOR UPDATE`)
        const uses = [
          use(harness, harness.store.people, token, 'hash0'),
          use(harness, other.store.people, token, 'hash1'),
        ]
        // Both have found the link, and wait for the row of the person.
        while ((await rowsOf(databaseUrl, waiting)).length < 2);
        await run('COMMIT')
        return Promise.all(uses)
      })
      assert.equal(used.filter((accepted) => accepted !== null).length, 1)
      const found = await harness.store.people.findLocal(person.email)
      assert.equal(found?.passwordHash, used[0] === null ? 'hash1' : 'hash0')
    } finally {
      await other.close()
    }
  })
})
