/** Gives each owner of a simulated world the principals who handle its reviews. */

import { issueKey, rotateKey } from '../../../src/app/access/keys.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import type { KeyRecord } from '../../../src/app/ports/identity/keys.ts'
import type { Person } from '../../../src/app/ports/identity/people.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import type { World } from '../world.ts'

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
