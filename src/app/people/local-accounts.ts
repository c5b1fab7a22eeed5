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

/** Of one account, whether it exists or not, by one client; and by all together, so that nobody locks others out. */
const attemptsPerClient = { count: 10, windowMs: 15 * minuteMs }
const attemptsPerAccount = { count: 100, windowMs: 15 * minuteMs }

export function createLocalAccounts(deps: LocalDeps): LocalAccounts {
  const { people, sessions, passwords, clock, limiter } = deps

  /** Null if the attempt is admitted. Anybody can name an address, so these windows are bounded, and hold no address. */
  async function limitedMs(emailKey: string, { group }: Browser): Promise<number | null> {
    const account = `account:${hash('sha256', emailKey, 'base64url').slice(0, 22)}`
    const byClient = await limiter.admit(`${account}:${group}`, attemptsPerClient, true)
    if (!byClient.admitted) return byClient.retryAfterMs
    const byAll = await limiter.admit(account, attemptsPerAccount, true)
    return byAll.admitted ? null : byAll.retryAfterMs
  }

  const started = (person: Person, passwordHash: string, browser: Browser): Promise<string | null> =>
    sessions.start({ person, method: 'password', idToken: null, passwordHash, browser })

  return {
    // In turn from the start: an attempt that finds no room is not counted.
    signIn: (email, password, browser) =>
      passwords.inTurn(browser.group, async () => {
        const emailKey = emailKeyOf(email)
        const retryAfterMs = await limitedMs(emailKey, browser)
        if (retryAfterMs !== null) return { kind: 'limited', retryAfterMs }
        const found = await people.findLocal(emailKey)
        const passwordHash = found?.passwordHash ?? null
        const isRight = await passwords.isRight(password, passwordHash)
        if (!isRight || found === null || passwordHash === null) return { kind: 'wrong' }
        const token = await started(found.person, passwordHash, browser)
        return token === null ? { kind: 'wrong' } : { kind: 'signed_in', token }
      }),
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
      const passwordHash = await passwords.inTurn(browser.group, () => passwords.hash(password))
      const describe = actsBy(person.personId, deps)
      const detail = { method: 'password' }
      const act = describe({ kind: 'person.joined', subject: person.personId, detail })
      const accepted = await people.accept(hashed, { name, passwordHash, atMs: clock.nowMs() }, act)
      const session = accepted === null ? null : await started(accepted, passwordHash, browser)
      return session === null ? { kind: 'ended' } : { kind: 'signed_in', token: session }
    },
  }
}
