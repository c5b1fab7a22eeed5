/** SQL of usage by key, counted in the transaction that writes the records. */

import type { CommitCommand } from '../../../app/ports/records.ts'
import { inRuns, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'

const countSql = sqlForRows(
  (rows) => `INSERT INTO key_usage (key_id, shard, verifications) VALUES ${placeholders(rows, 3)}
    ON CONFLICT (key_id, shard) DO UPDATE SET verifications = key_usage.verifications + excluded.verifications`,
)

/** Writes keys in a fixed order, so that concurrent writers never deadlock. */
export function usageStatements(written: readonly CommitCommand[], shard: number): Statement[] {
  const counts = new Map<string, number>()
  for (const { record } of written) counts.set(record.keyId, (counts.get(record.keyId) ?? 0) + 1)
  const keys = [...counts.keys()].toSorted()
  return inRuns(keys).map((run) => ({
    sql: countSql(run.length),
    values: run.flatMap((keyId) => [keyId, shard, counts.get(keyId) ?? 0]),
  }))
}

const usageSql = sqlForRows(
  (rows) => `WITH wanted (key_id) AS (VALUES ${placeholders(rows, 1)})
    SELECT a.key_id, CAST(SUM(u.verifications) AS bigint) AS total
      FROM wanted a JOIN key_usage u ON u.key_id = a.key_id GROUP BY a.key_id`,
)

/** Batched: concurrent lookups share a statement. */
export function* usageOfAll(keyIds: readonly string[]): Script<number[]> {
  const runs = inRuns([...new Set(keyIds)])
  const groups = yield runs.map((run) => ({ sql: usageSql(run.length), values: run }))
  const totals = new Map(groups.flat().map((row) => [String(row['key_id']), Number(row['total'])]))
  return keyIds.map((keyId) => totals.get(keyId) ?? 0)
}
