/** SQL of access requests, shared by both engines. */

import type { AccessStatus, CaptchaCheck } from '../../../core/identity/access.ts'
import type {
  AccessQuery,
  AccessRequest,
  AccessReview,
  SandboxQuota,
  Submitted,
} from '../../../app/ports/identity/access.ts'
import type { NewKey } from '../../../app/ports/identity/keys.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { endStatement, insertStatement, partPattern, revokeSandboxStatement } from './keys.ts'
import { query, type Row, type Script, type SqlValue } from '../engine/script.ts'

const columns = `access_request_id, name, email, reason, captcha, owner_id, sandbox_key_id, created_at_ms, status,
  decided_at_ms, decided_by, decision_note, live_key_id, replaced_key_id`

/**
 * Locks a row for the email and one for the client's address until the end, so that concurrent requests are counted one
 * after another. Both are in one table: an email has an `@`, an address has none.
 */
export function* submit(request: AccessRequest, key: NewKey, quota: SandboxQuota): Script<Submitted> {
  const { emailKey, clientGroup } = quota
  for (const locked of [emailKey, clientGroup].toSorted()) {
    yield* query(
      `INSERT INTO access_emails (email_key, requests) VALUES ($1, 1)
        ON CONFLICT (email_key) DO UPDATE SET requests = access_emails.requests + 1`,
      [locked],
    )
  }
  const nowMs = request.createdAtMs
  if ((yield* activeKeys('email_key', emailKey, nowMs)) >= quota.keysPerEmailMax) return 'email_full'
  if ((yield* activeKeys('client_group', clientGroup, nowMs)) >= quota.keysPerClientMax) return 'client_full'
  yield [
    insertStatement(key.record, key.hash),
    {
      sql: `INSERT INTO access_requests
        (access_request_id, name, email, email_key, reason, captcha, owner_id, sandbox_key_id, created_at_ms, status,
          client_group)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        request.accessRequestId,
        request.name,
        request.email,
        quota.emailKey,
        request.reason,
        request.captcha,
        request.ownerId,
        request.sandboxKeyId,
        request.createdAtMs,
        request.status,
        clientGroup,
      ],
    },
  ]
  return 'recorded'
}

/** The active sandbox keys of all that asked with this email or from this address, successors included. */
function* activeKeys(column: 'email_key' | 'client_group', value: string, nowMs: number): Script<number> {
  const [row] = yield* query(
    `SELECT count(*) AS active FROM access_requests r
      JOIN api_keys k ON k.owner_id = r.owner_id
      WHERE r.${column} = $1 AND k.type = 'sandbox' AND k.revoked_at_ms IS NULL
        AND (k.expires_at_ms IS NULL OR k.expires_at_ms > $2)`,
    [value, nowMs],
  )
  return Number(row?.['active'])
}

export function* find(accessRequestId: string): Script<AccessRequest | null> {
  const [row] = yield* query(`SELECT ${columns} FROM access_requests WHERE access_request_id = $1`, [
    accessRequestId,
  ])
  return row === undefined ? null : requestOf(row)
}

/** Newest first: ids sort by creation time. */
export function* list(status: AccessStatus | null): Script<AccessRequest[]> {
  const rows =
    status === null
      ? yield* query(`SELECT ${columns} FROM access_requests ORDER BY access_request_id DESC`)
      : yield* query(
          `SELECT ${columns} FROM access_requests WHERE status = $1 ORDER BY access_request_id DESC`,
          [status],
        )
  return rows.map(requestOf)
}

export function* page({ text, status, before, limit }: AccessQuery): Script<AccessRequest[]> {
  const values: SqlValue[] = [limit]
  const conditions = ['1 = 1']
  if (text !== '') {
    const part = `$${values.push(partPattern(text))}`
    conditions.push(
      `(lower(name) LIKE lower(${part}) ESCAPE '!' OR lower(email) LIKE lower(${part}) ESCAPE '!'
        OR access_request_id = $${values.push(text)})`,
    )
  }
  if (status !== null) conditions.push(`status = $${values.push(status)}`)
  if (before !== null) conditions.push(`access_request_id < $${values.push(before)}`)
  const rows = yield* query(
    `SELECT ${columns} FROM access_requests WHERE ${conditions.join(' AND ')}
      ORDER BY access_request_id DESC LIMIT $1`,
    values,
  )
  return rows.map(requestOf)
}

/** Of two concurrent decisions the first wins; the second returns false. */
export function* decide(
  accessRequestId: string,
  settlement: AccessReview,
  act: HashedAct | null,
): Script<boolean> {
  const { decision, liveKey, replacedEnd } = settlement
  const rows = yield* query(
    `UPDATE access_requests SET status = $2, decided_at_ms = $3, decided_by = $4, decision_note = $5,
        live_key_id = $6, replaced_key_id = $7
      WHERE access_request_id = $1 AND status = 'received' RETURNING owner_id`,
    [
      accessRequestId,
      settlement.status,
      decision.decidedAtMs,
      decision.decidedBy,
      decision.note,
      decision.liveKeyId,
      decision.replacedKeyId,
    ],
  )
  const [decided] = rows
  if (decided === undefined) return false
  if (liveKey !== null) yield [insertStatement(liveKey.record, liveKey.hash)]
  if (replacedEnd !== null) yield [endStatement(decision.replacedKeyId ?? '', replacedEnd)]
  if (settlement.revokesSandbox)
    yield [revokeSandboxStatement(String(decided['owner_id']), decision.decidedAtMs)]
  yield actStatements(act)
  return true
}

function requestOf(row: Row): AccessRequest {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  const decidedAtMs = row['decided_at_ms']
  return {
    accessRequestId: String(row['access_request_id']),
    name: String(row['name']),
    email: String(row['email']),
    reason: String(row['reason']),
    captcha: row['captcha'] as CaptchaCheck,
    ownerId: String(row['owner_id']),
    sandboxKeyId: String(row['sandbox_key_id']),
    createdAtMs: Number(row['created_at_ms']),
    status: row['status'] as AccessStatus,
    decision:
      decidedAtMs === null || decidedAtMs === undefined
        ? null
        : {
            decidedAtMs: Number(decidedAtMs),
            decidedBy: text('decided_by') ?? '',
            note: text('decision_note'),
            liveKeyId: text('live_key_id'),
            replacedKeyId: text('replaced_key_id'),
          },
  }
}
