/** The claims of the provider say who a person is, for which owner and with which roles, at every sign-in anew. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedPerson } from '../../../src/app/ports/identity/people.ts'
import type { Claims } from '../../../examples/oidc/provider.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import type { Harness } from '../../helpers/harness.ts'
import { peopleOn } from '../../helpers/people.ts'
import { withSite, type Site } from '../../helpers/peers/identity-provider.ts'
import type { AccountClaims } from '../../helpers/peers/identity-provider-process.ts'
import { Visitor } from '../../helpers/peers/visitor.ts'

const email = 'ada@example.com'
const problemAt = (problem: string) => ({ path: `/sign-in?problem=${problem}&from=%2Foverview`, problem })
const signedIn = { path: '/overview', problem: null }

const peopleIn = ({ store, clock }: Harness): Promise<ListedPerson[]> => store.people.list(clock.nowMs())

/** The kind, the author and the terms of every act about people, in order. */
async function actsIn({ databaseUrl }: Harness): Promise<unknown[]> {
  const sql = "SELECT kind, subject, made_by, detail FROM acts WHERE kind LIKE 'person.%' ORDER BY act_id"
  const rows = await rowsOf(databaseUrl, sql)
  return rows.map(({ kind, subject, made_by: by, detail }) => {
    const { roles, owner_id: owner } = JSON.parse(String(detail)) as Record<string, unknown>
    return [kind, subject, by, roles, owner]
  })
}

interface Case {
  readonly claims: (ownerId: string) => Claims | AccountClaims
  readonly settings?: Readonly<Record<string, string>>
}

const cases: Readonly<Record<string, Case>> = {
  'roles are read from a list': { claims: (owner) => ({ roles: ['other', 'reviewer'], owner_id: owner }) },
  'a role is read from a text': { claims: (owner) => ({ roles: 'reviewer', owner_id: owner }) },
  'roles are read at a path': {
    claims: (owner) => ({ realm_access: { roles: ['reviewer'] }, owner_id: owner }),
    settings: { FAIRWAY_OIDC_ROLES_CLAIM: 'realm_access.roles' },
  },
  'roles are read from a claim with dots in its name': {
    claims: (owner) => ({ 'https://fairway.example/roles': ['reviewer'], owner_id: owner }),
    settings: { FAIRWAY_OIDC_ROLES_CLAIM: 'https://fairway.example/roles' },
  },
  'roles and owner are read from the user info': {
    claims: (owner) => ({ idToken: {}, userInfo: { roles: ['reviewer'], owner_id: owner } }),
  },
  'roles are read at a path of which the ID token has a part': {
    claims: (owner) => ({
      idToken: { realm_access: { name: 'example' }, owner_id: owner },
      userInfo: { realm_access: { roles: ['reviewer'] } },
    }),
    settings: { FAIRWAY_OIDC_ROLES_CLAIM: 'realm_access.roles' },
  },
  'the owner is read from a list of one': {
    claims: (owner) => ({ roles: ['reviewer'], owner_id: [owner] }),
  },
  'the owner is read from a claim of another name': {
    claims: (owner) => ({ roles: ['reviewer'], preferred_username: owner }),
    settings: { FAIRWAY_OIDC_OWNER_CLAIM: 'preferred_username' },
  },
}

for (const [name, { claims, settings = {} }] of Object.entries(cases)) {
  test(name, async () => {
    await withSite(
      async ({ provider, harness, ownerId }) => {
        await provider.account(email, claims(ownerId))
        const visitor = new Visitor(harness)
        assert.deepEqual(await visitor.signIn(email), signedIn)
        const { body } = await visitor.read('/api/v1/me')
        assert.deepEqual([body.roles, body.owner_id], [['reviewer'], ownerId])
      },
      { settings },
    )
  })
}

test('roles of the ID token count more than those of the user info', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    const idToken = { roles: ['viewer'] }
    await provider.account(email, { idToken, userInfo: { roles: ['approver'], owner_id: ownerId } })
    const visitor = new Visitor(harness)
    await visitor.signIn(email)
    const { body } = await visitor.read('/api/v1/me')
    assert.deepEqual([body.roles, body.owner_id], [['viewer'], ownerId])
  })
})

test('the name is read from the user info too, is one line, and is never empty', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    const terms = { roles: ['viewer'], owner_id: ownerId }
    const nameOf = async (claims: Claims): Promise<unknown> => {
      await provider.account(email, { idToken: terms, userInfo: claims })
      const visitor = new Visitor(harness)
      assert.deepEqual(await visitor.signIn(email), signedIn)
      return (await visitor.read('/api/v1/me')).body.name
    }
    assert.equal(await nameOf({ name: 'Ada Example' }), 'Ada Example')
    assert.equal(await nameOf({ name: 'Ada\r\nExample\u202e' }), 'Ada Example')
    assert.equal(await nameOf({ name: ' ', preferred_username: 'ada' }), 'ada')
    assert.equal(await nameOf({ name: '\u200b\u200b', email: 'known@example.com' }), 'known@example.com')
    assert.equal(await nameOf({ name: 7, email: 'not an address' }), email)
    assert.equal(((await nameOf({ name: 'A'.repeat(1_000) })) as string).length, 200)
  })
})

const refusals: Readonly<Record<string, readonly [problem: string, claims: (ownerId: string) => Claims]>> = {
  'no role': ['no_role', (owner) => ({ owner_id: owner })],
  'an empty list of roles': ['no_role', (owner) => ({ roles: [], owner_id: owner })],
  'roles that Fairway does not know': ['no_role', (owner) => ({ roles: ['root', 'Admin'], owner_id: owner })],
  'roles that are no texts': ['no_role', (owner) => ({ roles: { admin: true }, owner_id: owner })],
  'no owner': ['no_owner', () => ({ roles: ['approver'] })],
  'an empty owner': ['no_owner', () => ({ roles: ['approver'], owner_id: '' })],
  'an unknown owner': ['no_owner', () => ({ roles: ['approver'], owner_id: 'own_unknown' })],
  'an unknown owner, as an admin': ['no_owner', () => ({ roles: ['admin'], owner_id: 'own_unknown' })],
  'an empty owner, as an admin': ['no_owner', () => ({ roles: ['admin'], owner_id: '' })],
  'several owners': ['no_owner', (owner) => ({ roles: ['admin'], owner_id: [owner, 'own_unknown'] })],
  'an owner that is no text': ['no_owner', () => ({ roles: ['admin'], owner_id: 7 })],
}

for (const [name, [problem, claims]] of Object.entries(refusals)) {
  test(`a person with ${name} is refused, and is not remembered`, async () => {
    await withSite(async ({ provider, harness, ownerId }) => {
      await provider.account(email, claims(ownerId))
      const visitor = new Visitor(harness)
      assert.deepEqual(await visitor.signIn(email), problemAt(problem))
      assert.deepEqual([await peopleIn(harness), await actsIn(harness)], [[], []])
      assert.equal((await visitor.read('/auth/session')).body.signed_in, null)
    })
  })
}

test('an admin without an owner serves the installation', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account(email, { name: 'Ada Example', roles: ['admin'] })
    const visitor = new Visitor(harness)
    assert.deepEqual(await visitor.signIn(email), signedIn)
    const { body } = await visitor.read('/api/v1/me')
    assert.deepEqual([body.roles, body.owner_id], [['admin'], null])
    const { owners } = (await visitor.read('/api/v1/owners')).body
    assert.deepEqual(
      owners.map(({ owner_id: id }: { owner_id: string }) => id),
      [ownerId],
    )
  })
})

test('a removed person does not come back with the same account', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
    const visitor = new Visitor(harness)
    await visitor.signIn(email)
    const [person] = await peopleIn(harness)
    assert.ok(await peopleOn(harness).remove(person?.personId ?? ''))
    assert.equal((await visitor.read('/api/v1/me')).status, 401)
    assert.deepEqual(await visitor.signIn(email), problemAt('removed'))
    // Not even with other claims.
    await provider.account(email, { roles: ['admin'], name: 'Another Name' })
    assert.deepEqual(await new Visitor(harness).signIn(email), problemAt('removed'))
    const people = await peopleIn(harness)
    assert.deepEqual(
      people.map(({ roles, sessions, name }) => [roles, sessions, name]),
      [[['viewer'], 0, email]],
    )
  })
})

/** Signs in, changes the claims, signs in again elsewhere; `first` is the browser of the first sign-in. */
async function changedClaims(
  { provider, harness, ownerId }: Site,
  claims: (ownerId: string) => Claims,
): Promise<{ first: Visitor; arrival: unknown; personId: string }> {
  await provider.account(email, { name: 'Ada Example', roles: ['approver'], owner_id: ownerId })
  const first = new Visitor(harness)
  await first.signIn(email)
  harness.clock.advance(1_000)
  await provider.account(email, claims(ownerId))
  const arrival = await new Visitor(harness).signIn(email)
  const [person, ...others] = await peopleIn(harness)
  assert.equal(others.length, 0)
  return { first, arrival, personId: person?.personId ?? '' }
}

test('other roles count at the next sign-in, in all sessions, and are an act in the log', async () => {
  await withSite(async (site) => {
    const { harness, ownerId } = site
    const changed = (owner: string) => ({ name: 'Ada Other', roles: ['policy_author'], owner_id: owner })
    const { first, arrival, personId } = await changedClaims(site, changed)
    assert.deepEqual(arrival, signedIn)
    const { body } = await first.read('/api/v1/me')
    assert.deepEqual([body.roles, body.name], [['policy_author'], 'Ada Other'])
    assert.deepEqual(await actsIn(harness), [
      ['person.joined', personId, personId, 'approver', ownerId],
      ['person.changed', personId, 'provider', 'policy_author', ownerId],
    ])
    await harness.seal()
    assert.deepEqual((await checkedLog(harness.store)).findings, [])
  })
})

test('a new name alone is no act', async () => {
  await withSite(async (site) => {
    const changed = (owner: string) => ({ name: 'Ada Other', roles: ['approver'], owner_id: owner })
    const { first } = await changedClaims(site, changed)
    assert.equal((await first.read('/api/v1/me')).body.name, 'Ada Other')
    assert.equal((await actsIn(site.harness)).length, 1)
  })
})

const withdrawals: readonly (readonly [
  name: string,
  problem: string,
  claims: (ownerId: string) => Claims,
])[] = [
  ['the roles', 'no_role', (owner) => ({ owner_id: owner })],
  ['the owner', 'no_owner', () => ({ roles: ['approver'] })],
]
for (const [name, problem, claims] of withdrawals) {
  test(`a person from whom the provider took ${name} is refused, and may do nothing in older sessions`, async () => {
    await withSite(async (site) => {
      const { harness, ownerId } = site
      const { first, arrival, personId } = await changedClaims(site, claims)
      assert.deepEqual(arrival, problemAt(problem))
      assert.deepEqual((await first.read('/api/v1/me')).body.roles, [])
      assert.equal((await first.read('/api/v1/corridors')).status, 403)
      const changed = ['person.changed', personId, 'provider', '', ownerId]
      assert.deepEqual((await actsIn(harness)).slice(1), [changed])
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })
}

test('first sign-ins of a person at the same time make one person', async () => {
  const together = async ({ provider, harness, ownerId }: Site): Promise<void> => {
    await provider.account(email, { roles: ['viewer'], owner_id: ownerId })
    const visitors = Array.from({ length: 4 }, () => new Visitor(harness))
    const callbacks = await Promise.all(
      visitors.map(async (visitor) => visitor.authorise(await visitor.start(), email)),
    )
    const arrivals = await Promise.all(
      visitors.map((visitor, index) => visitor.finish(callbacks[index] ?? assert.fail())),
    )
    assert.deepEqual(arrivals, [signedIn, signedIn, signedIn, signedIn])
    const people = await peopleIn(harness)
    assert.deepEqual(
      people.map(({ sessions }) => sessions),
      [4],
    )
    assert.equal((await actsIn(harness)).length, 1)
  }
  for (const engine of engines) await withSite(together, { engine })
})

test('two accounts with the same email address are two people', async () => {
  await withSite(async ({ provider, harness, ownerId }) => {
    for (const subject of ['one@example.com', 'two@example.com']) {
      await provider.account(subject, { email: 'same@example.com', roles: ['viewer'], owner_id: ownerId })
      assert.deepEqual(await new Visitor(harness).signIn(subject), signedIn)
    }
    assert.equal((await peopleIn(harness)).length, 2)
  })
})
