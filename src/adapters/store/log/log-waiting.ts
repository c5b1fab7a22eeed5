/** Queues entries for the log in the transaction that records them, so that every record is sealed. */

import type { LogEntry } from '../../../app/ports/log.ts'
import type { Statement } from '../engine/script.ts'

type Unsealed = Omit<LogEntry, 'leafHash'> & { readonly leafHash: string | null }

/** One row for all entries of a transaction: cheap to write, and read as one until sealed. */
export function waitingStatements(recorded: readonly Unsealed[]): Statement[] {
  const entries = recorded.flatMap(({ subjectId, leafHash }) =>
    leafHash === null ? [] : [{ subjectId, leafHash }],
  )
  if (entries.length === 0) return []
  return [{ sql: 'INSERT INTO log_waiting (entries) VALUES ($1)', values: [textOf(entries)] }]
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
