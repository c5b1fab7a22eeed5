/** Reads the sums of calibration. */

import type { CalibrationQuery, CalibrationSums } from '../../../app/ports/records.ts'
import { query, type Script } from '../engine/script.ts'
import { allCorridors, ReadSums } from './sums.ts'

const readSql = `SELECT starts_at_ms, cells FROM calibration
  WHERE owner_id = $1 AND corridor = $2 AND mode IN ($3, $4) AND starts_at_ms >= $5 AND starts_at_ms < $6
  ORDER BY starts_at_ms`

export function* calibrate(
  ownerId: string,
  { range, mode, corridor }: CalibrationQuery,
): Script<CalibrationSums> {
  const modes = mode === null ? ['shadow', 'live'] : [mode, mode]
  const values = [ownerId, corridor ?? allCorridors, ...modes, range.fromMs, range.toMs]
  const sums = new ReadSums()
  const days = (yield* query(readSql, values)).map((row) => ({
    startsAtMs: Number(row['starts_at_ms']),
    ...sums.add(row),
  }))
  return { cells: sums.cells(), days: days.filter(({ records }) => records > 0) }
}
