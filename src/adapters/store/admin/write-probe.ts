/** SQL of the one row that is written to find out whether the disk takes it. */

import { query, type Script } from '../engine/script.ts'

/** Writes what nobody reads, to find out whether the disk takes it. */
export function* probeWrite(nowMs: number): Script<void> {
  yield* query(
    `INSERT INTO write_probe (only_one, at_ms) VALUES (1, $1) ON CONFLICT (only_one) DO UPDATE SET at_ms = $1`,
    [nowMs],
  )
}
