/** Idempotency keys: every statement on them. The unique key decides which of several racers is first. */

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

/** A driver knows by its name that a duplicate is a taken key. */
export const keyTable = 'idempotency_keys'

/** What a row `a` that was asked for finds under its key: the record's id and the fingerprint of its body, as one text. */
export const earlierSql = `SELECT k.request_id || ' ' || k.fingerprint FROM ${keyTable} k
          WHERE k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key`

/** What the second one under a key is told. */
export type TakenClaim = Exclude<Claim, { kind: 'fresh' }>

export function earlierClaim(kept: string, asked: string | undefined, record: RepeatedRecord): TakenClaim {
  return kept === asked ? { kind: 'replay', record } : { kind: 'conflict' }
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
  (rows) => `WITH asked (place, owner_id, idempotency_key) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, k.fingerprint, ${repeatedColumns}
      FROM asked a
      JOIN ${keyTable} k ON k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key
      LEFT JOIN verifications v ON v.request_id = k.request_id`,
)

/** What those whose key is taken are told; null for those whose key is free. */
export function* takenKeys(commands: readonly CommitCommand[]): Script<(TakenClaim | null)[]> {
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
      // A key whose record an operator has taken away is still taken: nothing is decided twice under it.
      return row['request_id'] === null
        ? { kind: 'conflict' }
        : earlierClaim(String(row['fingerprint']), idempotency?.fingerprint, repeatedOf(row))
    })
  })
}
