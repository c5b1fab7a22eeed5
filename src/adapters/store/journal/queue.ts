/**
 * SQL of the journal's queue. A transaction that records something queues its entries here, in one row. The queue has no
 * order: on PostgreSQL, numbers are given before commits. The sequencer gives each entry its place.
 */

import type { LogEntry } from '../../../app/ports/log.ts'
import type { Statement } from '../engine/script.ts'

/** One row for all entries of a transaction. `records` counts those that are decisions. */
export function queueStatement(entries: readonly LogEntry[], records: number): Statement {
  return {
    sql: 'INSERT INTO journal_queue (entries, records) VALUES ($1, $2)',
    values: [textOf(entries), records],
  }
}

/** The number of entries in a text. `$1` is the newline. */
export const linesSql = "length(entries) - length(replace(entries, $1, '')) + 1"

/** One line per entry. */
export function textOf(entries: readonly LogEntry[]): string {
  return entries.map(({ subjectId, leafHash }) => `${subjectId} ${leafHash}`).join('\n')
}

export function entriesOf(text: string): LogEntry[] {
  return text.split('\n').map((line) => {
    const space = line.indexOf(' ')
    return { subjectId: line.slice(0, space), leafHash: line.slice(space + 1) }
  })
}
