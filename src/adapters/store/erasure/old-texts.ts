/** SQL that walks personal texts by their age, and the idempotency keys of payments that have one. */

import type {
  KeyOfText,
  KeyPage,
  KeyPlace,
  OldText,
  TextCount,
  TextKind,
  TextRange,
} from '../../../app/ports/privacy/erasure.ts'
import {
  firstRequestIdAt,
  requestIdDigits,
  timeOfId,
  type RequestId,
} from '../../../core/identity/request-id.ts'
import { query, type Script, type Statement } from '../engine/script.ts'
import { subjectOf } from './erasures.ts'

const prefixes = { correlation_id: 'SVC-', justification: 'ovr_', review_text: 'rvc_' } as const

/** The lower bound of ids of this kind from this time on. Ids carry their time. */
function boundOf(kind: TextKind, atMs: number): string {
  const first = firstRequestIdAt(atMs)
  return kind === 'correlation_id' ? first : `${prefixes[kind]}${first.slice(-requestIdDigits).toLowerCase()}`
}

const from = `personal_texts p LEFT JOIN review_changes c ON c.change_id = p.subject_id
  LEFT JOIN reviews r ON r.review_id = c.review_id`
const inUse = 'CASE WHEN r.review_id IS NOT NULL AND r.closed_at_ms IS NULL THEN 1 ELSE 0 END'

export function* oldTexts(
  { kind, fromMs, toMs }: TextRange,
  afterId: string,
  limit: number,
): Script<OldText[]> {
  const rows = yield* query(
    `SELECT p.subject_id, p.owner_id, 1 AS has_text, 2 AS form, ${inUse} AS in_use FROM ${from}
      WHERE p.subject_id >= $1 AND p.subject_id < $2 AND p.subject_id > $3 ORDER BY p.subject_id LIMIT $4`,
    [boundOf(kind, fromMs), boundOf(kind, toMs), afterId, limit],
  )
  return rows.map((row) => ({ ...subjectOf(kind, row), isInUse: Number(row['in_use']) === 1 }))
}

export function* countTexts({ kind, fromMs, toMs }: TextRange): Script<TextCount> {
  const [row] = yield* query(
    `SELECT COUNT(*) AS texts, COALESCE(SUM(${inUse}), 0) AS in_use FROM ${from}
      WHERE p.subject_id >= $1 AND p.subject_id < $2`,
    [boundOf(kind, fromMs), boundOf(kind, toMs)],
  )
  return { texts: Number(row?.['texts'] ?? 0), inUse: Number(row?.['in_use'] ?? 0) }
}

export function* oldestText(kind: TextKind): Script<number | null> {
  const prefix = prefixes[kind]
  const [row] = yield* query(
    'SELECT min(subject_id) AS oldest FROM personal_texts WHERE subject_id >= $1 AND subject_id < $2',
    [prefix, `${prefix}~`],
  )
  const oldest = row?.['oldest'] ?? null
  return oldest === null ? null : timeOfId(String(oldest))
}

export function* countSealed(toMs: number): Script<number> {
  const [records, overrides] = yield [
    {
      sql: 'SELECT COUNT(*) AS count FROM verifications WHERE correlation_id IS NOT NULL AND request_id < $1',
      values: [boundOf('correlation_id', toMs)],
    },
    {
      sql: 'SELECT COUNT(*) AS count FROM overrides WHERE COALESCE(form, 1) = 1 AND override_id < $1',
      values: [boundOf('justification', toMs)],
    },
  ]
  return Number(records?.[0]?.['count'] ?? 0) + Number(overrides?.[0]?.['count'] ?? 0)
}

/** By primary key: there is no index by payment, which every decision would have to write. */
export function* keys(after: KeyPlace, limit: number): Script<KeyPage> {
  const rows = yield* query(
    `SELECT k.owner_id, k.idempotency_key, k.request_id, p.personal_text FROM (
        SELECT owner_id, idempotency_key, request_id FROM idempotency_keys
          WHERE (owner_id, idempotency_key) > ($1, $2) ORDER BY owner_id, idempotency_key LIMIT $3) AS k
      LEFT JOIN personal_texts p ON p.subject_id = k.request_id
      ORDER BY k.owner_id, k.idempotency_key`,
    [after.ownerId, after.key, limit],
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    next:
      last === undefined ? null : { ownerId: String(last['owner_id']), key: String(last['idempotency_key']) },
    keys: rows.flatMap((row): KeyOfText[] => {
      const text = row['personal_text'] ?? null
      if (text === null) return []
      const key = String(row['idempotency_key'])
      return [
        {
          ownerId: String(row['owner_id']),
          key,
          requestId: row['request_id'] as RequestId,
          holdsText: key.includes(String(text)),
        },
      ]
    }),
  }
}

/** A fingerprint is a hash of the body without a salt, by which a guess at the text could be confirmed. */
export function* forgetKeys(forgotten: readonly KeyOfText[]): Script<void> {
  yield forgotten.map(({ ownerId, key, holdsText }): Statement => ({
    sql: `${holdsText ? 'DELETE FROM idempotency_keys' : "UPDATE idempotency_keys SET fingerprint = ''"}
        WHERE owner_id = $1 AND idempotency_key = $2`,
    values: [ownerId, key],
  }))
}
