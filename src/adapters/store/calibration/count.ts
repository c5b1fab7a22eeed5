/** The follower `calibration`: counts decisions, and how their payments ended, by day. */

import type { LogLeaf } from '../../../app/ports/log.ts'
import { cellsOfOutcome, cellsOfRecord, type PredictedRecord } from '../../../core/calibration/cells.ts'
import type { ReasonCode } from '../../../core/decision/reasons.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import { isRequestId, monthOfId } from '../../../core/identity/request-id.ts'
import type { ActualOutcome } from '../../../core/live/outcome.ts'
import type { Month } from '../../../core/time/month.ts'
import {
  inRuns,
  last,
  parameterList,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'
import type { Effect } from '../journal/effect.ts'
import { boundsOf } from '../months/months.ts'
import type { RecentRecords } from '../records/recent-records.ts'
import { Sums } from './sums.ts'

/** Records of before have their reason codes in the answer only. */
const columns = `v.request_id, v.owner_id, v.mode, v.corridor, v.decision, v.score_hundredths, v.amount, v.currency,
  v.recorded_at_ms, v.reason_codes, CASE WHEN v.reason_codes IS NULL THEN v.answer END AS answer`

/** An outcome that was reported to an early version has no entry of its own, so it counts with its record. */
const recordsSql = sqlForRows(
  (rows) => `SELECT ${columns}, r.outcome FROM verifications v
    LEFT JOIN outcomes r ON r.request_id = v.request_id AND r.outcome_id IS NULL AND r.is_final = 1
    WHERE v.request_id IN (${parameterList(rows)})`,
)

/** An outcome has what it is counted by, so that its record may be away; one of before needs its record. */
const outcomesSql = sqlForRows(
  (rows) => `SELECT r.outcome, r.predicted, ${columns} FROM outcomes r
    LEFT JOIN verifications v ON r.predicted IS NULL AND v.request_id = r.request_id
    WHERE r.outcome_id IN (${parameterList(rows)}) AND r.is_final = 1`,
)

/** A record and its outcome are counted apart, so the order of their entries does not matter. */
export function* countCalibration(leaves: readonly LogLeaf[], recent: RecentRecords): Script<Effect> {
  const sums = new Sums()
  const missing = new Set<string>()
  const outcomeIds: string[] = []
  for (const { subjectId } of leaves) {
    const record = recent.find(subjectId)
    if (record !== null) sums.add(record, cellsOfRecord({ ...record, mode: record.mode as Mode }))
    else if (isRequestId(subjectId)) missing.add(subjectId)
    else if (subjectId.startsWith('out_')) outcomeIds.push(subjectId)
  }
  const recordRuns = inRuns([...missing]).map((run) => ({ sql: recordsSql(run.length), values: run }))
  const outcomeRuns = inRuns(outcomeIds).map((run) => ({ sql: outcomesSql(run.length), values: run }))
  const statements = [...recordRuns, ...outcomeRuns]
  const groups = statements.length === 0 ? [] : yield statements
  for (const row of groups.slice(0, recordRuns.length).flat()) {
    missing.delete(String(row['request_id']))
    addRecord(sums, row)
  }
  for (const row of groups.slice(recordRuns.length).flat()) addOutcome(sums, row)
  return { statements: [...(yield* sums.statements()), ...awayStatements([...missing])] }
}

function addRecord(sums: Sums, row: Row): void {
  const record = recordOf(row)
  sums.add(record, cellsOfRecord(record))
  if (row['outcome'] !== null) sums.add(record, cellsOfOutcome(record, row['outcome'] as ActualOutcome))
}

function addOutcome(sums: Sums, row: Row): void {
  const { predicted } = row
  if (predicted === null && row['request_id'] === null) return
  const record = predicted === null ? recordOf(row) : (JSON.parse(String(predicted)) as PredictedRecord)
  sums.add(record, cellsOfOutcome(record, row['outcome'] as ActualOutcome))
}

// Months that were detached when their entries were followed

const awaySql = 'INSERT INTO calibration_away (month) VALUES ($1) ON CONFLICT DO NOTHING'

function awayStatements(missing: readonly string[]): Statement[] {
  const months = new Set(missing.map(monthOfId).filter((month) => month !== null))
  return [...months].map((month) => ({ sql: awaySql, values: [month] }))
}

const recordsPerRead = 2_000

/** Counts a month that was away until now, once. Takes its turn with the follower. */
export function* countMonth(month: Month): Script<void> {
  yield* query('SELECT position FROM calibration_follower WHERE follower = 1 FOR UPDATE')
  const wasAway = yield* query('DELETE FROM calibration_away WHERE month = $1 RETURNING month', [month])
  if (wasAway.length === 0) return
  const { firstId, endId } = boundsOf(month)
  const sums = new Sums()
  // Outcomes that know what they are counted by were counted as they came.
  const sql = `SELECT ${columns}, r.outcome FROM verifications v
    LEFT JOIN outcomes r ON r.request_id = v.request_id AND r.predicted IS NULL AND r.is_final = 1
    WHERE v.request_id >= $1 AND v.request_id < $2 ORDER BY v.request_id LIMIT $3`
  for (let from: string = firstId; ;) {
    const rows = yield* query(sql, [from, endId, recordsPerRead])
    for (const row of rows) addRecord(sums, row)
    const newest = rows.at(-1)
    if (newest === undefined || rows.length < recordsPerRead) break
    from = `${String(newest['request_id'])}0`
  }
  yield last(yield* sums.statements())
}

function recordOf(row: Row): PredictedRecord {
  return {
    ownerId: String(row['owner_id']),
    mode: row['mode'] as Mode,
    corridor: String(row['corridor']),
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: String(row['currency']),
    recordedAtMs: Number(row['recorded_at_ms']),
    reasonCodes: codesOf(row),
  }
}

function codesOf(row: Row): readonly ReasonCode[] {
  const codes = row['reason_codes']
  if (codes === null)
    return (JSON.parse(String(row['answer'])) as { reason_codes: ReasonCode[] }).reason_codes
  return codes === '' ? [] : (String(codes).split(' ') as ReasonCode[])
}
