/** Compares people and their sessions with the sealed acts that made them what they are. */

import type { Person, StartedSession } from '../ports/identity/people.ts'
import type { Act } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'

/** Read before it is known whether acts are waiting to be sealed. */
export interface PeopleRows {
  readonly people: readonly Person[]
  readonly sessions: readonly StartedSession[]
}

interface Checked {
  readonly acts: readonly Act[]
  /** Whether the act of a row of this time must be among those that were sealed: no person is older than acts. */
  readonly isSealed: (atMs: number) => boolean
  readonly report: (place: string, message: string) => void
}

export async function readPeople({ people, sessions }: Store): Promise<PeopleRows> {
  // The time is for the count of open sessions alone, which nobody needs here.
  return { people: await people.list(0), sessions: await sessions.all() }
}

export function checkPeople({ people, sessions }: PeopleRows, checked: Checked): void {
  const { terms, removedAtMs } = lastActs(checked.acts)
  for (const person of people) {
    checkPerson(person, terms.get(person.personId), removedAtMs.get(person.personId) ?? null, checked)
    terms.delete(person.personId)
  }
  for (const personId of terms.keys())
    checked.report(`person ${personId}`, 'is missing, but an act in the log names it')
  checkSessions(sessions, checked)
}

/** Acts come in the order of the log, so that the last one counts. */
function lastActs(acts: readonly Act[]) {
  const terms = new Map<string, Act>()
  const removedAtMs = new Map<string, number>()
  for (const act of acts) {
    if (act.kind === 'person.removed') removedAtMs.set(act.subject, act.atMs)
    else if (act.kind === 'person.restored') removedAtMs.delete(act.subject)
    else if (act.kind.startsWith('person.') && 'roles' in act.detail) terms.set(act.subject, act)
  }
  return { terms, removedAtMs }
}

function checkPerson(
  { personId, ownerId, roles, createdAtMs, changedAtMs, removedAtMs }: Person,
  act: Act | undefined,
  removedByActAtMs: number | null,
  { isSealed, report }: Checked,
): void {
  const place = `person ${personId}`
  if (act === undefined) {
    if (isSealed(createdAtMs)) report(place, 'was added by no act in the log')
    return
  }
  const { owner_id: owner, roles: given } = act.detail
  const isAsSealed = owner === ownerId && given === roles.join(' ')
  if (!isAsSealed && isSealed(changedAtMs))
    report(place, 'has another owner or other roles than the log gives it')
  // Restored by an act that is not sealed yet, or by none.
  if (removedByActAtMs !== null && removedAtMs === null && isSealed(removedByActAtMs))
    report(place, 'is not removed, but an act removed it')
}

function checkSessions(sessions: readonly StartedSession[], { acts, isSealed, report }: Checked): void {
  const started = new Map(
    acts.flatMap(({ kind, subject, detail }) =>
      kind === 'session.started' ? [[subject, detail['person_id']] as const] : [],
    ),
  )
  for (const { sessionId, personId, createdAtMs } of sessions) {
    const starter = started.get(sessionId)
    started.delete(sessionId)
    const place = `session ${sessionId}`
    if (starter === undefined) {
      if (isSealed(createdAtMs)) report(place, 'was started by no act in the log')
    } else if (starter !== personId) report(place, 'belongs to another person than the one who started it')
  }
  for (const sessionId of started.keys())
    report(`session ${sessionId}`, 'is missing, but an act in the log names it')
}
