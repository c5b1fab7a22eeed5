/** Accounts at an OpenID Connect provider: its claims say who a person is, for which owner, with which roles. */

import { emailLengthMax, isEmail } from '../../core/identity/access.ts'
import { claimOf, onOneLine, personNameLengthMax, returnPath, signInMs } from '../../core/identity/person.ts'
import { knownRoles, type Role } from '../../core/identity/roles.ts'
import type { InstallationKey } from '../log/installation-key.ts'
import { actsBy } from '../operate/acts.ts'
import type { KeyStore } from '../ports/identity/keys.ts'
import {
  ProviderRefused,
  ProviderUnavailable,
  type IdentityProvider,
  type PeopleStore,
  type Person,
  type PersonChange,
  type ProviderChecks,
  type ProviderIdentity,
} from '../ports/identity/people.ts'
import type { Clock, Random } from '../ports/system.ts'
import { prefixedId } from '../verify/ids.ts'
import { needsOwner, termsOf } from './people.ts'
import type { Browser, Sessions } from './sessions.ts'

interface ClaimNames {
  readonly roles: string
  readonly owner: string
}

export interface ProviderDeps {
  readonly provider: IdentityProvider
  readonly claims: ClaimNames
  readonly people: PeopleStore
  readonly keys: Pick<KeyStore, 'findOwner'>
  readonly sessions: Sessions
  /** Seals what the browser keeps during a sign-in. */
  readonly key: () => Promise<InstallationKey>
  readonly clock: Clock
  readonly random: Random
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** For the sign-in page, in its address. */
export const signInProblems = [
  'provider_unavailable',
  'provider_refused',
  'restart',
  'no_role',
  'no_owner',
  'removed',
] as const
export type SignInProblem = (typeof signInProblems)[number]

type StartOutcome =
  | { readonly kind: 'started'; readonly url: string; readonly state: string; readonly sealed: string }
  | { readonly kind: 'refused'; readonly problem: SignInProblem }

type FinishOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly returnTo: string }
  | { readonly kind: 'refused'; readonly problem: SignInProblem; readonly returnTo: string | null }

export interface ProviderAccounts {
  readonly host: string
  /** `origin` is that of this site. */
  start(origin: string, wanted: string | undefined): Promise<StartOutcome>
  /** `sealed` is what the browser kept; null if it has nothing of this sign-in. */
  finish(callback: URL, sealed: string | null, browser: Browser): Promise<FinishOutcome>
  logoutUrl(idToken: string | null, origin: string): Promise<string | null>
}

/** The browser holds it sealed, so that any instance can finish, and nobody can read or change it. */
interface Kept extends ProviderChecks {
  readonly returnTo: string
  readonly expiresAtMs: number
}

const sealedFor = 'sign-in'
const callbackOf = (origin: string): string => `${origin}/auth/callback`

export function createProviderAccounts(deps: ProviderDeps): ProviderAccounts {
  const { provider, clock } = deps

  async function opened(sealed: string | null): Promise<Kept | null> {
    const { box } = await deps.key()
    const text = sealed === null ? null : box.open(sealed, sealedFor)
    // The box returns a text that was never sealed as it is.
    const kept = text === null || text === sealed ? null : (JSON.parse(text) as Kept)
    return kept !== null && kept.expiresAtMs > clock.nowMs() ? kept : null
  }

  return {
    host: provider.host,
    async start(origin, wanted) {
      try {
        const { url, checks } = await provider.start(callbackOf(origin))
        const kept: Kept = { ...checks, returnTo: returnPath(wanted), expiresAtMs: clock.nowMs() + signInMs }
        const { box } = await deps.key()
        return {
          kind: 'started',
          url,
          state: checks.state,
          sealed: box.seal(JSON.stringify(kept), sealedFor),
        }
      } catch (error) {
        return { kind: 'refused', problem: problemOf(error, deps.log) }
      }
    },
    async finish(callback, sealed, browser) {
      const kept = await opened(sealed)
      const refused = (problem: SignInProblem): FinishOutcome => ({
        kind: 'refused',
        problem,
        returnTo: kept?.returnTo ?? null,
      })
      if (kept === null || callback.searchParams.get('state') !== kept.state) return refused('restart')
      try {
        const identity = await provider.finish(callback, kept)
        const admitted = await admit(deps, identity)
        if (typeof admitted === 'string') return refused(admitted)
        const { idToken } = identity
        const token = await deps.sessions.start({
          person: admitted,
          method: 'provider',
          idToken,
          passwordHash: null,
          browser,
        })
        return token === null ? refused('removed') : { kind: 'signed_in', token, returnTo: kept.returnTo }
      } catch (error) {
        return refused(problemOf(error, deps.log))
      }
    },
    logoutUrl: async (idToken, origin) =>
      idToken === null ? null : provider.logoutUrl(idToken, `${origin}/sign-in`),
  }
}

function problemOf(error: unknown, log: ProviderDeps['log']): SignInProblem {
  const { message } = error as Error
  if (error instanceof ProviderUnavailable) {
    log.warn({ reason: message }, 'people: the identity provider cannot be used')
    return 'provider_unavailable'
  }
  if (!(error instanceof ProviderRefused)) throw error
  log.info({ reason: message }, 'people: a sign-in at the identity provider was refused')
  return 'provider_refused'
}

/** The provider's claims are believed anew at every sign-in. */
async function admit(deps: ProviderDeps, identity: ProviderIdentity): Promise<Person | SignInProblem> {
  const { people, clock, random, log } = deps
  const { account, claims } = identity
  const roles = knownRoles([claimOf(claims, deps.claims.roles)].flat())
  const ownerId = ownerIn(claimOf(claims, deps.claims.owner))
  const before = await people.findAccount(account)
  const atMs = clock.nowMs()
  const refused = (problem: SignInProblem): SignInProblem => {
    log.info({ person_id: before?.personId, problem }, 'people: a sign-in was refused')
    return problem
  }
  if (before !== null && before.removedAtMs !== null) return refused('removed')
  const problem = await problemOfTerms(deps, roles, ownerId)
  if (problem !== null) {
    // Open sessions must not keep what the provider has taken away.
    if (before !== null) await updated(deps, before, { ...before, roles: [], changedAtMs: atMs })
    return refused(problem)
  }
  const change: PersonChange = { ownerId, roles, changedAtMs: atMs, ...namesOf(claims, account.subject) }
  if (before !== null) return updated(deps, before, change)
  const person: Person = {
    ...change,
    personId: prefixedId('prs', random),
    account,
    createdAtMs: atMs,
    removedAtMs: null,
  }
  const detail = { method: 'provider', ...termsOf(person) }
  const act = actsBy(person.personId, deps)({ kind: 'person.joined', subject: person.personId, detail })
  if (await people.insert(person, null, act)) return person
  // Another sign-in of the same person was first.
  const first = await people.findAccount(account)
  return first === null ? refused('restart') : updated(deps, first, change)
}

/** The owner that a claim names, alone or in a list of one. Only without the claim there is none. */
function ownerIn(claim: unknown): string | null {
  if (claim === undefined || claim === null) return null
  const [one, ...others] = [claim].flat()
  return typeof one === 'string' && others.length === 0 ? one : ''
}

/** An owner without an id is none that exists. */
async function problemOfTerms(
  { keys, clock }: ProviderDeps,
  roles: readonly Role[],
  ownerId: string | null,
): Promise<SignInProblem | null> {
  if (roles.length === 0) return 'no_role'
  const isUnknown = ownerId !== null && (await keys.findOwner(ownerId, clock.nowMs())) === null
  return isUnknown || needsOwner(roles, ownerId) ? 'no_owner' : null
}

async function updated(deps: ProviderDeps, before: Person, change: PersonChange): Promise<Person> {
  const { personId } = before
  const isSameTerms = before.ownerId === change.ownerId && before.roles.join() === change.roles.join()
  if (isSameTerms && before.name === change.name && before.email === change.email) return before
  const describe = actsBy('provider', deps)
  const act = isSameTerms
    ? null
    : describe({ kind: 'person.changed', subject: personId, detail: termsOf(change) })
  const changedAtMs = isSameTerms ? before.changedAtMs : change.changedAtMs
  await deps.people.change(personId, { ...change, changedAtMs }, act)
  return { ...before, ...change, changedAtMs }
}

function namesOf(
  claims: Readonly<Record<string, unknown>>,
  subject: string,
): { name: string; email: string } {
  const { email, name, preferred_username: username } = claims
  const address = typeof email === 'string' && email.length <= emailLengthMax && isEmail(email) ? email : ''
  const names = [name, username, address, subject].map(onOneLine)
  const shown = names.find((text) => text !== '') ?? subject
  return { name: shown.slice(0, personNameLengthMax), email: address }
}
