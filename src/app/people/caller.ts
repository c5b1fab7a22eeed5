/** The caller of a route: a key, or a person with a session. */

import {
  allowsScope,
  modeOfKeyType,
  scopes,
  type KeyType,
  type Mode,
  type Scope,
} from '../../core/identity/api-key.ts'
import { allowsRole, type Role } from '../../core/identity/roles.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import type { KeyRecord, Owner } from '../ports/identity/keys.ts'
import type { SignedIn } from '../ports/identity/people.ts'
import type { Actor, Attributed } from '../ports/records.ts'

export interface Caller {
  readonly by: Actor
  /** Null for an admin of the installation who has chosen no owner. */
  readonly ownerId: string | null
  /** Whether an admin acts for the installation itself, in place of an owner. */
  readonly isInstallation: boolean
  /** For display; null without an owner. */
  readonly ownerName: string | null
  /** A person verifies as with a test or a sandbox key: in shadow mode. */
  readonly type: KeyType
  /** The mode of the world that the caller sees. */
  readonly mode: Mode
  /** Its own limit on verify; null uses the service's. */
  readonly verifyLimit: RateLimit | null
  /** Empty for a key. */
  readonly roles: readonly Role[]
  /** Null for a person. */
  readonly key: KeyRecord | null
  /** Null for a key. */
  readonly signedIn: SignedIn | null
  may(scope: Scope): boolean
}

/** A key that a person issued in the console acts as that person, and people override through the review. */
export const isPerson = (principalId: string): boolean => principalId.startsWith('prs_')

export function callerOfKey(key: KeyRecord): Caller {
  return {
    by: { kind: 'key', id: key.keyId, name: key.ownerLabel, principalId: key.principalId },
    ownerId: key.ownerId,
    isInstallation: false,
    ownerName: key.ownerLabel,
    type: key.type,
    mode: modeOfKeyType[key.type],
    verifyLimit: key.verifyLimit,
    roles: [],
    key,
    signedIn: null,
    may: (scope) => allowsScope(key, scope) && !(scope === 'override:create' && isPerson(key.principalId)),
  }
}

/**
 * A person is a principal whatever the session. The owner is the person's, or the one that an admin of the installation
 * has chosen; whatever the role, a sandbox gives no more than its keys may.
 */
export function callerOfPerson(signedIn: SignedIn, owner: Owner | null): Caller {
  const { person, session } = signedIn
  const { personId, name, roles } = person
  const type = owner?.isSandbox === true ? 'sandbox' : 'test'
  return {
    by: { kind: 'person', id: personId, name, principalId: personId, sessionId: session.sessionId },
    ownerId: owner?.ownerId ?? null,
    isInstallation: false,
    ownerName: owner?.name ?? null,
    type,
    mode: owner?.hasLiveKey === true ? 'live' : 'shadow',
    verifyLimit: null,
    roles,
    key: null,
    signedIn,
    may: (scope) => allowsRole(roles, scope) && allowsScope({ type, scopes: [] }, scope),
  }
}

/** An admin who acts for the installation itself: its policies, by the same four eyes. */
export function callerOfInstallation(signedIn: SignedIn): Caller {
  const isAdmin = signedIn.person.roles.includes('admin')
  return {
    ...callerOfPerson(signedIn, null),
    ownerName: 'Installation',
    isInstallation: true,
    may: (scope) => isAdmin && scope.startsWith('policy:'),
  }
}

export const scopesOf = (caller: Caller): Scope[] => scopes.filter((scope) => caller.may(scope))

/** The key, or the session of a person. */
export const credentialOf = ({ id, sessionId }: Actor): string => sessionId ?? id

export function attributedTo(by: Actor): Attributed {
  const { kind, id, name, principalId } = by
  return { keyId: credentialOf(by), personId: kind === 'person' ? id : null, principalId, actorName: name }
}

/** How a principal is shown; the name of one that is gone is empty. */
export function principalView({ keyId, personId, actorName: name }: Attributed) {
  return personId === null
    ? { kind: 'key' as const, id: keyId, name }
    : { kind: 'person' as const, id: personId, name, session_id: keyId }
}
