/** Keys: every statement on them, once for both engines. */

import type { KeyType, Scope } from '../../core/api-key.ts'
import type { KeyEnd, KeyRecord } from '../../app/ports.ts'
import { query, type Row, type Script, type Statement } from './script.ts'

const columns = `key_id, owner_id, owner_label, type, scopes, verify_limit_count, verify_limit_window_ms,
  created_at_ms, expires_at_ms, revoked_at_ms`

export function* findByHash(hash: string): Script<KeyRecord | null> {
  const [row] = yield* query(`SELECT ${columns} FROM api_keys WHERE key_hash = $1`, [hash])
  return row === undefined ? null : keyOf(row)
}

export function* find(keyId: string): Script<KeyRecord | null> {
  const [row] = yield* query(`SELECT ${columns} FROM api_keys WHERE key_id = $1`, [keyId])
  return row === undefined ? null : keyOf(row)
}

export function* list(): Script<KeyRecord[]> {
  const rows = yield* query(`SELECT ${columns} FROM api_keys ORDER BY created_at_ms, key_id`)
  return rows.map(keyOf)
}

export function* insert(key: KeyRecord, hash: string): Script<void> {
  yield [insertStatement(key, hash)]
}

export function* revoke(keyId: string, atMs: number): Script<boolean> {
  const [rows] = yield [revokeStatement(keyId, atMs)]
  if (rows !== undefined && rows.length > 0) return true
  return (yield* find(keyId)) !== null
}

export function* replace(oldKeyId: string, end: KeyEnd, key: KeyRecord, hash: string): Script<void> {
  const endStatement =
    'revokedAtMs' in end
      ? revokeStatement(oldKeyId, end.revokedAtMs)
      : expireStatement(oldKeyId, end.expiresAtMs)
  yield [insertStatement(key, hash), endStatement]
}

function insertStatement(key: KeyRecord, hash: string): Statement {
  return {
    sql: `INSERT INTO api_keys (${columns}, key_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      key.keyId,
      key.ownerId,
      key.ownerLabel,
      key.type,
      key.scopes.join(' '),
      key.verifyLimit?.count ?? null,
      key.verifyLimit?.windowMs ?? null,
      key.createdAtMs,
      key.expiresAtMs,
      key.revokedAtMs,
      hash,
    ],
  }
}

function revokeStatement(keyId: string, atMs: number): Statement {
  return {
    sql: 'UPDATE api_keys SET revoked_at_ms = $2 WHERE key_id = $1 AND revoked_at_ms IS NULL RETURNING key_id',
    values: [keyId, atMs],
  }
}

/** A key that is to end is never given more time. */
function expireStatement(keyId: string, atMs: number): Statement {
  return {
    sql: 'UPDATE api_keys SET expires_at_ms = $2 WHERE key_id = $1 AND (expires_at_ms IS NULL OR expires_at_ms > $2)',
    values: [keyId, atMs],
  }
}

function keyOf(row: Row): KeyRecord {
  const optional = (value: unknown): number | null => (value === null ? null : Number(value))
  const count = optional(row['verify_limit_count'])
  const windowMs = optional(row['verify_limit_window_ms'])
  const scopes = String(row['scopes'])
  return {
    keyId: String(row['key_id']),
    ownerId: String(row['owner_id']),
    ownerLabel: String(row['owner_label']),
    type: row['type'] as KeyType,
    scopes: scopes === '' ? [] : (scopes.split(' ') as Scope[]),
    verifyLimit: count === null || windowMs === null ? null : { count, windowMs },
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: optional(row['expires_at_ms']),
    revokedAtMs: optional(row['revoked_at_ms']),
  }
}
