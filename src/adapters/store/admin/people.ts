/** SQL of people and their invitations, shared by both engines. */

import type {
  Accepted,
  Invitation,
  ListedPerson,
  Person,
  PersonChange,
  ProviderAccount,
} from '../../../app/ports/identity/people.ts'
import { emailKeyOf } from '../../../core/identity/access.ts'
import { isInstallationAdmin } from '../../../core/identity/roles.ts'
import { placeholders, query, type Row, type Script, type Statement } from '../engine/script.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { lockPerson, personColumns, personNames, personOf } from './person-rows.ts'
import { endSessions } from './sessions.ts'

export function* list(nowMs: number): Script<ListedPerson[]> {
  const rows = yield* query(
    `SELECT ${personColumns}, CASE WHEN p.issuer IS NULL AND p.password_hash IS NULL THEN 0 ELSE 1 END AS joined,
        (SELECT count(*) FROM sessions s
          WHERE s.person_id = p.person_id AND s.ended_at_ms IS NULL AND s.expires_at_ms > $1) AS sessions,
        (SELECT max(s.created_at_ms) FROM sessions s WHERE s.person_id = p.person_id) AS last_sign_in_at_ms
      FROM people p ORDER BY p.created_at_ms, p.person_id`,
    [nowMs],
  )
  return rows.map((row) => ({
    ...personOf(row),
    hasJoined: Number(row['joined']) === 1,
    sessions: Number(row['sessions']),
    lastSignInAtMs: row['last_sign_in_at_ms'] === null ? null : Number(row['last_sign_in_at_ms']),
  }))
}

export function* find(personId: string): Script<Person | null> {
  return firstOf(yield* query(`SELECT ${personColumns} FROM people p WHERE p.person_id = $1`, [personId]))
}

const isLocal = 'p.issuer IS NULL AND p.removed_at_ms IS NULL'

export function* findLocal(
  emailKey: string,
): Script<{ readonly person: Person; readonly passwordHash: string | null } | null> {
  const [row] = yield* query(
    `SELECT ${personColumns}, p.password_hash FROM people p WHERE p.email_key = $1 AND ${isLocal}`,
    [emailKey],
  )
  if (row === undefined) return null
  const { password_hash: hash } = row
  return { person: personOf(row), passwordHash: hash === null ? null : String(hash) }
}

export function* findAccount({ issuer, subject }: ProviderAccount): Script<Person | null> {
  const sql = `SELECT ${personColumns} FROM people p WHERE p.issuer = $1 AND p.subject = $2`
  return firstOf(yield* query(sql, [issuer, subject]))
}

export function* hasLocal(): Script<boolean> {
  return (yield* query(`SELECT 1 AS one FROM people p WHERE ${isLocal} LIMIT 1`)).length > 0
}

export function* insert(person: Person, invitation: Invitation | null, act: HashedAct): Script<boolean> {
  const columns = [...personNames, 'email_key']
  const inserted = yield* query(
    `INSERT INTO people (${columns.join(', ')}) VALUES ${placeholders(1, columns.length)}
      ON CONFLICT DO NOTHING RETURNING person_id`,
    [
      person.personId,
      person.ownerId,
      person.email,
      person.name,
      person.roles.join(' '),
      person.account?.issuer ?? null,
      person.account?.subject ?? null,
      person.createdAtMs,
      person.changedAtMs,
      person.removedAtMs,
      emailKeyOf(person.email),
    ],
  )
  if (inserted.length === 0) return false
  yield [...(invitation === null ? [] : [insertInvitation(invitation)]), ...actStatements(act)]
  return true
}

/**
 * True if the admin still is one; null for an operator. An admin never acts on their own account, so one is left. Both
 * rows are taken in one order: two admins who act on each other wait for each other, and not in a circle.
 */
function* isStillAdmin(adminId: string | null, personId: string): Script<boolean> {
  if (adminId === null) return true
  const rows = yield* query(
    `SELECT ${personColumns} FROM people p WHERE p.person_id IN ($1, $2) ORDER BY p.person_id FOR UPDATE`,
    [adminId, personId],
  )
  return rows.some((row) => {
    const person = personOf(row)
    return person.personId === adminId && person.removedAtMs === null && isInstallationAdmin(person)
  })
}

export function* change(
  personId: string,
  changed: PersonChange,
  act: HashedAct | null,
  adminId: string | null,
): Script<boolean> {
  if (!(yield* isStillAdmin(adminId, personId))) return false
  const { ownerId, email, name, roles, changedAtMs } = changed
  yield [
    {
      sql: `UPDATE people SET owner_id = $2, email = $3, email_key = $4, name = $5, roles = $6, changed_at_ms = $7
        WHERE person_id = $1`,
      values: [personId, ownerId, email, emailKeyOf(email), name, roles.join(' '), changedAtMs],
    },
    ...actStatements(act),
  ]
  return true
}

export function* remove(
  personId: string,
  atMs: number,
  act: HashedAct,
  adminId: string | null,
): Script<boolean> {
  if (!(yield* isStillAdmin(adminId, personId))) return false
  if ((yield* lockPerson(personId)) === null) return false
  yield [
    {
      sql: 'UPDATE people SET removed_at_ms = $2, password_hash = NULL WHERE person_id = $1',
      values: [personId, atMs],
    },
    endInvitations(personId, atMs),
    endSessions(personId, atMs),
    ...actStatements(act),
  ]
  return true
}

/** False if the person is not removed, or if the address has another account by now. */
export function* restore(personId: string, act: HashedAct): Script<boolean> {
  const restored = yield* query(
    `UPDATE people SET removed_at_ms = NULL WHERE person_id = $1 AND removed_at_ms IS NOT NULL
      AND (issuer IS NOT NULL OR NOT EXISTS (SELECT 1 FROM people o
        WHERE o.email_key = people.email_key AND o.issuer IS NULL AND o.removed_at_ms IS NULL))
      RETURNING person_id`,
    [personId],
  )
  if (restored.length === 0) return false
  yield actStatements(act)
  return true
}

export function* reset(invitation: Invitation, act: HashedAct): Script<boolean> {
  const { personId, createdAtMs } = invitation
  if ((yield* lockPerson(personId)) === null) return false
  yield [
    { sql: 'UPDATE people SET password_hash = NULL WHERE person_id = $1', values: [personId] },
    endInvitations(personId, createdAtMs),
    endSessions(personId, createdAtMs),
    insertInvitation(invitation),
    ...actStatements(act),
  ]
  return true
}

function insertInvitation({ tokenHash, personId, createdAtMs, expiresAtMs }: Invitation): Statement {
  return {
    sql: `INSERT INTO invitations (token_hash, person_id, created_at_ms, expires_at_ms)
      VALUES ${placeholders(1, 4)}`,
    values: [tokenHash, personId, createdAtMs, expiresAtMs],
  }
}

function endInvitations(personId: string, atMs: number): Statement {
  return {
    sql: 'UPDATE invitations SET ended_at_ms = $2 WHERE person_id = $1 AND ended_at_ms IS NULL',
    values: [personId, atMs],
  }
}

export function* findInvitation(tokenHash: string, nowMs: number): Script<Person | null> {
  return firstOf(
    yield* query(
      `SELECT ${personColumns} FROM invitations i JOIN people p ON p.person_id = i.person_id
        WHERE i.token_hash = $1 AND i.ended_at_ms IS NULL AND i.expires_at_ms > $2`,
      [tokenHash, nowMs],
    ),
  )
}

/** The update of the invitation decides who uses it. */
export function* accept(tokenHash: string, accepted: Accepted, act: HashedAct): Script<Person | null> {
  const { name, passwordHash, atMs } = accepted
  const invited = yield* findInvitation(tokenHash, atMs)
  if (invited === null || (yield* lockPerson(invited.personId)) === null) return null
  const { personId } = invited
  const used = yield* query(
    `UPDATE invitations SET ended_at_ms = $2
      WHERE token_hash = $1 AND ended_at_ms IS NULL AND expires_at_ms > $2 RETURNING person_id`,
    [tokenHash, atMs],
  )
  if (used.length === 0) return null
  yield [
    {
      sql: 'UPDATE people SET name = $2, password_hash = $3 WHERE person_id = $1',
      values: [personId, name, passwordHash],
    },
    endSessions(personId, atMs),
    ...actStatements(act),
  ]
  return { ...invited, name }
}

function firstOf([row]: readonly Row[]): Person | null {
  return row === undefined ? null : personOf(row)
}
