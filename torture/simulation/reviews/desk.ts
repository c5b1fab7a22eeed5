/** The principals who handle reviews in a simulated world: for each owner two keys, the successor of one, and a person. */

import { issueKey, rotateKey } from '../../../src/app/access/keys.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { callerOfKey, callerOfPerson, credentialOf, type Caller } from '../../../src/app/people/caller.ts'
import type { KeyRecord } from '../../../src/app/ports/identity/keys.ts'
import type { Person } from '../../../src/app/ports/identity/people.ts'
import type { Actor } from '../../../src/app/ports/records.ts'
import type { Scope } from '../../../src/core/identity/api-key.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import type { World } from '../world.ts'

export interface Reviewer {
  readonly ownerId: string
  readonly by: Actor
  /** Known from here, whatever the store says. */
  readonly principal: string
  may(scope: Scope): boolean
}

export class Desk {
  readonly reviewers: Reviewer[] = []

  /** Null for a credential that is not at the desk. */
  find(credential: string | null): Reviewer | null {
    return this.reviewers.find(({ by }) => credentialOf(by) === credential) ?? null
  }

  addKey(record: KeyRecord, principal: string): void {
    this.#add(record.ownerId, callerOfKey(record), principal)
  }

  /** With two sessions at the same time. */
  addPerson(person: Person, ownerId: string, principal: string): void {
    for (const number of [1, 2]) {
      const session = {
        sessionId: `ses_${number}_${person.personId}`,
        personId: person.personId,
        method: 'password' as const,
        idToken: null,
        clientAddress: '',
        userAgent: '',
        createdAtMs: person.createdAtMs,
        expiresAtMs: person.createdAtMs + dayMs,
      }
      const owner = { ownerId, name: 'simulated', isSandbox: false, hasLiveKey: false }
      this.#add(ownerId, callerOfPerson({ person, session }, owner), principal)
    }
  }

  #add(ownerId: string, caller: Caller, principal: string): void {
    this.reviewers.push({ ownerId, by: caller.by, principal, may: (scope) => caller.may(scope) })
  }
}

/** Each of these is an act, and so an entry of the log. */
export async function staffDesk(world: World, first: KeyRecord): Promise<void> {
  const { truth, schedule, rng: random, desk, policies } = world
  const { clock } = schedule
  const { ownerId, prefix } = first
  const describe = actsBy('simulated', { clock, random })
  const deps = { keys: truth.keys, clock, random, describe }
  desk.addKey(first, `the first key of ${ownerId}`)
  const terms = { prefix, ownerLabel: 'simulated', scopes: [], verifyLimit: null, ownerId }
  const { record: second } = await issueKey(deps, terms)
  desk.addKey(second, `the second key of ${ownerId}`)
  const rotated = await rotateKey(deps, second.keyId, dayMs)
  if (rotated.kind !== 'rotated') throw new Error(`the key is ${rotated.kind}`)
  desk.addKey(rotated.issued.record, `the second key of ${ownerId}`)
  const roles = random.next() < 0.5 ? (['reviewer'] as const) : (['approver'] as const)
  const person = { ...newPerson(ownerId, clock.nowMs()), roles }
  const detail = { owner_id: ownerId, roles: roles.join(' ') }
  await truth.people.insert(
    person,
    null,
    describe({ kind: 'person.joined', subject: person.personId, detail }),
  )
  desk.addPerson(person, ownerId, `the person of ${ownerId}`)
  policies.acts += 3
}

function newPerson(ownerId: string, atMs: number): Omit<Person, 'roles'> {
  return {
    personId: `prs_${ownerId}`,
    ownerId,
    email: '',
    name: 'simulated',
    account: { issuer: 'https://provider.example', subject: ownerId },
    createdAtMs: atMs,
    changedAtMs: atMs,
    removedAtMs: null,
  }
}
