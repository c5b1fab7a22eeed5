/** How a person is shown to those who administer people. */

import { iso } from '../../core/time/durations.ts'
import type { ListedPerson } from '../ports/identity/people.ts'

/** Invited, and not joined yet; then by the way of signing in. */
export type Standing = 'invited' | 'local' | 'provider' | 'removed'

export function standingOf({ removedAtMs, hasJoined, account }: ListedPerson): Standing {
  if (removedAtMs !== null) return 'removed'
  if (!hasJoined) return 'invited'
  return account === null ? 'local' : 'provider'
}

export function personView(person: ListedPerson) {
  return {
    person_id: person.personId,
    email: person.email,
    name: person.name,
    roles: [...person.roles],
    owner_id: person.ownerId,
    status: standingOf(person),
    issuer: person.account?.issuer ?? null,
    sessions: person.sessions,
    created_at: iso(person.createdAtMs),
    last_sign_in_at: iso(person.lastSignInAtMs),
    removed_at: iso(person.removedAtMs),
  }
}
