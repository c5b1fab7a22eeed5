/** Finds out which person calls, by the cookie of a session, and for which owner. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOfInstallation, callerOfPerson, type Caller } from '../app/people/caller.ts'
import type { AuthenticateSession } from '../app/people/sessions.ts'
import type { Store } from '../app/ports/store.ts'
import type { Clock } from '../app/ports/system.ts'
import type { Access } from './access.ts'
import { sendProblem, type Problem } from './errors.ts'
import { isFromOwnPage, readCookie, sessionCookieOn, siteOf } from './site.ts'

export interface PersonGuardDeps {
  readonly authenticateSession: AuthenticateSession
  readonly store: Pick<Store, 'keys'>
  readonly publicUrl: string | null
  readonly clock: Clock
}

/** The owner that an admin of the installation has chosen, or the installation itself. */
const ownerHeader = 'x-fairway-owner'
const installation = 'installation'

const sessionEnded: Problem = {
  code: 'UNAUTHORIZED',
  message: 'There is no such session, or it has ended. Sign in again, or send an API key.',
}

export const otherOrigin: Problem = {
  code: 'FORBIDDEN',
  message: 'This request must come from a page of this site: its Origin header must name this site.',
}

const noSite: Problem = {
  code: 'FORBIDDEN',
  message:
    'People sign in over https, or on this machine. Set FAIRWAY_PUBLIC_URL to the address of this site.',
}

/** Null for a request from a page of this site. */
export function pageRefusal(request: FastifyRequest, publicUrl: string | null): Problem | null {
  const site = siteOf(request, publicUrl)
  if (site === null) return noSite
  return isFromOwnPage(request, site) ? null : otherOrigin
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
    const header = request.headers[ownerHeader]
    const chosen = typeof header === 'string' && header !== '' ? header : null
    const { ownerId: own } = signedIn.person
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isForeignPage = !isRead && !isFromOwnPage(request, site)
    if (own === null && chosen === installation) {
      const refusal = access.isForInstallation === true || access.scope === null ? null : oneOwner
      return { caller: callerOfInstallation(signedIn), refusal: isForeignPage ? otherOrigin : refusal }
    }
    const wanted = own ?? chosen
    const owner = wanted === null ? null : await deps.store.keys.findOwner(wanted, deps.clock.nowMs())
    const caller = callerOfPerson(signedIn, owner)
    if (isForeignPage) return { caller, refusal: otherOrigin }
    const isForeign = own !== null && chosen !== null && chosen !== own
    // Only an owner's data has a scope.
    const lacksOwner = owner === null && (chosen !== null || access.scope !== null)
    return { caller, refusal: isForeign ? foreignOwner : lacksOwner ? noOwner : null }
  }
}

const foreignOwner: Problem = {
  code: 'FORBIDDEN',
  message: 'You belong to another owner. Leave the header X-Fairway-Owner out.',
}

const oneOwner: Problem = {
  code: 'FORBIDDEN',
  message:
    'This is about one owner, and the installation is none: name an owner in the header X-Fairway-Owner.',
}

const noOwner: Problem = {
  code: 'FORBIDDEN',
  message:
    'You serve the whole installation: name the owner whose data you want in the header X-Fairway-Owner. GET /api/v1/owners lists them.',
}
