/** People in the browser tests: invited, with a password or with a session; all are gone when the test ends. */

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../../src/adapters/system.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { actsBy } from '../../src/app/operate/acts.ts'
import { createPeople, type Invited } from '../../src/app/people/people.ts'
import { createSessions } from '../../src/app/people/sessions.ts'
import type { Person } from '../../src/app/ports/identity/people.ts'
import type { Role } from '../../src/core/identity/roles.ts'
import { openWindow, type Console } from './console.ts'
import { goodPassword, plainCookie } from './people.ts'
import { checkedFetch } from './process/checked-fetch.ts'

export interface Member {
  readonly name: string
  readonly email: string
  readonly roles: readonly Role[]
  /** Null for an admin of the installation. */
  readonly ownerId: string | null
}

export interface ConsolePeople {
  readonly invite: (member: Omit<Member, 'name'>) => Promise<Invited>
  /** A person with a password, who is not signed in. */
  readonly join: (member: Member) => Promise<Person>
  /** A person with a session, whose token is returned. */
  readonly start: (member: Member, userAgent?: string) => Promise<string>
  /** Ends every session of a person. */
  readonly endSessions: (person: Person) => Promise<number>
}

/** The cookie that browsers send to this server, and to no script. */
export async function addSession(page: Page, url: string, token: string): Promise<void> {
  const cookie = { name: plainCookie, value: token, url, httpOnly: true, sameSite: 'Lax' as const }
  await page.context().addCookies([cookie])
}

export async function ownerOf(url: string, key: string): Promise<string> {
  const answer = await checkedFetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  return ((await answer.json()) as { owner_id: string }).owner_id
}

/** Beside the server, as an operator's command does it. */
export async function withPeople(at: Console, work: (people: ConsolePeople) => Promise<void>): Promise<void> {
  const { store } = await openStore({ leafHashes, databaseUrl: at.databaseUrl, clock, onFault: assert.fail })
  const describe = actsBy('ops', { clock, random })
  const people = createPeople({ ...store, clock, random, describe })
  const sessions = createSessions({ sessions: store.sessions, clock, random, recordUse: () => undefined })
  const invite: ConsolePeople['invite'] = async (member) => {
    const outcome = await people.invite(member)
    return outcome.kind === 'invited' ? outcome : assert.fail(outcome.kind)
  }
  try {
    await work({
      invite,
      async join({ name, ...member }) {
        const { person, token } = await invite(member)
        const body = JSON.stringify({ token, name, password: goodPassword })
        const headers = { origin: at.url, 'content-type': 'application/json' }
        const answer = await checkedFetch(`${at.url}/auth/password`, { method: 'POST', headers, body })
        assert.equal(answer.status, 200, await answer.clone().text())
        return person
      },
      async start({ name, ...member }, userAgent = 'Browser/1') {
        const { person } = await invite(member)
        const { email, roles, ownerId, changedAtMs } = person
        await store.people.change(person.personId, { name, email, roles, ownerId, changedAtMs }, null)
        const browser = { address: '192.0.2.1', group: '192.0.2.1', userAgent }
        const secrets = { idToken: null, passwordHash: null }
        const token = await sessions.start({ person, method: 'password', browser, ...secrets })
        return token ?? assert.fail('no session was started')
      },
      endSessions: ({ personId }) => people.endSessions(personId),
    })
  } finally {
    for (const { personId, removedAtMs } of await people.list())
      if (removedAtMs === null) await people.remove(personId)
    await store.close()
    const page = await openWindow()
    await page.context().clearCookies()
  }
}
