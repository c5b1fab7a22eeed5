/** Reads the sums of calibration. */

import type { CalibrationQuery, CalibrationSums } from '../../../app/ports/records.ts'
import type { Subject } from '../../../core/calibration/cells.ts'
import type { Script, SqlValue } from '../engine/script.ts'

const sums = 'CAST(SUM(records) AS bigint) AS records, CAST(SUM(failures) AS bigint) AS failures'
/** By mode, because the days are in order within each. */
const modes = ['shadow', 'live'] as const

export function* calibrate(
  ownerId: string,
  { range, mode, corridor }: CalibrationQuery,
): Script<CalibrationSums> {
  const chosen = modes.filter((one) => mode === null || one === mode)
  const values: SqlValue[] = [ownerId, corridor ?? '', range.fromMs, range.toMs, ...chosen]
  const where = `owner_id = $1 AND corridor = $2 AND mode IN (${chosen.map((_, place) => `$${place + 5}`).join(', ')})
      AND starts_at_ms >= $3 AND starts_at_ms < $4`
  // One statement, so that both parts are of the same moment.
  const [rows = []] = yield [
    {
      sql: `SELECT subject, place, 0 AS starts_at_ms, ${sums} FROM calibration WHERE ${where} GROUP BY subject, place
        UNION ALL SELECT '', 0, starts_at_ms, ${sums} FROM calibration
          WHERE ${where} AND subject IN ('GO', 'DEGRADED', 'NO-GO') GROUP BY starts_at_ms`,
      values,
    },
  ]
  const counted = rows.map((row) => ({
    subject: String(row['subject']),
    place: Number(row['place']),
    startsAtMs: Number(row['starts_at_ms']),
    records: Number(row['records']),
    failures: Number(row['failures']),
  }))
  return {
    cells: counted.flatMap(({ subject, place, records, failures }) =>
      subject === '' ? [] : [{ subject: subject as Subject, place, records, failures }],
    ),
    days: counted
      .filter(({ subject }) => subject === '')
      .map(({ startsAtMs, records, failures }) => ({ startsAtMs, records, failures })),
  }
}
