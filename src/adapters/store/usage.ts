/** What each key has used: counted in the transaction that writes the records, so that it is never wrong. */

import type { CommitCommand } from '../../app/ports.ts'
import { inRuns, placeholders, query, sqlForRows, type Script, type Statement } from './script.ts'

const countSql = sqlForRows(
  (rows) => `INSERT INTO key_usage (key_id, shard, verifications) VALUES ${placeholders(rows, 3)}
    ON CONFLICT (key_id, shard) DO UPDATE SET verifications = key_usage.verifications + excluded.verifications`,
)

/** Keys in one order, so that two writers never wait for each other in a ring. */
export function usageStatements(written: readonly CommitCommand[], shard: number): Statement[] {
  const counts = new Map<string, number>()
  for (const { record } of written) counts.set(record.keyId, (counts.get(record.keyId) ?? 0) + 1)
  const keys = [...counts.keys()].toSorted()
  return inRuns(keys).map((run) => ({
    sql: countSql(run.length),
    values: run.flatMap((keyId) => [keyId, shard, counts.get(keyId) ?? 0]),
  }))
}

export function* usageOf(keyId: string): Script<number> {
  const [row] = yield* query(
    'SELECT CAST(SUM(verifications) AS bigint) AS total FROM key_usage WHERE key_id = $1',
    [keyId],
  )
  return Number(row?.['total'] ?? 0)
}
