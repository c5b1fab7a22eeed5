/** The access requirements of routes: scopes, kinds of callers and rate limits, and who meets them. */

import { isPerson, type Caller } from '../app/people/caller.ts'
import type { Mode, Scope } from '../core/identity/api-key.ts'
import { isInstallationAdmin } from '../core/identity/roles.ts'
import type { Problem } from './errors.ts'

export type LimitName = 'verify' | 'keyed' | 'batch' | 'events' | 'demo' | 'access' | 'public' | 'sign-in'

/**
 * The rate-limit windows of public routes, counted per client address, and the limit of each. Reads are counted by each
 * process for itself: they must not cost a round trip, and figures are wanted most when the database does not answer.
 * A request to the demo is counted once it is valid, so that a typo costs no try; attempts of any kind have a window of
 * several times the limit.
 */
export const publicWindows = {
  'demo-attempts': { limit: 'demo', isOwn: true, times: 10 },
  'demo-verify': { limit: 'demo', isOwn: false },
  'demo-compare': { limit: 'demo', isOwn: false },
  'request-access': { limit: 'access', isOwn: false },
  checkpoint: { limit: 'public', isOwn: true },
  metrics: { limit: 'public', isOwn: true },
  session: { limit: 'public', isOwn: true },
  logout: { limit: 'public', isOwn: true },
  'sign-in': { limit: 'sign-in', isOwn: false },
  provider: { limit: 'sign-in', isOwn: false },
} as const satisfies Record<string, { limit: LimitName; isOwn: boolean; times?: number }>

export type PublicWindow = keyof typeof publicWindows

/** The access requirements of a route that needs a key or a session. */
export interface Access {
  /** Null: every caller is allowed. It then concerns no owner's data. */
  readonly scope: Scope | null
  readonly limit: 'verify' | 'keyed' | 'batch' | 'events'
  /** The commit may ask for the admission, which saves a round trip. */
  readonly isAdmittedLater?: true
  /** Set for a route that runs in one mode only, whatever the type of the key. */
  readonly mode?: Mode
  /** Set for a route that an admin may use for the installation itself, in place of an owner. */
  readonly isForInstallation?: true
  /** Set for a route that is not for all kinds of callers. No key is an admin. */
  readonly callers?: 'keys' | 'people' | 'admins'
}

/** Null if the caller may use the route. */
export function refusalOf(caller: Caller, { scope, callers }: Access): Problem | null {
  const forbidden = (message: string): Problem => ({ code: 'FORBIDDEN', message })
  const { kind } = caller.by
  if (kind === 'person' && callers === 'keys')
    return forbidden('This is for API keys, and you use none. See GET /api/v1/me for who you are.')
  if (kind === 'key' && (callers === 'people' || callers === 'admins'))
    return forbidden('This is for people. Sign in to the console.')
  if (callers === 'admins' && (caller.signedIn === null || !isInstallationAdmin(caller.signedIn.person)))
    return forbidden('This is for admins of the installation: people with the role admin and no owner.')
  if (scope === null || caller.may(scope)) return null
  // No role has it, and a key that a person issued acts as that person.
  if (scope === 'override:create' && isPerson(caller.by.principalId)) return peopleReview
  if (kind === 'key') return forbidden(`This key lacks the scope ${scope}. Use a key that has it.`)
  const roles = caller.roles.join(', ')
  return forbidden(`Your role (${roles}) lacks the scope ${scope}. Ask an admin for a role that has it.`)
}

const peopleReview: Problem = {
  code: 'REVIEW_REQUIRED',
  message: 'People override through the review: propose it there, and another principal approves it.',
}
