/** Local accounts: a person accepts an invitation with a password, and signs in with it. */

import { emailKeyOf } from '../../core/identity/access.ts'
import { passwordFault } from '../../core/identity/person.ts'
import { minuteMs } from '../../core/time/durations.ts'
import { actsBy } from '../operate/acts.ts'
import type { Limiter } from '../ports/limiter.ts'
import type { PeopleStore, Person } from '../ports/identity/people.ts'
import type { Clock, Random } from '../ports/system.ts'
import { hash } from 'node:crypto'
import type { Passwords } from './passwords.ts'
import type { Browser, Sessions } from './sessions.ts'
import { tokenHash } from './tokens.ts'

export interface LocalDeps {
  readonly people: PeopleStore
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly limiter: Limiter
  readonly clock: Clock
  readonly random: Random
}

type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly token: string }
  /** The email or the password; nobody learns which. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'limited'; readonly retryAfterMs: number }

type AcceptOutcome =
  | { readonly kind: 'signed_in'; readonly token: string }
  | { readonly kind: 'weak'; readonly fault: string }
  /** It was used, replaced, or has expired. */
  | { readonly kind: 'ended' }

export interface LocalAccounts {
  signIn(email: string, password: string, browser: Browser): Promise<SignInOutcome>
  /** Null if it was used, replaced, or has expired. */
  invitation(token: string): Promise<Person | null>
  accept(command: AcceptCommand): Promise<AcceptOutcome>
}

interface AcceptCommand {
  readonly token: string
  readonly name: string
  readonly password: string
  readonly browser: Browser
}

/** Of one account, whether it exists or not, from all addresses together. */
export const attemptsPerAccount = { count: 10, windowMs: 15 * minuteMs }

export function createLocalAccounts(deps: LocalDeps): LocalAccounts {
  const { people, sessions, passwords, clock } = deps

  async function started(person: Person, browser: Browser): Promise<string | null> {
    return sessions.start({ person, method: 'password', idToken: null, browser })
  }

  return {
    async signIn(email, password, browser) {
      const emailKey = emailKeyOf(email)
      // Anybody can name an address, so that these windows are bounded, and hold no address.
      const bucket = `account:${hash('sha256', emailKey, 'base64url').slice(0, 22)}`
      const admission = await deps.limiter.admit(bucket, attemptsPerAccount, true)
      if (!admission.admitted) return { kind: 'limited', retryAfterMs: admission.retryAfterMs }
      const found = await people.findLocal(emailKey)
      const isRight = await passwords.isRight(password, found?.passwordHash ?? null)
      const token = isRight && found !== null ? await started(found.person, browser) : null
      return token === null ? { kind: 'wrong' } : { kind: 'signed_in', token }
    },
    async invitation(token) {
      const hashed = tokenHash(token)
      return hashed === null ? null : people.findInvitation(hashed, clock.nowMs())
    },
    async accept({ token, name, password, browser }) {
      const hashed = tokenHash(token)
      const person = hashed === null ? null : await people.findInvitation(hashed, clock.nowMs())
      if (person === null || hashed === null) return { kind: 'ended' }
      const fault = passwordFault(password, person.email)
      if (fault !== null) return { kind: 'weak', fault }
      const passwordHash = await passwords.hash(password)
      const act = actsBy(
        person.personId,
        deps,
      )({
        kind: 'person.joined',
        subject: person.personId,
        detail: { method: 'password' },
      })
      const accepted = await people.accept(hashed, { name, passwordHash, atMs: clock.nowMs() }, act)
      const session = accepted === null ? null : await started(accepted, browser)
      return session === null ? { kind: 'ended' } : { kind: 'signed_in', token: session }
    },
  }
}
