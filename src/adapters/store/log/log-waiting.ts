/** What a transaction hands to the log: written with what it records, so that nothing is recorded and not sealed. */

import type { LogEntry } from '../../../app/ports/log.ts'
import type { Statement } from '../engine/script.ts'

type Unsealed = Omit<LogEntry, 'leafHash'> & { readonly leafHash: string | null }

/** One row for all that a transaction records: it is cheap to write, and in one piece until it is sealed. */
export function waitStatements(recorded: readonly Unsealed[]): Statement[] {
  const entries = recorded.flatMap(({ subjectId, leafHash }) =>
    leafHash === null ? [] : [{ subjectId, leafHash }],
  )
  if (entries.length === 0) return []
  return [{ sql: 'INSERT INTO log_waiting (entries) VALUES ($1)', values: [textOf(entries)] }]
}

/** How many a text has; `$1` is the end of a line. */
export const linesSql = "length(entries) - length(replace(entries, $1, '')) + 1"

/** A line each. */
export function textOf(entries: readonly LogEntry[]): string {
  return entries.map(({ subjectId, leafHash }) => `${subjectId} ${leafHash}`).join('\n')
}

export function entriesOf(text: string): LogEntry[] {
  return text.split('\n').map((line) => {
    const space = line.indexOf(' ')
    return { subjectId: line.slice(0, space), leafHash: line.slice(space + 1) }
  })
}
