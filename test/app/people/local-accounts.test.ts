/** Local accounts: attempts are bounded for each account, and a sign-in does not outlive a reset or a removal. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { createLocalAccounts, type LocalAccounts } from '../../../src/app/people/local-accounts.ts'
import type { Limiter } from '../../../src/app/ports/limiter.ts'
import { createPasswords, type Passwords } from '../../../src/app/people/passwords.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { goodPassword, invite, peopleOn, sessionsOn } from '../../helpers/people.ts'

const browser = { address: '192.0.2.1', group: '192.0.2.1', userAgent: 'Browser/1' }

/** Accounts whose password checks take so long that an operator acts in the meantime. */
function accountsOn(harness: Harness, meanwhile: () => Promise<unknown>): LocalAccounts {
  const { store, limiter, clock } = harness
  const real = createPasswords(random)
  const passwords: Passwords = {
    inTurn: (client, work) => real.inTurn(client, work),
    async hash(password) {
      const hashed = await real.hash(password)
      await meanwhile()
      return hashed
    },
    async isRight(password, stored) {
      const isRight = await real.isRight(password, stored)
      await meanwhile()
      return isRight
    },
  }
  const sessions = sessionsOn(harness)
  return createLocalAccounts({ people: store.people, sessions, passwords, limiter, clock, random })
}

interface Account {
  readonly personId: string
  readonly email: string
}

async function joined(harness: Harness): Promise<Account> {
  const { ownerId } = (await harness.issue()).record
  const { person, token } = await invite(harness, { ownerId })
  const accepted = await accountsOn(harness, async () => undefined).accept({
    token,
    name: 'Ada',
    password: goodPassword,
    browser,
  })
  assert.equal(accepted.kind, 'signed_in')
  return { personId: person.personId, email: person.email }
}

/** Who is signed in by the token that a sign-in gave, if it gave one. */
async function signedInBy(
  harness: Harness,
  outcome: Awaited<ReturnType<LocalAccounts['signIn']>>,
): Promise<string | null> {
  if (outcome.kind !== 'signed_in') return null
  return (await sessionsOn(harness).authenticate(outcome.token))?.person.personId ?? null
}

for (const engine of engines) {
  test(`${engine}: a sign-in with the old password that is checked while an operator resets it signs nobody in`, async () => {
    await withHarness({ engine }, async (harness) => {
      const account = await joined(harness)
      const accounts = accountsOn(harness, () => peopleOn(harness).reset(account.personId))
      assert.equal(
        await signedInBy(harness, await accounts.signIn(account.email, goodPassword, browser)),
        null,
      )
    })
  })

  test(`${engine}: a sign-in that is checked while the person is removed signs nobody in`, async () => {
    await withHarness({ engine }, async (harness) => {
      const account = await joined(harness)
      const accounts = accountsOn(harness, () => peopleOn(harness).remove(account.personId))
      assert.equal(
        await signedInBy(harness, await accounts.signIn(account.email, goodPassword, browser)),
        null,
      )
    })
  })

  test(`${engine}: an invitation that is replaced, or whose person is removed, while the password is hashed sets none`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const { store, clock } = harness
      const people = peopleOn(harness)
      const acts = [(id: string) => people.reset(id), (id: string) => people.remove(id)]
      for (const act of acts) {
        const { person, token } = await invite(harness, { ownerId })
        const accounts = accountsOn(harness, () => act(person.personId))
        const outcome = await accounts.accept({ token, name: 'Ada', password: goodPassword, browser })
        assert.equal(outcome.kind, 'ended')
        assert.equal((await store.people.findLocal(person.email))?.passwordHash ?? null, null)
        assert.equal((await store.sessions.list(person.personId, clock.nowMs())).length, 0)
      }
    })
  })
}

/** A tenth of every limit, so that a test of them hashes few passwords. */
function tenthOf(limiter: Limiter, seen: Set<number>): Limiter {
  return {
    admit(bucket, limit, isOpen) {
      seen.add(limit.count)
      return limiter.admit(bucket, { ...limit, count: limit.count / 10 }, isOpen)
    },
  }
}

test('all clients together have 100 attempts on one account in 15 minutes, of which each has 10', async () => {
  await withHarness({}, async (harness) => {
    const { store, clock } = harness
    const seen = new Set<number>()
    const accounts = createLocalAccounts({
      people: store.people,
      sessions: sessionsOn(harness),
      passwords: createPasswords(random),
      limiter: tenthOf(harness.limiter, seen),
      clock,
      random,
    })
    const attempt = async (place: number, email = 'nobody@example.com') => {
      const client = `198.51.100.${place}`
      return accounts.signIn(email, 'wrong but long enough', { ...browser, group: client })
    }
    for (let place = 0; place < 10; place += 1) assert.equal((await attempt(place)).kind, 'wrong')
    const limited = { kind: 'limited', retryAfterMs: 900_000 }
    assert.deepEqual(await attempt(0), limited, 'a client that tries again')
    assert.deepEqual(await attempt(10), limited, 'another client')
    assert.equal((await attempt(10, 'other@example.com')).kind, 'wrong', 'another account')
    assert.deepEqual(seen, new Set([10, 100]))
    clock.advance(900_000)
    assert.equal((await attempt(0)).kind, 'wrong')
  })
})
