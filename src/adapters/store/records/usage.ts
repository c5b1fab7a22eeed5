/** SQL of usage by key. */

import { inRuns, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'

const countSql = sqlForRows(
  (rows) => `INSERT INTO key_usage (key_id, verifications) VALUES ${placeholders(rows, 2)}
    ON CONFLICT (key_id) DO UPDATE SET verifications = key_usage.verifications + excluded.verifications`,
)

export function usageStatements(records: readonly { readonly keyId: string }[]): Statement[] {
  const counts = [...Map.groupBy(records, ({ keyId }) => keyId)]
  return inRuns(counts).map((run) => ({
    sql: countSql(run.length),
    values: run.flatMap(([keyId, counted]) => [keyId, counted.length]),
  }))
}

const usageSql = sqlForRows(
  (rows) => `WITH wanted (key_id) AS (VALUES ${placeholders(rows, 1)})
    SELECT u.key_id, u.verifications FROM wanted a JOIN key_usage u ON u.key_id = a.key_id`,
)

/** Batched: concurrent lookups share a statement. */
export function* usageOfAll(keyIds: readonly string[]): Script<number[]> {
  const runs = inRuns([...new Set(keyIds)])
  const groups = yield runs.map((run) => ({ sql: usageSql(run.length), values: run }))
  const totals = new Map(groups.flat().map((row) => [String(row['key_id']), Number(row['verifications'])]))
  return keyIds.map((keyId) => totals.get(keyId) ?? 0)
}
