/** The follower `calibration`: counts decisions, and how their payments ended, by day. */

import type { LogLeaf } from '../../../app/ports/log.ts'
import {
  cellsOfOutcome,
  cellsOfRecord,
  type CountedCell,
  type Predicted,
} from '../../../core/calibration/cells.ts'
import type { ReasonCode } from '../../../core/decision/reasons.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import type { ActualOutcome } from '../../../core/live/outcome.ts'
import { dayMs, floorTo } from '../../../core/time/durations.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'
import type { Effect } from '../journal/effect.ts'
import type { RecentRecords } from '../records/recent-records.ts'

const keyColumns = ['owner_id', 'corridor', 'mode', 'starts_at_ms', 'subject', 'place'] as const
const columns = [...keyColumns, 'records', 'failures'] as const

const addSql = sqlForRows(
  (rows) => `INSERT INTO calibration (${columns.join(', ')}) VALUES ${placeholders(rows, columns.length)}
    ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET
      records = calibration.records + excluded.records, failures = calibration.failures + excluded.failures`,
)

const recordColumns = [
  'owner_id',
  'mode',
  'corridor',
  'decision',
  'score_hundredths',
  'amount',
  'currency',
  'recorded_at_ms',
  'reason_codes',
]
  .map((name) => `v.${name}`)
  .join(', ')
/** Records of before have their reason codes in the answer only. */
const codesSql = 'CASE WHEN v.reason_codes IS NULL THEN v.answer END AS answer'

/** An outcome that was reported to an early version has no entry of its own, so it counts with its record. */
const recordsSql = sqlForRows(
  (rows) => `SELECT ${recordColumns}, ${codesSql}, r.outcome FROM verifications v
    LEFT JOIN outcomes r ON r.request_id = v.request_id AND r.outcome_id IS NULL AND r.is_final = 1
    WHERE v.request_id IN (${parameterList(rows)})`,
)

const outcomesSql = sqlForRows(
  (rows) => `SELECT ${recordColumns}, ${codesSql}, r.outcome
    FROM outcomes r JOIN verifications v ON v.request_id = r.request_id
    WHERE r.outcome_id IN (${parameterList(rows)}) AND r.is_final = 1`,
)

/** A record and its outcome are counted apart, so the order of their entries does not matter. */
export function* countCalibration(leaves: readonly LogLeaf[], recent: RecentRecords): Script<Effect> {
  const sums = new Sums()
  const others: string[] = []
  const outcomeIds: string[] = []
  for (const { subjectId } of leaves) {
    const record = recent.find(subjectId)
    if (record !== null) sums.add(record, cellsOfRecord({ ...record, mode: record.mode as Mode }))
    else if (isRequestId(subjectId)) others.push(subjectId)
    else if (subjectId.startsWith('out_')) outcomeIds.push(subjectId)
  }
  const recordRuns = inRuns(others).map((run) => ({ sql: recordsSql(run.length), values: run }))
  const outcomeRuns = inRuns(outcomeIds).map((run) => ({ sql: outcomesSql(run.length), values: run }))
  const statements = [...recordRuns, ...outcomeRuns]
  const groups = statements.length === 0 ? [] : yield statements
  for (const [place, rows] of groups.entries()) {
    for (const row of rows) {
      const predicted = predictedOf(row)
      if (place < recordRuns.length) sums.add(predicted, cellsOfRecord(predicted))
      const outcome = row['outcome'] as ActualOutcome | null
      if (outcome !== null) sums.add(predicted, cellsOfOutcome(predicted, outcome))
    }
  }
  return { statements: sums.statements() }
}

/** The keys of a cell, beside its subject and place. */
interface Day {
  readonly ownerId: string
  readonly corridor: string
  readonly mode: string
  readonly recordedAtMs: number
}

interface Sum extends CountedCell {
  readonly day: Day
}

/** The sums of a batch, by cell. */
class Sums {
  readonly #byKey = new Map<string, { sum: Sum; records: number; failures: number }>()

  /** Of the corridor, and of all corridors. */
  add(day: Day, cells: readonly CountedCell[]): void {
    for (const corridor of [day.corridor, '']) {
      for (const cell of cells) this.#addCell({ ...cell, day: { ...day, corridor } })
    }
  }

  #addCell(sum: Sum): void {
    const { day, subject, place, records, failures } = sum
    const startsAtMs = floorTo(dayMs, day.recordedAtMs)
    const key = `${startsAtMs} ${day.mode} ${day.corridor} ${place} ${subject} ${day.ownerId}`
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, { sum, records, failures })
    else {
      known.records += records
      known.failures += failures
    }
  }

  statements(): Statement[] {
    return inRuns([...this.#byKey.values()]).map((run) => ({
      sql: addSql(run.length),
      values: run.flatMap(({ sum: { day, subject, place }, records, failures }) => [
        day.ownerId,
        day.corridor,
        day.mode,
        floorTo(dayMs, day.recordedAtMs),
        subject,
        place,
        records,
        failures,
      ]),
    }))
  }
}

function predictedOf(row: Row): Predicted & Day {
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
