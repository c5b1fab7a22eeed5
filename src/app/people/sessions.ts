/** Sessions of people: started by a sign-in, looked up for every request, ended by the person, an operator or time. */

import { sessionMs } from '../../core/identity/person.ts'
import { actsBy } from '../operate/acts.ts'
import type { ListedSession, Person, SessionStore, SignedIn, SignInMethod } from '../ports/identity/people.ts'
import type { Clock, Random } from '../ports/system.ts'
import { createIds } from '../verify/ids.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface SessionDeps {
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly random: Random
  /** Called for every authenticated request, so it must be cheap. */
  readonly recordUse: (sessionId: string, usedAtMs: number) => void
}

/** The browser that signs in. */
export interface Browser {
  readonly address: string
  /** The address, or the network of an IPv6 address, by which attempts are counted. */
  readonly group: string
  readonly userAgent: string
}

interface Start {
  readonly person: Person
  readonly method: SignInMethod
  readonly idToken: string | null
  /** The hash that the password was checked against; null for a sign-in at the provider. */
  readonly passwordHash: string | null
  readonly browser: Browser
}

export type AuthenticateSession = (token: string) => Promise<SignedIn | null>

export interface Sessions {
  /**
   * The token, which only the browser has; null if the person was removed, or has another password by now. Always a new
   * one: none can be planted.
   */
  start(start: Start): Promise<string | null>
  /** Null for an unknown, ended or expired session. Not cached: an end takes effect at once, on every instance. */
  readonly authenticate: AuthenticateSession
  list(personId: string): Promise<ListedSession[]>
  end(personId: string, sessionId: string): Promise<boolean>
}

const userAgentLengthMax = 200

export function createSessions(deps: SessionDeps): Sessions {
  const { sessions, clock, random } = deps
  const ids = createIds(deps)
  return {
    async start({ person, method, idToken, passwordHash, browser }) {
      const { personId } = person
      const { id: sessionId, atMs } = ids.next('ses')
      const token = newToken(random)
      const detail = { person_id: personId, method }
      const act = actsBy(personId, deps)({ kind: 'session.started', subject: sessionId, detail })
      const isStarted = await sessions.start(
        {
          sessionId,
          personId,
          method,
          idToken,
          clientAddress: browser.address,
          userAgent: browser.userAgent.slice(0, userAgentLengthMax),
          createdAtMs: atMs,
          expiresAtMs: atMs + sessionMs,
        },
        { tokenHash: tokenHash(token) ?? '', passwordHash },
        act,
      )
      return isStarted ? token : null
    },
    async authenticate(token) {
      const hash = tokenHash(token)
      if (hash === null) return null
      const nowMs = clock.nowMs()
      const signedIn = await sessions.findByToken(hash, nowMs)
      if (signedIn !== null) deps.recordUse(signedIn.session.sessionId, nowMs)
      return signedIn
    },
    list: (personId) => sessions.list(personId, clock.nowMs()),
    end: (personId, sessionId) => sessions.end(personId, sessionId, clock.nowMs()),
  }
}
