/** Use cases of operators and admins about people: invite, list, change roles, end sessions, remove. */

import { emailKeyOf } from '../../core/identity/access.ts'
import { invitationMs } from '../../core/identity/person.ts'
import type { Role } from '../../core/identity/roles.ts'
import { prefixedId } from '../verify/ids.ts'
import type { DescribeAct } from '../operate/acts.ts'
import type { KeyStore } from '../ports/identity/keys.ts'
import type { ListedPerson, PeopleStore, Person, SessionStore } from '../ports/identity/people.ts'
import type { Clock, Random } from '../ports/system.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface PeopleDeps {
  readonly people: PeopleStore
  readonly sessions: SessionStore
  readonly keys: Pick<KeyStore, 'findOwner'>
  readonly clock: Clock
  readonly random: Random
  readonly describe: DescribeAct
  /** The admin who acts, who must still be one when it is done; absent for an operator. */
  readonly adminId?: string
}

interface InviteCommand {
  readonly email: string
  readonly roles: readonly Role[]
  /** Null for an admin of the installation. */
  readonly ownerId: string | null
}

export interface Invited {
  readonly person: Person
  /** Shown once: only its hash is stored. */
  readonly token: string
  readonly expiresAtMs: number
}

export type InviteOutcome =
  | ({ readonly kind: 'invited' } & Invited)
  | { readonly kind: 'exists' }
  /** Two accounts of one person would be two principals. */
  | { readonly kind: 'at_provider' }
  | { readonly kind: 'unknown_owner' }
  /** Only an admin of the installation has no owner. */
  | { readonly kind: 'owner_needed' }

export type ChangeOutcome = 'changed' | 'not_admin' | 'unknown' | 'at_provider' | 'owner_needed'

export interface People {
  invite(command: InviteCommand): Promise<InviteOutcome>
  /** A further link, which sets a new password. Ends the sessions and the password of before. */
  reset(personId: string): Promise<Invited | null>
  list(): Promise<ListedPerson[]>
  /** By the id or, for those who are not removed, by the email address. */
  find(nameOrId: string): Promise<ListedPerson[]>
  setRoles(person: Person, roles: readonly Role[]): Promise<ChangeOutcome>
  /** Returns how many ended. */
  endSessions(personId: string): Promise<number>
  /** False if the person was removed before, or if the admin who acts no longer is one. */
  remove(personId: string): Promise<boolean>
  /** False if the person is not removed, or if the email address has another account by now. */
  restore(personId: string): Promise<boolean>
}

/** Only admins of the installation have no owner. */
export const needsOwner = (roles: readonly Role[], ownerId: string | null): boolean =>
  ownerId === null && !roles.includes('admin')

export function createPeople(deps: PeopleDeps): People {
  const { people, sessions, clock, describe, adminId = null } = deps
  return {
    invite: (command) => invite(deps, command),
    async reset(personId) {
      const person = await people.find(personId)
      if (person === null || isAway(person)) return null
      const { token, invitation } = newInvitation(deps, person)
      const act = describe({ kind: 'person.reset', subject: personId, detail: {} })
      if (!(await people.reset(invitation, act))) return null
      return { person, token, expiresAtMs: invitation.expiresAtMs }
    },
    list: () => people.list(clock.nowMs()),
    find: (nameOrId) => find(deps, nameOrId),
    async setRoles(person, roles) {
      if (person.removedAtMs !== null) return 'unknown'
      if (person.account !== null) return 'at_provider'
      if (needsOwner(roles, person.ownerId)) return 'owner_needed'
      const { personId, ownerId, email, name } = person
      const detail = termsOf({ ownerId, roles })
      const act = describe({ kind: 'person.changed', subject: personId, detail })
      const change = { ownerId, email, name, roles, changedAtMs: act.atMs }
      return (await people.change(personId, change, act, adminId)) ? 'changed' : 'not_admin'
    },
    endSessions(personId) {
      const act = describe({ kind: 'person.sessions_ended', subject: personId, detail: {} })
      return sessions.endAll(personId, clock.nowMs(), act)
    },
    remove(personId) {
      const act = describe({ kind: 'person.removed', subject: personId, detail: {} })
      return people.remove(personId, clock.nowMs(), act, adminId)
    },
    restore(personId) {
      const act = describe({ kind: 'person.restored', subject: personId, detail: {} })
      return people.restore(personId, act)
    },
  }
}

async function find({ people, clock }: PeopleDeps, nameOrId: string): Promise<ListedPerson[]> {
  const all = await people.list(clock.nowMs())
  return all.filter(
    ({ personId, email, removedAtMs }) =>
      personId === nameOrId || (removedAtMs === null && emailKeyOf(email) === emailKeyOf(nameOrId)),
  )
}

async function invite(deps: PeopleDeps, { email, roles, ownerId }: InviteCommand): Promise<InviteOutcome> {
  const createdAtMs = deps.clock.nowMs()
  if (needsOwner(roles, ownerId)) return { kind: 'owner_needed' }
  if (ownerId !== null && (await deps.keys.findOwner(ownerId, createdAtMs)) === null)
    return { kind: 'unknown_owner' }
  if ((await find(deps, email)).some(({ account }) => account !== null)) return { kind: 'at_provider' }
  const person: Person = {
    personId: prefixedId('prs', deps.random),
    ownerId,
    email,
    name: email,
    roles,
    account: null,
    createdAtMs,
    changedAtMs: createdAtMs,
    removedAtMs: null,
  }
  const { token, invitation } = newInvitation(deps, person)
  const act = deps.describe({ kind: 'person.invited', subject: person.personId, detail: termsOf(person) })
  if (!(await deps.people.insert(person, invitation, act))) return { kind: 'exists' }
  return { kind: 'invited', person, token, expiresAtMs: invitation.expiresAtMs }
}

/** A removed person, or one who signs in at the provider, has no password here. */
const isAway = ({ account, removedAtMs }: Person): boolean => account !== null || removedAtMs !== null

/** The owner and the roles, in the acts that set them. Never the email address or the name, which acts keep for ever. */
export const termsOf = ({ ownerId, roles }: Pick<Person, 'ownerId' | 'roles'>) => ({
  owner_id: ownerId,
  roles: roles.join(' '),
})

function newInvitation({ clock, random }: PeopleDeps, { personId }: Person) {
  const token = newToken(random)
  const createdAtMs = clock.nowMs()
  const expiresAtMs = createdAtMs + invitationMs
  return { token, invitation: { tokenHash: tokenHash(token) ?? '', personId, createdAtMs, expiresAtMs } }
}
