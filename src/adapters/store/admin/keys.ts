/** SQL of API keys, shared by both engines. */

import { defaultPrefix, type KeyPrefix, type KeyType, type Scope } from '../../../core/identity/api-key.ts'
import type {
  KeyEnd,
  KeyQuery,
  KeyRecord,
  KeyUse,
  ListedKey,
  NewKey,
  Owner,
  OwnerQuery,
} from '../../../app/ports/identity/keys.ts'
import { actStatements, type HashedAct } from './acts.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'

const names = [
  'key_id',
  'owner_id',
  'principal_id',
  'owner_label',
  'type',
  'prefix',
  'scopes',
  'verify_limit_count',
  'verify_limit_window_ms',
  'created_at_ms',
  'expires_at_ms',
  'revoked_at_ms',
] as const
const columns = names.join(', ')

/** Treats a revoked key as unknown, so that response time does not distinguish them. */
export function* findByHash(hash: string): Script<KeyRecord | null> {
  const sql = `SELECT ${columns} FROM api_keys WHERE key_hash = $1 AND revoked_at_ms IS NULL`
  const [row] = yield* query(sql, [hash])
  return row === undefined ? null : keyOf(row)
}

export function* find(keyId: string): Script<KeyRecord | null> {
  const [row] = yield* query(`SELECT ${columns} FROM api_keys WHERE key_id = $1`, [keyId])
  return row === undefined ? null : keyOf(row)
}

const ownerSql = (where: string): string => `SELECT k.owner_id,
    (SELECT n.owner_label FROM api_keys n WHERE n.owner_id = k.owner_id
      ORDER BY n.created_at_ms DESC, n.key_id DESC LIMIT 1) AS name,
    SUM(CASE WHEN k.type = 'live' AND k.revoked_at_ms IS NULL
      AND (k.expires_at_ms IS NULL OR k.expires_at_ms > $2) THEN 1 ELSE 0 END) AS live_keys,
    SUM(CASE WHEN k.type = 'sandbox' THEN 0 ELSE 1 END) AS other_keys
  FROM api_keys k WHERE k.owner_id ${where} GROUP BY k.owner_id`

export function* findOwner(ownerId: string, nowMs: number): Script<Owner | null> {
  const [row] = yield* query(ownerSql('= $1'), [ownerId, nowMs])
  return row === undefined ? null : ownerOf(row)
}

/** Both engines know the case of plain letters alone; others must be as they are in the name. */
export function* owners({ text, after, limit, nowMs }: OwnerQuery): Script<Owner[]> {
  const rows = yield* query(
    `SELECT owner_id, name, live_keys, other_keys FROM (${ownerSql('> $1')}) AS o
      WHERE $4 = '' OR lower(name) LIKE lower($5) ESCAPE '!' OR owner_id = $4 ORDER BY owner_id LIMIT $3`,
    [after, nowMs, limit, text, partPattern(text)],
  )
  return rows.map(ownerOf)
}

/** The pattern of a text with this part, for LIKE with the escape character `!`. */
export const partPattern = (text: string): string => `%${text.replaceAll(/[!%_]/g, '!$&')}%`

function ownerOf(row: Row): Owner {
  return {
    ownerId: String(row['owner_id']),
    name: String(row['name']),
    hasLiveKey: Number(row['live_keys']) > 0,
    isSandbox: Number(row['other_keys']) === 0,
  }
}

const listedSql = `SELECT ${names.map((name) => `k.${name}`).join(', ')}, u.last_used_at_ms
  FROM api_keys k LEFT JOIN key_uses u ON u.key_id = k.key_id`

const listedOf = (row: Row): ListedKey => ({
  ...keyOf(row),
  lastUsedAtMs: optional(row['last_used_at_ms']),
})

export function* list(): Script<ListedKey[]> {
  const rows = yield* query(`${listedSql} ORDER BY k.created_at_ms, k.key_id`)
  return rows.map(listedOf)
}

const statusConditions = {
  active: (now: string) =>
    `k.revoked_at_ms IS NULL AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${now})`,
  expired: (now: string) => `k.revoked_at_ms IS NULL AND k.expires_at_ms <= ${now}`,
} as const

export function* page(wanted: KeyQuery): Script<ListedKey[]> {
  const { text, type, status, expiresBeforeMs, before, limit, nowMs } = wanted
  const values: SqlValue[] = [limit]
  const conditions = ['1 = 1']
  const now = (): string => `CAST($${values.push(nowMs)} AS bigint)`
  if (text !== '') {
    const whole = `$${values.push(text)}`
    const part = `$${values.push(partPattern(text))}`
    conditions.push(
      `(lower(k.owner_label) LIKE lower(${part}) ESCAPE '!' OR ${whole} IN (k.key_id, k.owner_id, k.principal_id))`,
    )
  }
  if (type !== null) conditions.push(`k.type = $${values.push(type)}`)
  if (status !== null)
    conditions.push(status === 'revoked' ? 'k.revoked_at_ms IS NOT NULL' : statusConditions[status](now()))
  if (expiresBeforeMs !== null)
    conditions.push(
      `${statusConditions.active(now())} AND k.expires_at_ms < $${values.push(expiresBeforeMs)}`,
    )
  if (before !== null) {
    const last = `(SELECT b.created_at_ms FROM api_keys b WHERE b.key_id = $${values.push(before)})`
    conditions.push(
      `(k.created_at_ms < ${last} OR (k.created_at_ms = ${last} AND k.key_id < $${values.length}))`,
    )
  }
  const rows = yield* query(
    `${listedSql} WHERE ${conditions.join(' AND ')} ORDER BY k.created_at_ms DESC, k.key_id DESC LIMIT $1`,
    values,
  )
  return rows.map(listedOf)
}

const useSql = sqlForRows(
  (rows) => `INSERT INTO key_uses (key_id, last_used_at_ms) VALUES ${placeholders(rows, 2)}
    ON CONFLICT (key_id) DO UPDATE SET last_used_at_ms = excluded.last_used_at_ms
      WHERE key_uses.last_used_at_ms < excluded.last_used_at_ms`,
)

/** Updates in key order, so that concurrent instances never deadlock. */
export function* recordUses(uses: readonly KeyUse[]): Script<void> {
  const sorted = uses.toSorted((left, right) => (left.keyId < right.keyId ? -1 : 1))
  yield inRuns(sorted).map((run) => ({
    sql: useSql(run.length),
    values: run.flatMap(({ keyId, usedAtMs }) => [keyId, usedAtMs]),
  }))
}

export function* insert(key: KeyRecord, hash: string, act: HashedAct | null): Script<void> {
  yield [insertStatement(key, hash), ...actStatements(act)]
}

/** The second revocation of a key is no act. */
export function* revoke(keyId: string, atMs: number, act: HashedAct | null): Script<boolean> {
  const [rows] = yield [revokeStatement(keyId, atMs)]
  if (rows === undefined || rows.length === 0) return (yield* find(keyId)) !== null
  yield actStatements(act)
  return true
}

export function* replace(
  oldKeyId: string,
  end: KeyEnd,
  { record, hash }: NewKey,
  act: HashedAct | null,
): Script<boolean> {
  const isActive = statusConditions.active('CAST($2 AS bigint)')
  const [old] = yield* query(
    `SELECT k.key_id FROM api_keys k WHERE k.key_id = $1 AND ${isActive} FOR UPDATE`,
    [oldKeyId, record.createdAtMs],
  )
  if (old === undefined) return false
  yield [insertStatement(record, hash), endStatement(oldKeyId, end), ...actStatements(act)]
  return true
}

export function endStatement(keyId: string, end: KeyEnd): Statement {
  return 'revokedAtMs' in end
    ? revokeStatement(keyId, end.revokedAtMs)
    : expireStatement(keyId, end.expiresAtMs)
}

export function insertStatement(key: KeyRecord, hash: string): Statement {
  return {
    sql: `INSERT INTO api_keys (${columns}, key_hash) VALUES ${placeholders(1, names.length + 1)}`,
    values: [
      key.keyId,
      key.ownerId,
      key.principalId,
      key.ownerLabel,
      key.type,
      key.prefix,
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

export function revokeSandboxStatement(ownerId: string, atMs: number): Statement {
  return {
    sql: `UPDATE api_keys SET revoked_at_ms = $2
      WHERE owner_id = $1 AND type = 'sandbox' AND revoked_at_ms IS NULL`,
    values: [ownerId, atMs],
  }
}

/** Never extends the life of a key. */
function expireStatement(keyId: string, atMs: number): Statement {
  return {
    sql: 'UPDATE api_keys SET expires_at_ms = $2 WHERE key_id = $1 AND (expires_at_ms IS NULL OR expires_at_ms > $2)',
    values: [keyId, atMs],
  }
}

function optional(value: unknown): number | null {
  return value === null ? null : Number(value)
}

function keyOf(row: Row): KeyRecord {
  const count = optional(row['verify_limit_count'])
  const windowMs = optional(row['verify_limit_window_ms'])
  const scopes = String(row['scopes'])
  const type = row['type'] as KeyType
  const keyId = String(row['key_id'])
  return {
    keyId,
    ownerId: String(row['owner_id']),
    // Null for keys from before principals that replaced no other.
    principalId: String(row['principal_id'] ?? keyId),
    ownerLabel: String(row['owner_label']),
    type,
    prefix: (row['prefix'] as KeyPrefix | null) ?? defaultPrefix[type],
    scopes: scopes === '' ? [] : (scopes.split(' ') as Scope[]),
    verifyLimit: count === null || windowMs === null ? null : { count, windowMs },
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: optional(row['expires_at_ms']),
    revokedAtMs: optional(row['revoked_at_ms']),
  }
}
