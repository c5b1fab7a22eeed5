/** The example requests of people: who calls, invitation, sign-in, sessions and owners. */

import assert from 'node:assert/strict'
import { createPeople } from '../../src/app/people/people.ts'
import { actsBy } from '../../src/app/operate/acts.ts'
import type { Role } from '../../src/core/identity/roles.ts'
import type { Answer } from '../../test/helpers/harness.ts'
import { idOf, type Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

const email = 'ada@example.com'
const password = 'a long sentence is best'

/** A browser on the stage's own site. */
const page = { origin: 'http://localhost', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
export const asPerson = (ids: Stage['ids']) => ({ ...page, cookie: idOf(ids, 'cookie') })
export const noKey = (): string => ''

async function invite(stage: Stage, address: string, role: Role, ownerId: string | null): Promise<void> {
  const { store, clock, random } = stage
  const describe = actsBy('operator', { clock, random })
  const people = createPeople({ ...store, clock, random, describe })
  const invited = await people.invite({ email: address, roles: [role], ownerId })
  assert.equal(invited.kind, 'invited')
  stage.ids['token'] = invited.kind === 'invited' ? invited.token : ''
}

async function inviteReviewer(stage: Stage): Promise<void> {
  const [key] = await stage.store.keys.list()
  await invite(stage, email, 'reviewer', key?.ownerId ?? null)
}

function keepCookie({ headers }: Answer, { ids }: Stage): void {
  ids['cookie'] = String(headers['set-cookie']).split(';')[0] ?? ''
}

export async function becomeAdmin(stage: Stage): Promise<void> {
  await invite(stage, 'admin@example.com', 'admin', null)
  const body = { token: idOf(stage.ids, 'token'), name: 'Admin', password }
  const headers = { ...page, 'content-type': 'application/json' }
  const payload = JSON.stringify(body)
  keepCookie(await stage.send({ method: 'POST', url: '/auth/password', headers, payload }), stage)
}

async function noteOtherSession(stage: Stage): Promise<void> {
  const headers = asPerson(stage.ids)
  const { text } = await stage.send({ method: 'GET', url: '/api/v1/me/sessions', headers })
  const { sessions } = JSON.parse(text) as { sessions: { session_id: string; is_current: boolean }[] }
  stage.ids['other'] = sessions.find(({ is_current: isCurrent }) => !isCurrent)?.session_id ?? ''
}

export const peopleScenes: readonly Scene[] = [
  { operation: 'me' },
  {
    operation: 'invitation',
    before: inviteReviewer,
    headers: () => page,
    body: (ids) => ({ token: idOf(ids, 'token') }),
  },
  {
    operation: 'setPassword',
    headers: () => page,
    body: (ids) => ({ token: idOf(ids, 'token'), name: 'Ada', password }),
    after: keepCookie,
  },
  { operation: 'session', headers: asPerson },
  {
    operation: 'loginWithPassword',
    headers: () => page,
    body: () => ({ email, password }),
    after: keepCookie,
  },
  { operation: 'mySessions', headers: asPerson, key: noKey },
  {
    operation: 'endMySession',
    before: noteOtherSession,
    headers: asPerson,
    key: noKey,
    parameters: (ids) => ({ session_id: idOf(ids, 'other') }),
  },
  {
    operation: 'owners',
    before: becomeAdmin,
    headers: asPerson,
    key: noKey,
    parameters: () => ({ query: 'payments' }),
  },
  { operation: 'logout', headers: asPerson },
]
