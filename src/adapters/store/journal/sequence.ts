/** The sequencer: gives each queued entry the next number, its leaf index. Numbers have no gaps. */

import { isEntry, type LogEntry } from '../../../app/ports/log.ts'
import type { Sequenced } from '../../../app/ports/journal.ts'
import { blockStatements, blocksOf } from '../log/log-blocks.ts'
import {
  inRuns,
  last,
  parameterList,
  query,
  sqlForRows,
  type Script,
  type Statement,
} from '../engine/script.ts'
import { entriesOf } from './queue.ts'

/** Rows per batch. Under load a row holds many entries. */
const rowsMax = 128

const dequeueSql = sqlForRows((rows) => `DELETE FROM journal_queue WHERE number IN (${parameterList(rows)})`)

/** Locks the head first, so that a second sequencer waits and then reads a queue without these rows. */
export function* sequence(): Script<Sequenced> {
  const [heads = [], rows = []] = yield [
    { sql: 'SELECT sequenced FROM log_head FOR UPDATE', values: [] },
    {
      sql: 'SELECT number, entries, records FROM journal_queue ORDER BY number LIMIT $1',
      values: [rowsMax],
    },
  ]
  const from = Number(heads[0]?.['sequenced'] ?? 0)
  if (rows.length === 0) return { sequenced: from, isComplete: true }
  // An invalid entry would corrupt the tree. The store never writes one; `verify-log` reports it.
  const entries = rows.flatMap((row) => entriesOf(String(row['entries']))).filter(isEntry)
  const records = rows.reduce((sum, row) => sum + Number(row['records']), 0)
  const numbers = rows.map((row) => Number(row['number']))
  yield last([
    ...numberStatements(from, entries, records),
    ...inRuns(numbers).map((run) => ({ sql: dequeueSql(run.length), values: run })),
  ])
  return { sequenced: from + entries.length, isComplete: rows.length < rowsMax }
}

/** Adds entries that were recorded before the log existed. False if another instance was first. */
export function* sequenceBacklog(
  from: number,
  entries: readonly LogEntry[],
  { kind, upTo }: { readonly kind: string; readonly upTo: string },
): Script<boolean> {
  const [head] = yield* query('SELECT sequenced FROM log_head FOR UPDATE')
  if (Number(head?.['sequenced']) !== from) return false
  // They are in the total already.
  yield last([
    ...numberStatements(from, entries, 0),
    { sql: 'UPDATE log_backlog SET after_id = $1 WHERE kind = $2', values: [upTo, kind] },
  ])
  return true
}

function numberStatements(from: number, entries: readonly LogEntry[], records: number): Statement[] {
  return [
    {
      sql: 'UPDATE log_head SET sequenced = $1, records = records + $2',
      values: [from + entries.length, records],
    },
    ...blockStatements(blocksOf(from, entries)),
  ]
}
