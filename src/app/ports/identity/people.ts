/** Ports of people: their store, their sessions, and the provider that signs them in. */

import type { Role } from '../../../core/identity/roles.ts'
import type { Act } from '../records.ts'

export interface Person {
  readonly personId: string
  /** Null for an admin of the installation, who serves every owner. */
  readonly ownerId: string | null
  /** As entered, or as the provider states it; empty if it does not. */
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  /** The account at the provider; null for a local account. */
  readonly account: ProviderAccount | null
  readonly createdAtMs: number
  /** When the owner or the roles were last set. */
  readonly changedAtMs: number
  readonly removedAtMs: number | null
}

export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
}

export interface ListedPerson extends Person {
  /** Whether a local account has a password; true for an account at the provider. */
  readonly hasJoined: boolean
  /** Sessions that have not ended. */
  readonly sessions: number
  readonly lastSignInAtMs: number | null
}

/** A change of a person, by an operator or by the claims of the provider. */
export type PersonChange = Pick<Person, 'ownerId' | 'email' | 'name' | 'roles' | 'changedAtMs'>

export interface Invitation {
  readonly tokenHash: string
  readonly personId: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface Accepted {
  readonly name: string
  readonly passwordHash: string
  readonly atMs: number
}

/** Each change takes the act that becomes an entry of the log. */
export interface PeopleStore {
  /** Oldest first, those that were removed included. */
  list(nowMs: number): Promise<ListedPerson[]>
  find(personId: string): Promise<Person | null>
  /** A local account, with the hash of its password; null until it has one. */
  findLocal(
    emailKey: string,
  ): Promise<{ readonly person: Person; readonly passwordHash: string | null } | null>
  findAccount(account: ProviderAccount): Promise<Person | null>
  hasLocal(): Promise<boolean>
  /** False if there is such an account already. A local account comes with its invitation. */
  insert(person: Person, invitation: Invitation | null, act: Act): Promise<boolean>
  /** False if the admin who acts no longer is one. */
  change(personId: string, change: PersonChange, act: Act | null, adminId?: string | null): Promise<boolean>
  /** Ends the sessions and the invitations, too. False if the person was removed before, or as `change`. */
  remove(personId: string, atMs: number, act: Act, adminId?: string | null): Promise<boolean>
  /** False if the person is not removed, or if the email address has another account by now. */
  restore(personId: string, act: Act): Promise<boolean>
  /** Replaces the password and earlier invitations by a new one, and ends the sessions. False for a removed person. */
  reset(invitation: Invitation, act: Act): Promise<boolean>
  /** Null if it was used, replaced, or has expired. */
  findInvitation(tokenHash: string, nowMs: number): Promise<Person | null>
  /** Uses the invitation: of two at the same time, one gets null. */
  accept(tokenHash: string, accepted: Accepted, act: Act): Promise<Person | null>
}

export interface Session {
  readonly sessionId: string
  readonly personId: string
  readonly method: SignInMethod
  /** Proves to the provider, at the logout, whose session ends. */
  readonly idToken: string | null
  /** For the person's own list of sessions. */
  readonly clientAddress: string
  readonly userAgent: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export type SignInMethod = 'provider' | 'password'

export interface ListedSession extends Session {
  readonly lastUsedAtMs: number | null
}

export interface SignedIn {
  readonly session: Session
  readonly person: Person
}

export type StartedSession = Pick<Session, 'sessionId' | 'personId' | 'createdAtMs'>

export interface SessionSecrets {
  readonly tokenHash: string
  /** The hash that the password was checked against; null for a sign-in at the provider. */
  readonly passwordHash: string | null
}

export interface SessionStore {
  /** False if the person was removed, or has another password by now. */
  start(session: Session, secrets: SessionSecrets, act: Act): Promise<boolean>
  /** Null if it has ended or expired. */
  findByToken(tokenHash: string, nowMs: number): Promise<SignedIn | null>
  /** All that were ever started. */
  all(): Promise<StartedSession[]>
  /** Those that have not ended, newest first. */
  list(personId: string, nowMs: number): Promise<ListedSession[]>
  /** False if the person has no such session, or if it has ended. */
  end(personId: string, sessionId: string, atMs: number): Promise<boolean>
  /** Returns how many had not ended. */
  endAll(personId: string, atMs: number, act: Act): Promise<number>
}

/** The beginning of a sign-in at the provider. Its secrets stay in the browser, sealed. */
interface ProviderStart {
  readonly url: string
  readonly checks: ProviderChecks
}

export interface ProviderChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The provider could not be reached, or its answer is not one of a provider. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** The provider, or what it answered, does not confirm who the person is. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

export interface ProviderIdentity {
  readonly account: ProviderAccount
  /** All claims of the ID token, and those of the user info where it has more. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
}

export interface IdentityProvider {
  /** For the button of the sign-in page. */
  readonly host: string
  start(redirectUri: string): Promise<ProviderStart>
  /** `callback` is the address that the provider sent the browser to. */
  finish(callback: URL, checks: ProviderChecks): Promise<ProviderIdentity>
  /** The address that ends the session at the provider; null if it has none, or cannot be reached. */
  logoutUrl(idToken: string, returnTo: string): Promise<string | null>
}
