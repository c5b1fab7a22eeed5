/** Finds out which person calls, by the cookie of a session, and for which owner. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOfPerson, type Caller } from '../app/people/caller.ts'
import type { AuthenticateSession } from '../app/people/sessions.ts'
import type { Person } from '../app/ports/identity/people.ts'
import type { Store } from '../app/ports/store.ts'
import type { Access } from './access.ts'
import { sendProblem, type Problem } from './errors.ts'
import { isFromOwnPage, readCookie, sessionCookieOn, siteOf } from './site.ts'

export interface PersonGuardDeps {
  readonly authenticateSession: AuthenticateSession
  readonly store: Pick<Store, 'keys'>
  readonly publicUrl: string | null
}

/** The owner that an admin of the installation has chosen. */
const ownerHeader = 'x-fairway-owner'

const sessionEnded: Problem = {
  code: 'UNAUTHORIZED',
  message: 'There is no such session, or it has ended. Sign in again, or send an API key.',
}

export const otherOrigin: Problem = {
  code: 'FORBIDDEN',
  message:
    'With a session, a request that can change something must come from a page of this site: its Origin header must name this site.',
}

/** A caller, and the reason why this request is refused, if there is one: a refusal counts for the rate limit, too. */
export interface Identified {
  readonly caller: Caller
  readonly refusal: Problem | null
}

/** Null after sending an error. */
export function createPersonGuard(deps: PersonGuardDeps) {
  return async (request: FastifyRequest, reply: FastifyReply, access: Access): Promise<Identified | null> => {
    const site = siteOf(request, deps.publicUrl)
    const token = site === null ? null : readCookie(request, sessionCookieOn(site))
    const signedIn = token === null ? null : await deps.authenticateSession(token)
    if (signedIn === null) {
      reply.header('www-authenticate', 'Bearer realm="fairway"')
      sendProblem(reply, sessionEnded)
      return null
    }
    const chosen = request.headers[ownerHeader]
    const ownerId = typeof chosen === 'string' && chosen !== '' ? chosen : null
    const caller = callerOfPerson(signedIn, ownerId)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && !isFromOwnPage(request, site)) return { caller, refusal: otherOrigin }
    return { caller, refusal: await ownerRefusal(signedIn.person, ownerId, access) }
  }

  async function ownerRefusal(
    { ownerId: own }: Person,
    chosen: string | null,
    { scope }: Access,
  ): Promise<Problem | null> {
    if (own !== null) {
      const message = `You belong to the owner ${own} alone.`
      return chosen === null || chosen === own ? null : { code: 'FORBIDDEN', message }
    }
    // Only an owner's data has a scope.
    if (scope === null) return null
    return chosen === null || (await deps.store.keys.findOwner(chosen)) === null ? noOwner : null
  }
}

const noOwner: Problem = {
  code: 'FORBIDDEN',
  message:
    'You serve the whole installation: name the owner whose data you want in the header X-Fairway-Owner. GET /api/v1/owners lists them.',
}
