/** Finds an owner's decisions by correlation id. */

import type { Correlated } from '../../../app/ports/store.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import { inRuns, sqlForRows, type Script } from '../engine/script.ts'

/** The first value is the owner. A correlation id is in the record in form 1, and apart from it in form 2. */
const correlatedSql = sqlForRows((rows) => {
  const ids = Array.from({ length: rows }, (_, place) => `$${place + 2}`).join(',')
  return `SELECT correlation_id, MIN(request_id) AS request_id, COUNT(*) AS count FROM (
      SELECT correlation_id, request_id FROM verifications INDEXED BY verifications_by_correlation
        WHERE owner_id = $1 AND correlation_id IN (${ids})
      UNION ALL SELECT personal_text, subject_id FROM personal_texts INDEXED BY personal_texts_by_text
        WHERE owner_id = $1 AND personal_text IN (${ids}) AND decision IS NOT NULL
    ) AS found GROUP BY correlation_id`
})

export function* findCorrelated(
  ownerId: string,
  correlationIds: readonly string[],
): Script<Map<string, Correlated>> {
  const groups = yield inRuns([...new Set(correlationIds)]).map((run) => ({
    sql: correlatedSql(run.length),
    values: [ownerId, ...run],
  }))
  return new Map(
    groups
      .flat()
      .map((row) => [
        String(row['correlation_id']),
        { requestId: row['request_id'] as RequestId, count: Number(row['count']) },
      ]),
  )
}
