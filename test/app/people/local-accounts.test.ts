/** Local accounts while an operator acts: a sign-in that began before a reset or a removal does not outlive it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { createLocalAccounts, type LocalAccounts } from '../../../src/app/people/local-accounts.ts'
import { createPasswords, type Passwords } from '../../../src/app/people/passwords.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { goodPassword, invite, peopleOn, sessionsOn } from '../../helpers/people.ts'

const browser = { address: '192.0.2.1', userAgent: 'Browser/1' }

/** Accounts whose password checks take so long that an operator acts in the meantime. */
function accountsOn(harness: Harness, meanwhile: () => Promise<unknown>): LocalAccounts {
  const { store, limiter, clock } = harness
  const real = createPasswords(random)
  const passwords: Passwords = {
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

const openSessions = async ({ store, clock }: Harness, { personId }: Account): Promise<number> =>
  (await store.sessions.list(personId, clock.nowMs())).length

for (const engine of engines) {
  test(`${engine}: a sign-in with the old password that is checked while an operator resets it starts no session`, async () => {
    await withHarness({ engine }, async (harness) => {
      const account = await joined(harness)
      const accounts = accountsOn(harness, () => peopleOn(harness).reset(account.personId))
      const outcome = await accounts.signIn(account.email, goodPassword, browser)
      assert.deepEqual(
        [outcome.kind, await openSessions(harness, account)],
        ['wrong', 0],
        'the password was ended before the session began',
      )
    })
  })

  test(`${engine}: a sign-in that is checked while the person is removed starts no session`, async () => {
    await withHarness({ engine }, async (harness) => {
      const account = await joined(harness)
      const accounts = accountsOn(harness, () => peopleOn(harness).remove(account.personId))
      const outcome = await accounts.signIn(account.email, goodPassword, browser)
      assert.deepEqual([outcome.kind, await openSessions(harness, account)], ['wrong', 0])
    })
  })

  test(`${engine}: an invitation that is replaced, or whose person is removed, while the password is hashed sets none`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const people = peopleOn(harness)
      for (const act of [people.reset, people.remove]) {
        const { person, token } = await invite(harness, { ownerId })
        const accounts = accountsOn(harness, () => act(person.personId))
        const outcome = await accounts.accept({ token, name: 'Ada', password: goodPassword, browser })
        assert.equal(outcome.kind, 'ended')
        assert.equal((await harness.store.people.findLocal(person.email))?.passwordHash ?? null, null)
        assert.equal(await openSessions(harness, person), 0)
      }
    })
  })
}
