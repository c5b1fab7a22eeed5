/** The principals who handle reviews in a simulated world: for each owner two keys, the successor of one, and a person. */

import { callerOfKey, callerOfPerson, credentialOf, type Caller } from '../../../src/app/people/caller.ts'
import type { KeyRecord } from '../../../src/app/ports/identity/keys.ts'
import type { Person } from '../../../src/app/ports/identity/people.ts'
import type { Actor } from '../../../src/app/ports/records.ts'
import type { Scope } from '../../../src/core/identity/api-key.ts'
import { dayMs } from '../../../src/core/time/durations.ts'

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
