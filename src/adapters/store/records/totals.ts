/** The follower `totals`: counts decisions by key, hour and day. */

import type { LogLeaf } from '../../../app/ports/log.ts'
import type { ReasonCode } from '../../../core/decision/reasons.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import type { Effect } from '../journal/effect.ts'
import { inRuns, parameterList, sqlForRows, type Row, type Script } from '../engine/script.ts'
import type { RecentRecords } from './recent-records.ts'
import { rollupStatements, type CountedRecord } from './rollups.ts'
import { usageStatements } from './usage.ts'

/** Records without a form were counted in their own transaction, by an earlier version. */
const countedSql = sqlForRows(
  (
    rows,
  ) => `SELECT owner_id, key_id, mode, corridor, decision, score_hundredths, confidence_hundredths, recorded_at_ms,
      cooldown_source_id, reason_codes, latency_us
    FROM verifications WHERE request_id IN (${parameterList(rows)}) AND form IS NOT NULL`,
)

export function* countTotals(leaves: readonly LogLeaf[], recent: RecentRecords): Script<Effect> {
  const ids = leaves.map(({ subjectId }) => subjectId).filter(isRequestId)
  const known = ids.map((id) => recent.find(id)).filter((record) => record !== null)
  const others = known.length === ids.length ? [] : ids.filter((id) => recent.find(id) === null)
  const groups =
    others.length === 0
      ? []
      : yield inRuns(others).map((run) => ({ sql: countedSql(run.length), values: run }))
  const records = [...known, ...groups.flat().map(countedOf)]
  return { statements: [...usageStatements(records), ...rollupStatements(records)] }
}

function countedOf(row: Row): CountedRecord {
  const codes = String(row['reason_codes'])
  return {
    ownerId: String(row['owner_id']),
    keyId: String(row['key_id']),
    mode: String(row['mode']),
    corridor: String(row['corridor']),
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    recordedAtMs: Number(row['recorded_at_ms']),
    isCooldownHit: row['cooldown_source_id'] !== null,
    reasonCodes: codes === '' ? [] : (codes.split(' ') as ReasonCode[]),
    latencyUs: row['latency_us'] === null ? null : Number(row['latency_us']),
  }
}
