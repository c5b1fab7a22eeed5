/** SQL that finds out whether the disk takes a row, and the database what a decision writes. */

import { columns } from '../records/commit.ts'
import { query, type Script } from '../engine/script.ts'

const list = columns.join(', ')

/** Statements that write no row: the database checks its tables, their columns and the rights of the role all the same. */
const emptyWrites = [
  `INSERT INTO verifications (${list}) SELECT ${list} FROM verifications WHERE 1 = 0`,
  'INSERT INTO idempotency_keys SELECT * FROM idempotency_keys WHERE 1 = 0',
  'INSERT INTO personal_texts SELECT * FROM personal_texts WHERE 1 = 0',
  `INSERT INTO cooldowns SELECT * FROM cooldowns WHERE 1 = 0
    ON CONFLICT (owner_id, mode, corridor) DO UPDATE SET request_id = excluded.request_id`,
  'INSERT INTO journal_queue (entries, records) SELECT entries, records FROM journal_queue WHERE 1 = 0',
]

/** Writes what nobody reads, to find out whether the disk takes it. */
export function* probeWrite(nowMs: number): Script<void> {
  yield emptyWrites.map((sql) => ({ sql, values: [] }))
  yield* query(
    `INSERT INTO write_probe (only_one, at_ms) VALUES (1, $1) ON CONFLICT (only_one) DO UPDATE SET at_ms = $1`,
    [nowMs],
  )
}
