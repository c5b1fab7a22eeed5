/** SQL of the sessions of people, shared by both engines. */

import type { ListedSession, Session, SignedIn, SignInMethod } from '../../../app/ports/identity/people.ts'
import { query, type Row, type Script, type Statement } from '../engine/script.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { personColumns, personOf } from './person-rows.ts'

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

export function* start(session: Session, tokenHash: string, act: HashedAct): Script<boolean> {
  const started = yield* query(
    `INSERT INTO sessions (${names.join(', ')}, token_hash)
      SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS bigint), CAST($8 AS bigint), $9
      WHERE EXISTS (SELECT 1 FROM people WHERE person_id = $2 AND removed_at_ms IS NULL) RETURNING session_id`,
    [
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
  )
  if (started.length === 0) return false
  yield [forgetProofs(session.createdAtMs), ...actStatements(act)]
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

/** Removal ends every session; the second condition also covers one that started at the same moment. */
export function* findByToken(tokenHash: string, nowMs: number): Script<SignedIn | null> {
  const [row] = yield* query(
    `SELECT ${columns}, ${personColumns}, (SELECT count(*) FROM api_keys k
        WHERE k.owner_id = p.owner_id AND k.type = 'live' AND k.revoked_at_ms IS NULL
          AND (k.expires_at_ms IS NULL OR k.expires_at_ms > $2)) AS live_keys
      FROM sessions s JOIN people p ON p.person_id = s.person_id
      WHERE s.token_hash = $1 AND ${isOpen} AND p.removed_at_ms IS NULL`,
    [tokenHash, nowMs],
  )
  if (row === undefined) return null
  const person = personOf(row)
  const hasLiveKey = person.ownerId === null || Number(row['live_keys']) > 0
  return { session: sessionOf(row), person, hasLiveKey }
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

export function* endAll(personId: string, atMs: number, act: HashedAct): Script<number> {
  const [ended = []] = yield [endSessions(personId, atMs)]
  yield actStatements(act)
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
