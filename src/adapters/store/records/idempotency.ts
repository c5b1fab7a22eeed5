/** SQL of idempotency keys. The unique key decides which of several concurrent requests is first. */

import type { Claim, CommitCommand, RepeatedRecord } from '../../../app/ports/records.ts'
import {
  inLockOrder,
  inRuns,
  placeholders,
  sqlForRows,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { repeatedColumns, repeatedOf } from './record-rows.ts'

/** Drivers compare this name to recognise a duplicate idempotency key. */
export const keyTable = 'idempotency_keys'

/** The entry under the key of request row `a`: the record's id and the body's fingerprint, as one text. */
export const earlierSql = `SELECT k.request_id || ' ' || k.fingerprint FROM ${keyTable} k
          WHERE k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key`

/** The result of a request whose key is taken. */
export type TakenClaim = Exclude<Claim, { kind: 'fresh' }>

export function earlierClaim(
  storedFingerprint: string,
  fingerprint: string | undefined,
  record: RepeatedRecord,
): TakenClaim {
  return storedFingerprint === fingerprint ? { kind: 'replay', record } : { kind: 'conflict' }
}

const keySql = sqlForRows(
  (rows) => `INSERT INTO ${keyTable} (owner_id, idempotency_key, fingerprint, request_id)
    VALUES ${placeholders(rows, 4)}`,
)

export function keyStatements(commands: readonly CommitCommand[]): Statement[] {
  const withKey = commands.filter((command) => command.idempotency !== null)
  return inRuns(inLockOrder(withKey, keyOrder)).map((run) => {
    const values: SqlValue[] = []
    for (const { record, idempotency } of run) {
      values.push(record.ownerId, idempotency?.key ?? '', idempotency?.fingerprint ?? '', record.requestId)
    }
    return { sql: keySql(run.length), values }
  })
}

const keyOrder = ({ record, idempotency }: CommitCommand): string =>
  `${record.ownerId}\n${idempotency?.key ?? ''}`

const takenSql = sqlForRows(
  (rows) => `WITH wanted (place, owner_id, idempotency_key) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, k.fingerprint, ${repeatedColumns}
      FROM wanted a
      JOIN ${keyTable} k ON k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key
      LEFT JOIN verifications v ON v.request_id = k.request_id`,
)

/** The claims of commands whose key is taken; null for the others. */
export function* takenClaims(commands: readonly CommitCommand[]): Script<(TakenClaim | null)[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map((run) => ({
    sql: takenSql(run.length),
    values: run.flatMap(({ record, idempotency }, place) => [
      String(place),
      record.ownerId,
      idempotency?.key ?? null,
    ]),
  }))
  return runs.flatMap((run, index) => {
    const byPlace = new Map((groups[index] ?? []).map((row) => [row['place'], row]))
    return run.map(({ idempotency }, place) => {
      const row = byPlace.get(String(place))
      if (row === undefined) return null
      // A key whose record is in a detached month is still taken: no second decision under it.
      return row['request_id'] === null
        ? { kind: 'conflict' }
        : earlierClaim(String(row['fingerprint']), idempotency?.fingerprint, repeatedOf(row))
    })
  })
}
