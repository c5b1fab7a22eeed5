/** People as the tests need them: invited, with a password, or signed in with a role. */

import assert from 'node:assert/strict'
import { systemRandom as random } from '../../src/adapters/system.ts'
import { actsBy } from '../../src/app/operate/acts.ts'
import { createPeople, type Invited, type People } from '../../src/app/people/people.ts'
import { createSessions, type Sessions } from '../../src/app/people/sessions.ts'
import type { Role } from '../../src/core/identity/roles.ts'
import type { Answer, Harness } from './harness.ts'
import { post, type PostOptions } from './post.ts'
import { goodOverride } from './webhooks.ts'

/** The site as requests in process see it: `localhost`, on the standard port. */
export const origin = 'http://localhost'
export const plainCookie = 'fairway-session'
export const hostCookie = `__Host-${plainCookie}`

export const goodPassword = 'correct horse battery'

/** No test of something else meets a limit. */
export const unlimited = {
  FAIRWAY_LIMIT_SIGN_IN: '1000000/900',
  FAIRWAY_LIMIT_KEYED: '1000000/60',
  FAIRWAY_LIMIT_VERIFY: '1000000/60',
  FAIRWAY_LIMIT_BATCH: '1000000/60',
  FAIRWAY_LIMIT_EVENTS: '1000000/60',
  FAIRWAY_LIMIT_PUBLIC: '1000000/60',
  FAIRWAY_LIMIT_DEMO: '1000000/900',
  FAIRWAY_LIMIT_ACCESS: '1000000/900',
} as const

type Served = Pick<Harness, 'store' | 'clock'>

/** The use cases of an operator, or of an admin. */
export function peopleOn({ store, clock }: Served, operator = 'ops', adminId?: string): People {
  const describe = actsBy(operator, { clock, random })
  return createPeople({ ...store, clock, random, describe, ...(adminId !== undefined && { adminId }) })
}

export function sessionsOn({ store, clock }: Served): Sessions {
  return createSessions({ sessions: store.sessions, clock, random, recordUse: () => undefined })
}

let invited = 0

export interface Invite {
  readonly roles?: readonly Role[]
  /** Null for an admin of the installation. */
  readonly ownerId: string | null
  readonly email?: string
}

export async function invite(
  harness: Served,
  { roles = ['viewer'], ownerId, email }: Invite,
): Promise<Invited> {
  invited += 1
  const command = { email: email ?? `person${invited}@example.com`, roles, ownerId }
  const outcome = await peopleOn(harness).invite(command)
  return outcome.kind === 'invited' ? outcome : assert.fail(outcome.kind)
}

/** The headers of a page of this site. */
export const fromOwnPage = { origin } as const

/** POST from a page of this site, unless the options say otherwise. */
export function postFromPage(
  harness: Harness,
  url: string,
  body: object,
  { headers, ...options }: PostOptions = {},
): Promise<Answer> {
  return post(harness, url, body, { ...options, headers: { ...fromOwnPage, ...headers } })
}

/** Sets a password with the token of an invitation. */
export function accept(
  harness: Harness,
  token: string,
  more: object = {},
  options: PostOptions = {},
): Promise<Answer> {
  const body = { token, name: 'Ada Example', password: goodPassword, ...more }
  return postFromPage(harness, '/auth/password', body, options)
}

export function signIn(
  harness: Harness,
  email: string,
  password = goodPassword,
  options: PostOptions = {},
): Promise<Answer> {
  return postFromPage(harness, '/auth/login', { email, password }, options)
}

/** The cookie that an answer sets, as its name, its value and its attributes. */
export function cookieOf({ headers }: Answer): { name: string; value: string; attributes: string[] } {
  const text = headers['set-cookie']
  assert.equal(typeof text, 'string', 'one cookie is set')
  const [pair = '', ...attributes] = String(text).split('; ')
  const [name = '', value = ''] = pair.split('=')
  return { name, value, attributes }
}

export interface SignedInPerson {
  readonly personId: string
  readonly email: string
  readonly name: string
  readonly sessionId: string
  /** Of the session. */
  readonly token: string
  readonly cookie: string
  /** Those of a request from a page of this site. */
  readonly headers: { readonly cookie: string; readonly origin: string }
}

/** Who a session is of, by its token. */
async function ofToken(harness: Served, token: string): Promise<SignedInPerson> {
  const { person: known, session } =
    (await sessionsOn(harness).authenticate(token)) ?? assert.fail('no session')
  const { personId, email, name } = known
  const cookie = `${plainCookie}=${token}`
  return { personId, email, name, sessionId: session.sessionId, token, cookie, headers: { cookie, origin } }
}

/** A person with a password, signed in by accepting an invitation. A hash takes long: `person` is for all else. */
export async function joined(
  harness: Harness,
  command: Invite,
  password = goodPassword,
): Promise<SignedInPerson> {
  const { token } = await invite(harness, command)
  const answer = await accept(harness, token, { password })
  assert.equal(answer.status, 200, answer.text)
  return ofToken(harness, cookieOf(answer).value)
}

/** A person with a session, but without a password. */
export async function person(
  harness: Served,
  roles: Role | readonly Role[],
  ownerId: string | null,
): Promise<SignedInPerson> {
  const { person: known } = await invite(harness, { roles: [roles].flat(), ownerId })
  return anotherSession(harness, known.personId)
}

/** A further session of a person. */
export async function anotherSession(harness: Served, personId: string): Promise<SignedInPerson> {
  const known = (await harness.store.people.find(personId)) ?? assert.fail('no such person')
  const browser = { address: '192.0.2.1', group: '192.0.2.1', userAgent: 'Browser/1' }
  const secrets = { idToken: null, passwordHash: null }
  const token = await sessionsOn(harness).start({ person: known, method: 'password', browser, ...secrets })
  return ofToken(harness, token ?? assert.fail('no session was started'))
}

/** As `fairway people role` does. */
export async function setRoles(harness: Served, personId: string, roles: readonly Role[]): Promise<void> {
  const people = peopleOn(harness)
  const [known = assert.fail('no such person')] = await people.find(personId)
  assert.equal(await people.setRoles(known, roles), 'changed')
}

interface Headed {
  readonly headers: Readonly<Record<string, string>>
}

/** GET with the headers of a person. */
export function read(harness: Harness, { headers }: Headed, url: string): Promise<Answer> {
  return harness.send({ method: 'GET', url, headers: { ...headers } })
}

/** POST of JSON with the headers of a person. */
export function write(harness: Harness, { headers }: Headed, url: string, body: object): Promise<Answer> {
  return post(harness, url, body, { headers })
}

/** People override through the review: one proposes, another one approves. Returns the one who approved. */
export async function overrideInReview(
  harness: Harness,
  proposer: Headed,
  { requestId, ownerId }: { readonly requestId: string; readonly ownerId: string },
): Promise<SignedInPerson> {
  const url = `/api/v1/reviews/rev_${requestId.slice(-26).toLowerCase()}`
  const proposed = await write(harness, proposer, `${url}/propose`, goodOverride)
  assert.equal(proposed.status, 200, proposed.text)
  const approver = await person(harness, 'approver', ownerId)
  const approved = await write(harness, approver, `${url}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  return approver
}
