/** Compares people with the sealed acts that gave them their owner and roles, and that removed them. */

import type { Person } from '../ports/identity/people.ts'
import type { Act } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'

interface Rows {
  readonly acts: readonly Act[]
  readonly needsAct: (atMs: number) => boolean
  readonly report: (place: string, message: string) => void
}

/** The last of an act that gives terms counts: acts come in the order of the log. */
export async function checkPeople({ people }: Pick<Store, 'people'>, rows: Rows): Promise<void> {
  const terms = new Map<string, Act['detail']>()
  const removed = new Set<string>()
  for (const { kind, subject, detail } of rows.acts) {
    if (kind === 'person.removed') removed.add(subject)
    else if (kind.startsWith('person.') && 'roles' in detail) terms.set(subject, detail)
  }
  // Times do not matter to these rows: sessions are counted for lists alone.
  for (const person of await people.list(0)) {
    checkPerson(person, terms.get(person.personId) ?? null, removed, rows)
    terms.delete(person.personId)
  }
  for (const personId of terms.keys())
    rows.report(`person ${personId}`, 'is missing, but an act in the log names it')
}

function checkPerson(
  { personId, ownerId, roles, createdAtMs, changedAtMs, removedAtMs }: Person,
  detail: Act['detail'] | null,
  removed: ReadonlySet<string>,
  { needsAct, report }: Rows,
): void {
  const place = `person ${personId}`
  if (detail === null) {
    if (needsAct(createdAtMs)) report(place, 'was added by no act in the log')
    return
  }
  const isAsSealed = detail['owner_id'] === ownerId && detail['roles'] === roles.join(' ')
  if (!isAsSealed && needsAct(changedAtMs))
    report(place, 'has another owner or other roles than the log gives it')
  if (removed.has(personId) && removedAtMs === null) report(place, 'is not removed, but an act removed it')
}
