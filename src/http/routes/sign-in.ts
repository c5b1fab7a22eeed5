/** /auth/…: people sign in at the identity provider or with a local account, and sign out. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOfPerson } from '../../app/people/caller.ts'
import type { LocalAccounts } from '../../app/people/local-accounts.ts'
import { PasswordsBusy } from '../../app/people/passwords.ts'
import type { ProviderAccounts, SignInProblem } from '../../app/people/provider-accounts.ts'
import type { Browser, Sessions } from '../../app/people/sessions.ts'
import type { SignedIn } from '../../app/ports/identity/people.ts'
import type { Store } from '../../app/ports/store.ts'
import type { Clock } from '../../app/ports/system.ts'
import { onOneLine, returnPath, sessionMs, signInMs } from '../../core/identity/person.ts'
import { clientAddress, clientGroup } from '../client-address.ts'
import { invalid, sendProblem, type Problem } from '../errors.ts'
import { errorResponses, isBlank, named, response, withWarnings } from '../schemas/common.ts'
import {
  InvitationAnswer,
  InvitationBody,
  LoginBody,
  LoginQuery,
  LogoutAnswer,
  Me,
  PasswordBody,
  SessionState,
} from '../schemas/people.ts'
import {
  cookieText,
  readCookie,
  sessionCookieOn,
  signInCookieOn,
  staleSignIns,
  siteOf,
  type Site,
} from '../site.ts'
import type { App } from '../types.ts'
import { meView } from './me.ts'

export interface SignInDeps {
  readonly store: Pick<Store, 'keys' | 'people'>
  readonly sessions: Sessions
  readonly localAccounts: LocalAccounts
  /** Null without a provider. */
  readonly providerAccounts: ProviderAccounts | null
  readonly publicUrl: string | null
  readonly clock: Clock
}

const common = { tags: ['Access'] }
const SignedInAnswer = named('SignedIn', withWarnings(Me))
/** Attempts are counted by address; the service counts them by account, too. Those of other pages do not count. */
const attempt = { publicWindow: 'sign-in', isForOwnPages: true } as const
const read = { publicWindow: 'session' } as const

export function registerSignIn(app: App, deps: SignInDeps): void {
  registerState(app, deps)
  registerProvider(app, deps)
  registerLogin(app, deps)
  registerInvitation(app, deps)
  registerLogout(app, deps)
}

/** One answer for the console's start, without an error for visitors. */
function registerState(app: App, deps: SignInDeps): void {
  app.route({
    method: 'GET',
    url: '/auth/session',
    config: read,
    schema: {
      ...common,
      operationId: 'session',
      summary: 'Show who is signed in to this browser, and the ways to sign in',
      response: { 200: response(SessionState, 'limited'), ...errorResponses('limited', 429, 500, 503) },
    },
    async handler(request) {
      const site = siteOf(request, deps.publicUrl)
      const signedIn = await signedInOf(request, site, deps)
      return {
        signed_in: signedIn === null ? null : await meOf(signedIn, deps),
        ways: {
          provider: site === null ? null : (deps.providerAccounts?.host ?? null),
          password: site !== null && (await deps.store.people.hasLocal()),
        },
      }
    },
  })
}

async function meOf(signedIn: SignedIn, { store, clock }: SignInDeps) {
  const { ownerId } = signedIn.person
  const owner = ownerId === null ? null : await store.keys.findOwner(ownerId, clock.nowMs())
  return meView(callerOfPerson(signedIn, owner))
}

async function signedInOf(
  request: FastifyRequest,
  site: Site | null,
  { sessions }: SignInDeps,
): Promise<SignedIn | null> {
  const token = site === null ? null : readCookie(request, sessionCookieOn(site))
  return token === null ? null : sessions.authenticate(token)
}

/** For browsers alone, which follow the redirects: these two are not in the API's document. */
function registerProvider(app: App, deps: SignInDeps): void {
  app.route({
    method: 'GET',
    url: '/auth/login',
    config: { publicWindow: 'provider' },
    schema: { hide: true, querystring: LoginQuery },
    async handler(request, reply) {
      const { from } = request.query
      const site = siteOf(request, deps.publicUrl)
      if (site === null || deps.providerAccounts === null) return toSignIn(reply, null, returnPath(from))
      const started = await deps.providerAccounts.start(site.origin, from)
      if (started.kind === 'refused') return toSignIn(reply, started.problem, returnPath(from))
      for (const name of staleSignIns(request, site))
        reply.header('set-cookie', cookieText(site, name, '', 0))
      const name = signInCookieOn(site, started.state)
      reply.header('set-cookie', cookieText(site, name, started.sealed, signInMs))
      return reply.redirect(started.url, 303)
    },
  })
  app.route({
    method: 'GET',
    url: '/auth/callback',
    config: read,
    schema: { hide: true },
    async handler(request, reply) {
      const site = siteOf(request, deps.publicUrl)
      if (site === null || deps.providerAccounts === null) return toSignIn(reply, 'restart', null)
      const callback = new URL(request.raw.url ?? '/', site.origin)
      const name = signInCookieOn(site, callback.searchParams.get('state') ?? '')
      // Used once, with success or without.
      reply.header('set-cookie', cookieText(site, name, '', 0))
      const finished = await deps.providerAccounts.finish(
        callback,
        readCookie(request, name),
        browserOf(request),
      )
      if (finished.kind === 'refused') return toSignIn(reply, finished.problem, finished.returnTo)
      await begin(request, reply, { site, token: finished.token, deps })
      return reply.redirect(finished.returnTo, 303)
    },
  })
}

/** The page says what is wrong, and offers the other ways. */
function toSignIn(reply: FastifyReply, problem: SignInProblem | null, from: string | null): FastifyReply {
  const query = new URLSearchParams()
  if (problem !== null) query.set('problem', problem)
  if (from !== null) query.set('from', from)
  return reply.redirect(`/sign-in${query.size === 0 ? '' : `?${query.toString()}`}`, 303)
}

const browserOf = (request: FastifyRequest): Browser => ({
  address: clientAddress(request),
  group: clientGroup(request),
  userAgent: request.headers['user-agent'] ?? '',
})

interface Begin {
  readonly site: Site
  readonly token: string
  readonly deps: SignInDeps
}

/** Gives the browser its new session, and ends the one that it had. */
async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, token, deps }: Begin,
): Promise<void> {
  const before = await signedInOf(request, site, deps)
  if (before !== null) await deps.sessions.end(before.person.personId, before.session.sessionId)
  reply.header('set-cookie', cookieText(site, sessionCookieOn(site), token, sessionMs))
}

/** The hook before has refused requests without a site. */
function ownSite(request: FastifyRequest, { publicUrl }: SignInDeps): Site {
  const site = siteOf(request, publicUrl)
  if (site === null) throw new Error('a sign-in was reached without a site')
  return site
}

const wrong: Problem = { code: 'UNAUTHORIZED', message: 'The email address or the password is wrong.' }

const limited = (retryAfterMs: number): Problem => {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  const message = `Too many attempts to sign in. Retry in ${retryAfterSeconds} seconds.`
  return { code: 'RATE_LIMITED', message, retryAfterSeconds }
}

function registerLogin(app: App, deps: SignInDeps): void {
  app.route({
    method: 'POST',
    url: '/auth/login',
    config: attempt,
    schema: {
      ...common,
      operationId: 'loginWithPassword',
      summary: 'Sign in with a local account',
      description: 'Sets the cookie of the session. From a page of this site only.',
      body: LoginBody,
      response: {
        200: response(SignedInAnswer, 'limited'),
        ...errorResponses('limited', 400, 401, 413, 415, 429, 500, 503),
        ...errorResponses('free', 403),
      },
    },
    async handler(request, reply) {
      const site = ownSite(request, deps)
      const { email, password } = request.body
      const outcome = await unlessBusy(() => deps.localAccounts.signIn(email, password, browserOf(request)))
      if (outcome === null) return sendProblem(reply, busy)
      if (outcome.kind === 'limited') return sendProblem(reply, limited(outcome.retryAfterMs))
      if (outcome.kind === 'wrong') {
        reply.header('www-authenticate', 'Bearer realm="fairway"')
        return sendProblem(reply, wrong)
      }
      return answerSignedIn(request, reply, { site, token: outcome.token, deps })
    },
  })
}

const busy: Problem = {
  code: 'OVERLOADED',
  message: 'Too many people sign in at this moment. Retry in a few seconds.',
  retryAfterSeconds: 5,
}

/** Null if too many passwords are being checked. */
async function unlessBusy<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PasswordsBusy) return null
    throw error
  }
}

async function answerSignedIn(request: FastifyRequest, reply: FastifyReply, begun: Begin) {
  const { deps, token } = begun
  await begin(request, reply, begun)
  const signedIn = await deps.sessions.authenticate(token)
  // An operator ended it in the same moment.
  if (signedIn === null) return sendProblem(reply, wrong)
  return reply.send(await meOf(signedIn, deps))
}

const endedInvitation: Problem = {
  code: 'UNPROCESSABLE',
  message: 'This link was used or replaced, or has expired. Ask an admin for a new one.',
}

function registerInvitation(app: App, deps: SignInDeps): void {
  app.route({
    method: 'POST',
    url: '/auth/invitation',
    config: attempt,
    schema: {
      ...common,
      operationId: 'invitation',
      summary: 'Show whom an invitation is for',
      body: InvitationBody,
      response: {
        200: response(withWarnings(InvitationAnswer), 'limited'),
        ...errorResponses('limited', 400, 413, 415, 422, 429, 500, 503),
        ...errorResponses('free', 403),
      },
    },
    async handler(request, reply) {
      const person = await deps.localAccounts.invitation(request.body.token)
      if (person === null) return sendProblem(reply, endedInvitation)
      return {
        email: person.email,
        name: person.name === person.email ? '' : person.name,
        roles: [...person.roles],
      }
    },
  })
  app.route({
    method: 'POST',
    url: '/auth/password',
    config: attempt,
    schema: {
      ...common,
      operationId: 'setPassword',
      summary: 'Accept an invitation with a name and a password',
      description:
        'Uses the invitation, ends earlier sessions of the account, and sets the cookie of a new one.',
      body: PasswordBody,
      response: {
        200: response(SignedInAnswer, 'limited'),
        ...errorResponses('limited', 400, 401, 413, 415, 422, 429, 500, 503),
        ...errorResponses('free', 403),
      },
    },
    async handler(request, reply) {
      const site = ownSite(request, deps)
      const { token, name, password } = request.body
      if (isBlank(name)) return sendProblem(reply, invalid([{ path: '/name', message: 'must not be blank' }]))
      const command = { token, name: onOneLine(name), password, browser: browserOf(request) }
      const outcome = await unlessBusy(() => deps.localAccounts.accept(command))
      if (outcome === null) return sendProblem(reply, busy)
      if (outcome.kind === 'ended') return sendProblem(reply, endedInvitation)
      if (outcome.kind === 'weak')
        return sendProblem(reply, invalid([{ path: '/password', message: outcome.fault }]))
      return answerSignedIn(request, reply, { site, token: outcome.token, deps })
    },
  })
}

function registerLogout(app: App, deps: SignInDeps): void {
  app.route({
    method: 'POST',
    url: '/auth/logout',
    config: { publicWindow: 'logout', isForOwnPages: true },
    schema: {
      ...common,
      operationId: 'logout',
      summary: 'End the session of this browser',
      response: {
        200: response(LogoutAnswer, 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
        ...errorResponses('free', 403),
      },
    },
    async handler(request, reply) {
      const site = ownSite(request, deps)
      const signedIn = await signedInOf(request, site, deps)
      reply.header('set-cookie', cookieText(site, sessionCookieOn(site), '', 0))
      if (signedIn === null) return { location: null }
      const { session, person } = signedIn
      await deps.sessions.end(person.personId, session.sessionId)
      const location = (await deps.providerAccounts?.logoutUrl(session.idToken, site.origin)) ?? null
      return { location }
    },
  })
}
