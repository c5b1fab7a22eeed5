/** SQL of the sessions of people, shared by both engines. */

import type {
  ListedSession,
  Session,
  SessionSecrets,
  SignedIn,
  SignInMethod,
  StartedSession,
} from '../../../app/ports/identity/people.ts'
import { placeholders, query, type Row, type Script, type Statement } from '../engine/script.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { lockPerson, personColumns, personOf } from './person-rows.ts'

const names = [
  'session_id',
  'person_id',
  'method',
  'id_token',
  'client_address',
  'user_agent',
  'created_at_ms',
  'expires_at_ms',
] as const
const columns = names.map((name) => `s.${name}`).join(', ')

/** With a password, only while it is the one that was checked: a reset in between ends the sign-in, too. */
export function* start(
  session: Session,
  { tokenHash, passwordHash }: SessionSecrets,
  act: HashedAct,
): Script<boolean> {
  const held = yield* lockPerson(session.personId)
  if (held === null || (passwordHash !== null && passwordHash !== held)) return false
  const inserted = [...names, 'token_hash']
  yield [
    forgetProofs(session.createdAtMs),
    {
      sql: `INSERT INTO sessions (${inserted.join(', ')}) VALUES ${placeholders(1, inserted.length)}`,
      values: [
        session.sessionId,
        session.personId,
        session.method,
        session.idToken,
        session.clientAddress,
        session.userAgent,
        session.createdAtMs,
        session.expiresAtMs,
        tokenHash,
      ],
    },
    ...actStatements(act),
  ]
  return true
}

/** The proof of identity of a session that has expired is not needed any more. */
function forgetProofs(nowMs: number): Statement {
  return {
    sql: 'UPDATE sessions SET id_token = NULL WHERE id_token IS NOT NULL AND expires_at_ms <= $1',
    values: [nowMs],
  }
}

const isOpen = 's.ended_at_ms IS NULL AND s.expires_at_ms > $2'

export function* findByToken(tokenHash: string, nowMs: number): Script<SignedIn | null> {
  const [row] = yield* query(
    `SELECT ${columns}, ${personColumns} FROM sessions s JOIN people p ON p.person_id = s.person_id
      WHERE s.token_hash = $1 AND ${isOpen} AND p.removed_at_ms IS NULL`,
    [tokenHash, nowMs],
  )
  return row === undefined ? null : { session: sessionOf(row), person: personOf(row) }
}

export function* all(): Script<StartedSession[]> {
  const rows = yield* query('SELECT session_id, person_id, created_at_ms FROM sessions')
  return rows.map((row) => ({
    sessionId: String(row['session_id']),
    personId: String(row['person_id']),
    createdAtMs: Number(row['created_at_ms']),
  }))
}

export function* list(personId: string, nowMs: number): Script<ListedSession[]> {
  const rows = yield* query(
    `SELECT ${columns}, u.last_used_at_ms FROM sessions s LEFT JOIN key_uses u ON u.key_id = s.session_id
      WHERE s.person_id = $1 AND ${isOpen} ORDER BY s.created_at_ms DESC, s.session_id`,
    [personId, nowMs],
  )
  return rows.map((row) => ({
    ...sessionOf(row),
    lastUsedAtMs: row['last_used_at_ms'] === null ? null : Number(row['last_used_at_ms']),
  }))
}

/** The proof of identity is not needed after the end. */
const endSql = 'UPDATE sessions SET ended_at_ms = $2, id_token = NULL'

export function* end(personId: string, sessionId: string, atMs: number): Script<boolean> {
  const ended = yield* query(
    `${endSql} WHERE session_id = $1 AND person_id = $3 AND ended_at_ms IS NULL RETURNING session_id`,
    [sessionId, atMs, personId],
  )
  return ended.length > 0
}

/** To end none is no act. */
export function* endAll(personId: string, atMs: number, act: HashedAct): Script<number> {
  const [ended = []] = yield [endSessions(personId, atMs)]
  if (ended.length > 0) yield actStatements(act)
  return ended.filter((row) => Number(row['expires_at_ms']) > atMs).length
}

export function endSessions(personId: string, atMs: number): Statement {
  return {
    sql: `${endSql} WHERE person_id = $1 AND ended_at_ms IS NULL RETURNING expires_at_ms`,
    values: [personId, atMs],
  }
}

function sessionOf(row: Row): Session {
  return {
    sessionId: String(row['session_id']),
    personId: String(row['person_id']),
    method: row['method'] as SignInMethod,
    idToken: row['id_token'] === null ? null : String(row['id_token']),
    clientAddress: String(row['client_address']),
    userAgent: String(row['user_agent']),
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: Number(row['expires_at_ms']),
  }
}
